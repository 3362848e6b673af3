import { UsageError } from '../../../../protocol/errors.js'
import { parseTimestamp } from '../../timestamp.js'

/** The period of a search, in milliseconds since the epoch; both ends are included. */
export interface Period {
  readonly since: number
  /** Absent: until now. */
  readonly until?: number
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** The default start of a period. */
const USUAL_SINCE = '1h'

const EXAMPLES = 'Write how long ago, as 90m, 1h30m or 2d, or a time with a T, as 2026-01-31T08:00:00Z.'

/** Reads a duration with its largest unit first, such as `1h30m`, in milliseconds. Returns undefined for other texts. */
export function parseSpan(text: string): number | undefined {
  const parts = /^(?:(\d{1,6})d)?(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,8})s)?$/.exec(text)
  if (!parts || text === '') return undefined
  const [, d = 0, h = 0, m = 0, s = 0] = parts
  const ms = Number(d) * UNITS.d! + Number(h) * UNITS.h! + Number(m) * UNITS.m! + Number(s) * UNITS.s!
  return ms > 0 ? ms : undefined
}

/** Returns the error for a text that is neither a duration nor a time. */
function wrongTime(option: string, text: string): UsageError {
  const shown = JSON.stringify(text.slice(0, 60))
  if (/^\d{4}-\d{2}-\d{2}[ _]\d/.test(text)) {
    const better = text.slice(0, 60).replace(/[ _]/, 'T')
    return new UsageError(`${option} ${shown} has no T between date and time`, [
      ...(parseTimestamp(better) === undefined ? [] : [`Write it as:   ${option} ${better}`]),
      EXAMPLES,
    ])
  }
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) {
    return new UsageError(`${option} ${shown} is a date without a time; it needs a T and the time`, [
      ...(parseTimestamp(`${text}T00:00:00Z`) === undefined
        ? []
        : [`Its first second is:   ${option} ${text}T00:00:00Z`]),
      EXAMPLES,
    ])
  }
  if (/^\d+$/.test(text)) return new UsageError(`${option} ${shown} has no unit`, [EXAMPLES])
  return new UsageError(`${option} ${shown} is no time`, [EXAMPLES])
}

function readTime(option: string, text: string, now: number): number {
  const ago = parseSpan(text)
  const at = ago === undefined ? parseTimestamp(text) : now - ago
  if (at === undefined) throw wrongTime(option, text)
  return at
}

function yearBefore(ms: number): number {
  const date = new Date(ms)
  return date.setUTCFullYear(date.getUTCFullYear() - 1)
}

const iso = (ms: number): string => new Date(ms).toISOString().replace('.000', '')

/**
 * Reads the period of `--since` and `--until`. Each is a length of time back from now, or an ISO 8601 time with a T.
 * @param now milliseconds since the epoch, by the clock of the service
 * @throws UsageError
 */
export function readPeriod(
  { since = USUAL_SINCE, until }: { readonly since?: string; readonly until?: string },
  now: number,
): Period {
  const from = readTime('--since', since, now)
  if (from > now) {
    throw new UsageError(`--since ${since} is in the future`, [`It is ${iso(now)} now.`, EXAMPLES])
  }
  if (from < yearBefore(now)) {
    throw new UsageError(`--since ${since} is more than a year back; events are kept for a year at most`, [
      `The earliest is ${iso(yearBefore(now))}`,
    ])
  }
  if (until === undefined) return { since: from }
  const to = readTime('--until', until, now)
  if (to < from) throw new UsageError(`--until ${until} is before --since ${since}`, [EXAMPLES])
  return { since: from, until: to }
}
