/** The value, or the limit that it is beyond. */
export function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value))
}
