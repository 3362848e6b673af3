import { UsageError } from '../protocol/errors.js'

/** A clock that was set to another time. Times are milliseconds since the epoch. */
export interface ClockSetting {
  readonly from: number
  /** By the real clock. */
  readonly since: number
  /** True when the clock does not advance. */
  readonly still: boolean
}

export interface Repeat {
  /** Every value of the lab comes from it. */
  readonly seed?: number
  /** Milliseconds since the epoch. */
  readonly now?: number
}

/** Undefined for the real clock. With a seed the clock stands still, so that a transcript repeats. */
export function clockSetting({ seed, now }: Repeat): ClockSetting | undefined {
  return now === undefined ? undefined : { from: now, since: Date.now(), still: seed !== undefined }
}

/** The clock of a lab: the real one, unless it was set. */
export function clockOf(setting: ClockSetting | undefined): () => number {
  if (setting === undefined) return Date.now
  const { from, since, still } = setting
  return still ? () => from : () => from + (Date.now() - since)
}

const isoDate = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/

/** Reads an ISO 8601 date, with a time and its zone, or seconds since the epoch. @returns milliseconds @throws UsageError */
export function parseInstant(text: string): number {
  const ms = /^\d{1,11}$/.test(text)
    ? Number(text) * 1000
    : isoDate.test(text)
      ? Date.parse(text)
      : Number.NaN
  if (Number.isFinite(ms)) return ms
  throw new UsageError(`${JSON.stringify(text)} is not a time`, [
    'Write it as 2030-01-01, 2030-01-01T12:00:00Z, or in seconds since 1970: 1893456000',
  ])
}
