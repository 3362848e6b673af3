import type { ListedEvent } from '../cloudflare/client/events/event.js'
import { countBy, loggedOnlyCount } from './events-summary.js'
import type { Signs } from './signs.js'

/** Stands behind an action that only logs. */
export const LOGGED_MARK = '*'

/** What stands for an empty field. */
export const emptyText = (signs: Signs): string => (signs.ascii ? '-' : '–')

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const

/** A length of time as it is typed: `1h30m`. Takes milliseconds. */
export function spanText(ms: number): string {
  let rest = Math.round(ms / 1000) * 1000
  const parts = UNITS.flatMap(([unit, length]) => {
    const count = Math.floor(rest / length)
    rest -= count * length
    return count === 0 ? [] : [`${count}${unit}`]
  })
  return parts.length === 0 ? '0s' : parts.slice(0, 2).join('')
}

/** A count with its noun. */
export const eventsText = (count: number): string => `${count} event${count === 1 ? '' : 's'}`

/** The actions of events, most first: `26 drop, 14 simulate`. `show` makes them safe. */
export function actionsText(events: readonly ListedEvent[], show: (text: string) => string): string {
  return countBy(events, ['action'])
    .map(({ values: [action = ''], count }) => `${count} ${show(action)}`)
    .join(', ')
}

/** What was logged and not enforced, and where most of it; undefined where all was enforced. */
export function loggedOnlyText(
  events: readonly ListedEvent[],
  show: (text: string) => string,
): string | undefined {
  const logged = events.filter(event => event.logged_only)
  const count = loggedOnlyCount(events)
  if (count === 0) return undefined
  const actions = countBy(logged, ['action']).map(({ values: [action = ''] }) => show(action))
  const [most] = countBy(logged, ['host'])
  const [host = ''] = most?.values ?? []
  const where =
    most !== undefined && host !== '' && most.count * 2 > count
      ? `, ${most.count} of them on ${show(host)}`
      : ''
  return `${LOGGED_MARK} ${count} of ${events.length} logged only (${actions.join(', ')})${where}: nothing was enforced`
}
