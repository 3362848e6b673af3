import { expect } from 'vitest'
import { recordLines } from '../../../src/commands/flow/flow-output.js'
import type { FlowRecord, PlannedStep } from '../../../src/flows/step.js'
import { placeOf } from '../../../src/show/render/steps/sequence.js'
import { receive } from '../../../src/show/tui/flow/changes.js'
import { entriesOf, initialState } from '../../../src/show/tui/flow/state.js'
import { stepsOf } from './records.js'

/** Holds the numbers of steps in a plan: no number is skipped, and each step is in its place. */
export function expectNumbers(records: readonly FlowRecord[], plan: readonly PlannedStep[], what?: string) {
  const steps = stepsOf(records)
  let before = 0
  for (const step of steps) {
    const { n, of, name } = step
    expect([before, before + 1], what).toContain(n)
    expect(of, what).toBeGreaterThanOrEqual(n)
    expect(plan[placeOf(step, plan)]?.name, what).toBe(name)
    before = n
  }
  const [ended] = records.slice(-1)
  if (ended?.type === 'outcome' && ended.outcome === 'granted') expect(steps.at(-1)?.of, what).toBe(before)
}

const plain = { showSecrets: false, ascii: true, clientId: 'demo', now: () => 0 }

/** Holds the numbers of the lines that a run prints, as text and as JSON. */
export function expectPrinted(records: readonly FlowRecord[], what?: string) {
  const steps = stepsOf(records)
  const text = steps.flatMap(step => recordLines(step, { ...plain, json: false }))
  expect(
    text.map(line => Number(/^ *(\d+) /.exec(line)?.[1])),
    what,
  ).toEqual(steps.map(({ n }) => n))
  const lines = steps.flatMap(step => recordLines(step, { ...plain, json: true }))
  expect(
    lines.map(line => JSON.parse(line)).map(({ n, of }) => [n, of]),
    what,
  ).toEqual(steps.map(({ n, of }) => [n, of]))
}

/** Holds the numbers that the stepper lists after each record: each follows the one before, planned ones too. */
export function expectListed(records: readonly FlowRecord[], plan: readonly PlannedStep[], what?: string) {
  let state = initialState(plan, false)
  for (const record of records) {
    state = receive(state, record)
    let before = 0
    for (const { n } of entriesOf(state)) {
      expect([before, before + 1], what).toContain(n)
      before = n
    }
    expect(before, what).toBe(stepsOf([record])[0]?.of ?? before)
  }
}
