const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** `90s`, `15m`, `1h`, `7d`; more than zero. */
export const DURATION = /^([1-9]\d{0,8})([smhd])$/

/** Milliseconds; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const found = DURATION.exec(text)
  return found ? Number(found[1]) * unitMs[found[2] as keyof typeof unitMs] : undefined
}
