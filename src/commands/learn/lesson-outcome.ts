import type { AttackOutcome, AttackRecord } from '../../judge/attacks/model.js'
import type { Finding } from '../../judge/doctor/finding.js'
import { keepEvent } from '../../lab/state/lesson-events.js'
import type { ShownWeak } from '../../protocol/rules/weak-modes.js'
import { defined } from '../../protocol/values.js'

/** The members of an event that name the weak modes of its lab, and the learner. */
const markOf = (weak: readonly ShownWeak[]) =>
  defined({ weak: weak.length > 0 ? weak : undefined, learner: process.env.OAUTH_LAB_LEARNER })

/** The event of an outcome; undefined for an attack that was not decided. */
function eventOf({ attack, outcome, check, rule, weak }: AttackOutcome) {
  if (outcome === 'failed') return undefined
  const at = new Date().toISOString()
  return { type: 'attack.ended', at, ...markOf(weak), attack, outcome, check, rule }
}

/** Keeps the result of an examination for the lesson that runs. @param weak the weak modes of the examined lab */
export function keepExamination(
  issuer: string,
  findings: readonly Finding[],
  home: string,
  weak: readonly ShownWeak[] = [],
): Promise<void> {
  const named = (result: Finding['result']) =>
    findings.filter(each => each.result === result && !each.ignored).map(({ name }) => name)
  const at = new Date().toISOString()
  const [faults, weaknesses, { length: passed }] = [named('fault'), named('weakness'), named('pass')]
  const event = { type: 'doctor.ended', at, ...markOf(weak), issuer, faults, weaknesses, passed }
  return keepEvent(event, home)
}

/** Yields the records of an attack, and keeps its outcome for the lesson that runs. */
export async function* keepingOutcome(
  records: AsyncGenerator<AttackRecord, void, void>,
  home: string,
): AsyncGenerator<AttackRecord, void, void> {
  for await (const record of records) {
    const event = record.type === 'outcome' ? eventOf(record) : undefined
    // Before the record: a reader of the outcome may stop there.
    if (event !== undefined) await keepEvent(event, home)
    yield record
  }
}
