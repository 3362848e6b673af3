const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** How a duration is written: `90s`, `15m`, `1h`, `7d`; more than zero. */
export const DURATION = /^([1-9]\d{0,8})([smhd])$/

/** A duration in milliseconds; undefined for a text that is not a duration. */
export function parseDuration(text: string): number | undefined {
  const found = DURATION.exec(text)
  return found ? Number(found[1]) * unitMs[found[2] as keyof typeof unitMs] : undefined
}
