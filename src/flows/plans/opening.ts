import type { FlowRecord, PlannedStep, Step } from '../step.js'

function planned(opening: readonly PlannedStep[]): PlannedStep[] {
  return opening
    .filter(({ name }, i) => opening.findIndex(each => each.name === name) === i)
    .map(({ name, from, to, title, rfc, why }) => ({ name, from, to, title, rfc, why }))
}

/** A plan with the steps before it that were needed to make it. */
export function openedPlan(
  opening: readonly PlannedStep[],
  plan: readonly PlannedStep[],
): readonly PlannedStep[] {
  return [...planned(opening), ...plan]
}

/** Runs a flow after steps that already happened. The numbers of steps continue. */
export async function* opened(
  opening: readonly Step[],
  length: number,
  records: AsyncIterable<FlowRecord>,
): AsyncGenerator<FlowRecord, void, void> {
  const names = planned(opening).map(({ name }) => name)
  const of = names.length + length
  for (const step of opening) yield { ...step, n: names.indexOf(step.name) + 1, of }
  for await (const record of records) {
    yield record.type === 'step'
      ? { ...record, n: record.n + names.length, of: record.of + names.length }
      : record
  }
}
