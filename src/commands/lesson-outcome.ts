import type { AttackOutcome, AttackRecord } from '../attacks/model.js'
import type { Finding } from '../flows/doctor/finding.js'
import { keepEvent } from '../lab/lesson-events.js'

/** The event of an outcome; undefined for an attack that was not decided. */
function eventOf({ attack, outcome, check, rule, weak }: AttackOutcome) {
  if (outcome === 'failed') return undefined
  const at = new Date().toISOString()
  const modes = weak.length > 0 ? { weak } : {}
  return { type: 'attack.ended', at, ...modes, attack, outcome, check, rule }
}

/** Keeps the result of an examination for the lesson that runs. */
export function keepExamination(issuer: string, findings: readonly Finding[], home: string): Promise<void> {
  const named = (result: Finding['result']) =>
    findings.filter(each => each.result === result && !each.ignored).map(({ name }) => name)
  const at = new Date().toISOString()
  const [faults, weaknesses, { length: passed }] = [named('fault'), named('weakness'), named('pass')]
  return keepEvent({ type: 'doctor.ended', at, issuer, faults, weaknesses, passed }, home)
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
