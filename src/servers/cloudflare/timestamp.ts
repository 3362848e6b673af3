const form = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?$/

const HOUR = 3_600_000

/**
 * Parses an ISO 8601 time with a T. Seconds, a fraction and an offset are optional; a time without an offset is UTC.
 * @returns milliseconds since the epoch; undefined for another text
 */
export function parseTimestamp(text: string): number | undefined {
  const found = form.exec(text)
  if (!found) return undefined
  const [, year, month, day, hour, minute, second = '0', fraction = '0', zone = 'Z'] = found
  const fields = [year, month, day, hour, minute, second].map(Number)
  const [y = 0, mo = 0, d = 0, h = 0, mi = 0, sec = 0] = fields
  const at = new Date(Date.UTC(y, mo - 1, d, h, mi, sec))
  // Date reads February 31st as March 3rd, and 25:00 as the next day.
  if (at.toISOString().slice(0, 16) !== `${year}-${month}-${day}T${hour}:${minute}`) return undefined
  return at.getTime() + Math.floor(Number(`0.${fraction}`) * 1000) - offset(zone)
}

function offset(zone: string): number {
  if (zone === 'Z') return 0
  const ms = Number(zone.slice(1, 3)) * HOUR + Number(zone.slice(-2)) * (HOUR / 60)
  return zone.startsWith('-') ? -ms : ms
}

/** Formats a time as the service writes it in events: whole seconds, UTC. */
export function timestamp(ms: number): string {
  return `${new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`
}

/** The same time a year before, in milliseconds. */
export function yearBefore(ms: number): number {
  const date = new Date(ms)
  return date.setUTCFullYear(date.getUTCFullYear() - 1)
}
