import { expect } from 'vitest'
import type { FlowRecord, Outcome, Step, StepName } from '../../../src/flows/step.js'

/** Everything a flow yields. */
export async function collect(flow: AsyncIterable<FlowRecord>): Promise<FlowRecord[]> {
  const records: FlowRecord[] = []
  for await (const record of flow) records.push(record)
  return records
}

export function stepsOf(records: readonly FlowRecord[]): Step[] {
  return records.filter(record => record.type === 'step')
}

export function stepOf(records: readonly FlowRecord[], name: StepName): Step {
  const step = stepsOf(records).findLast(each => each.name === name)
  if (!step) throw new Error(`no step ${name}`)
  return step
}

export function outcomeIn(records: readonly FlowRecord[]): Outcome {
  const last = records.at(-1)
  if (last?.type !== 'outcome') throw new Error('the last record is no outcome')
  return last
}

/** Expects that a run ended with this refusal, by this rule where one is named. */
export function expectRefused(run: readonly FlowRecord[] | Outcome, error: string, rule?: unknown) {
  const outcome = 'outcome' in run ? run : outcomeIn(run)
  expect(outcome).toMatchObject({
    outcome: 'refused',
    error: rule === undefined ? { error } : { error, rule },
  })
}
