import type { Moment } from '../../../servers/kubernetes/client/service-account-token.js'
import { durationText } from '../text/numbers.js'

/** Seconds for people: `10 min`, `1 h 30 min`, without units that are zero. */
export function lifetimeText(seconds: number): string {
  return durationText(seconds * 1000).replace(/ 0 (s|min|h)$/, '')
}

/** `2026-11-21 11:05:17Z`. */
export function utcText(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime())
    ? String(at)
    : date
        .toISOString()
        .replace('T', ' ')
        .replace(/\.\d+Z$/, 'Z')
}

/** `3 min 2 s ago`, `in 8 min`. */
function relativeText(at: number, now: number): string {
  return at <= now ? `${lifetimeText((now - at) / 1000)} ago` : `in ${lifetimeText((at - now) / 1000)}`
}

const labels: Readonly<Record<Moment['name'], string>> = {
  iat: 'iat',
  renewal: '80 %',
  warnafter: 'warnafter',
  exp: 'exp',
  leeway: 'exp + 60 s',
}

/** Rows of a timeline: name, moment, what happens, how far away. `now` stands between what was and what comes. */
export function timelineRows(moments: readonly Moment[], now: number): string[][] {
  return moments.map(({ name, at, meaning }) => [labels[name], utcText(at), relativeText(at, now), meaning])
}
