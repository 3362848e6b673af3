import { foreign } from '../../../protocol/safe-output/safe.js'
import type { ListedEvent } from '../../../servers/cloudflare/client/events/event.js'
import type { Signs } from '../text/signs.js'
import { countBy, totalOf } from './events-summary.js'

/** The mark behind an action that only logs. */
export const LOGGED_MARK = '*'

/** The sign for an empty field. */
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

/** A line about events that were logged and not enforced, with their main host; no line when all were enforced. */
export function loggedLines(events: readonly ListedEvent[], signs: Signs): string[] {
  const logged = events.filter(event => event.logged_only)
  const count = totalOf(logged)
  if (count === 0) return []
  const actions = countBy(logged, ['action']).map(({ values: [action = ''] }) => foreign(action, signs))
  const [most] = countBy(logged, ['host'])
  const [host = ''] = most?.values ?? []
  const isMain = most !== undefined && host !== '' && most.count * 2 > count
  const where = isMain ? `, ${most.count} of them on ${foreign(host, signs)}` : ''
  return [
    `${LOGGED_MARK} ${count} of ${totalOf(events)} logged only (${actions.join(', ')})${where}: nothing was enforced`,
  ]
}
