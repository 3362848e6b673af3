import type { Attack } from '../../judge/attacks/model.js'
import type { Misconception } from '../../learn/misconceptions.js'
import type { Named, RuleEntry, Table } from '../../protocol/rules/entry.js'
import type { Rule } from '../../protocol/rules/rule.js'

/** The section on the kinds of attackers. */
const ATTACKERS: Rule = 'RFC 9700 §3'

/** An attack by its own rule, by those of the defences that stop it, and by its kind of attacker. */
function withDefences({ name, rule, defences, starts }: Attack): Named[] {
  const kind = starts.some(each => each.includes(ATTACKERS)) ? [ATTACKERS] : []
  return [rule, ...defences.map(defence => defence.rule), ...kind].map(each => ({ name, rule: each }))
}

/** A misconception by its rule: a lesson answers it, and something shows that it is wrong. */
function misconceived(
  misconceptions: readonly Misconception[],
  lessons: readonly { readonly name: string }[],
): Named[] {
  return misconceptions.flatMap(({ rule, lesson }) => {
    const number = String(lesson).padStart(2, '0')
    return lessons.filter(({ name }) => name.startsWith(`${number}-`)).map(({ name }) => ({ name, rule }))
  })
}

/** Returns the tables that exist at run time and name rules: moves, checks of the doctor, weak modes, attacks and lessons. */
async function tables(): Promise<readonly Table[]> {
  const [{ moves }, { doctorChecks }, { WEAK_MODES }, { attacks }, { builtInLessons }, { MISCONCEPTIONS }] =
    await Promise.all([
      import('../../judge/tamper/moves.js'),
      import('../../judge/doctor/names.js'),
      import('../../protocol/rules/weak-modes.js'),
      import('../../judge/attacks/attacks.js'),
      import('../../learn/lesson-list.js'),
      import('../../learn/misconceptions.js'),
    ])
  const lessons = await builtInLessons()
  const taught = [...lessons, ...misconceived(Object.values(MISCONCEPTIONS), lessons)]
  return [
    ['tried', 'flow --tamper', moves],
    ['examined', 'doctor', doctorChecks()],
    ['broken', 'serve --weak', WEAK_MODES],
    ['attacked', 'attack run', attacks.flatMap(withDefences)],
    ['taught', 'learn', taught],
  ]
}

/**
 * Returns every rule that the lab knows, with the places where it lives.
 * @param index the index of the sources; default: the one that was generated
 */
export async function loadRules(index?: string): Promise<readonly RuleEntry[]> {
  const [{ ruleEntries }, places] = await Promise.all([
    import('../../protocol/rules/entry.js'),
    index ?? import('../../protocol/rules/places.js').then(({ PLACES }) => PLACES),
  ])
  return ruleEntries(places, await tables())
}
