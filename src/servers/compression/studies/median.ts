/** Returns the middle one of `values`, or the higher one of the two in the middle. There is at least one value. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
