import type { Step } from '../../../flows/step.js'

/** Index of a step in the plan of its flow. Steps that a flow leaves out have a place in the plan, and no number. */
export function placeOf({ n, of }: Pick<Step, 'n' | 'of'>, { length }: { readonly length: number }): number {
  return n - 1 + length - of
}
