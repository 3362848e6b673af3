import type { Attack } from '../attacks/model.js'
import type { Named, RuleEntry, Table } from '../rules/entry.js'

/** An attack by its own rule, and by those of the defences that stop it. */
function withDefences({ name, rule, defences }: Attack): Named[] {
  return [{ name, rule }, ...defences.map(defence => ({ name, rule: defence.rule }))]
}

/** Returns the tables that exist at run time and name rules: moves, checks of the doctor, weak modes, attacks and lessons. */
async function tables(): Promise<readonly Table[]> {
  const [{ moves }, { doctorChecks }, { WEAK_MODES }, { attacks }, { builtInLessons }] = await Promise.all([
    import('../flows/tamper/moves.js'),
    import('../flows/doctor/names.js'),
    import('../rules/weak-modes.js'),
    import('../attacks/attacks.js'),
    import('../lessons/lesson-list.js'),
  ])
  return [
    ['tried', 'flow --tamper', moves],
    ['examined', 'doctor', doctorChecks()],
    ['broken', 'serve --weak', WEAK_MODES],
    ['attacked', 'attack run', attacks.flatMap(withDefences)],
    ['taught', 'learn', await builtInLessons()],
  ]
}

/**
 * Returns every rule that the lab knows, with the places where it lives.
 * @param index the index of the sources; default: the one that was generated
 */
export async function loadRules(index?: string): Promise<readonly RuleEntry[]> {
  const [{ ruleEntries }, places] = await Promise.all([
    import('../rules/entry.js'),
    index ?? import('../rules/places.js').then(({ PLACES }) => PLACES),
  ])
  return ruleEntries(places, await tables())
}
