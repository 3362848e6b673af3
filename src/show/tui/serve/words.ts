import type { Signs } from '../../render/text/signs.js'
import type { Line } from '../../render/text/spans.js'
import { foreign, span } from '../../render/text/spans.js'
import { bar } from '../../render/text/text.js'

/** A time of day in UTC, as in `14:03:11`. Takes milliseconds since the epoch. */
export function timeText(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? '--:--:--' : date.toISOString().slice(11, 19)
}

const two = (value: number): string => String(value).padStart(2, '0')

/** A length of time that counts, as in `9:41`, `1:02:03` or `29 d`. Takes milliseconds. */
export function countText(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000))
  if (whole >= 2 * 86_400) return `${Math.floor(whole / 86_400)} d`
  const minutes = Math.floor(whole / 60) % 60
  const hours = Math.floor(whole / 3600)
  const rest = two(whole % 60)
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`
}

/** Columns of a whole life. */
const LIFE = 7

/** The rest of a life: `9:41 left  ██████▊`, or that it is over. */
export function leftLine(
  { issuedAt, expiresAt }: { readonly issuedAt?: number; readonly expiresAt?: number },
  now: number,
  signs: Signs,
): Line {
  if (expiresAt === undefined) return []
  if (now >= expiresAt) return [span(`expired ${timeText(expiresAt)}`, 'dim')]
  const fraction = issuedAt === undefined ? 0 : (expiresAt - now) / (expiresAt - issuedAt)
  return [
    span(`${countText(expiresAt - now)} left  `),
    span(bar(fraction, LIFE, { ascii: signs.ascii }), 'done'),
  ]
}

/** Names side by side, those that there are. */
export function names(signs: Signs, ...all: ReadonlyArray<string | undefined>): string {
  return all.flatMap(each => (each === undefined ? [] : [foreign(each, signs)])).join('  ')
}
