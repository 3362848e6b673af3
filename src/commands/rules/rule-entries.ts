import { readFile } from 'node:fs/promises'
import type { Attack } from '../../judge/attacks/model.js'
import type { Misconception } from '../../learn/misconceptions.js'
import type { Named, RuleBook, Table } from '../../protocol/rules/entry.js'
import type { Rule } from '../../protocol/rules/rule.js'

/**
 * The places of each rule in the sources: a line a rule, its parts separated by bars. A part is a side of the program,
 * with its errors, events and checks; or `in` a side whose comments name the rule. `npm run docs` writes this file.
 */
const placesFile = new URL('../../../content/rules/places.txt', import.meta.url)

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
export async function loadRules(index?: string): Promise<RuleBook> {
  const [{ ruleBook }, { ruleDocuments }] = await Promise.all([
    import('../../protocol/rules/entry.js'),
    import('../../protocol/rules/documents.js'),
  ])
  const places = index ?? (await readFile(placesFile, 'utf8'))
  return ruleBook(await ruleDocuments(), places, await tables())
}
