import { events, requests } from './event-panes.js'
import { clients, keys, sites, users } from './known-panes.js'
import { codes, refresh, tokens } from './lives.js'
import type { Shown } from './pane-parts.js'

/** The panes of the dashboard, in the order of their numbers. */
export const PANES = [
  'requests',
  'codes',
  'tokens',
  'clients',
  'refresh',
  'users',
  'keys',
  'sites',
  'events',
] as const

export type Pane = (typeof PANES)[number]
export type LowerPane = Exclude<Pane, 'requests'>

/** How each pane shows its entries. */
export const SHOWN: Readonly<Record<Pane, Shown>> = {
  requests,
  codes,
  tokens,
  clients,
  refresh,
  users,
  keys,
  sites,
  events,
}

/** Panes that are drawn beside each other where there is room. */
export const GROUPS: ReadonlyArray<readonly LowerPane[]> = [
  ['codes', 'tokens', 'clients'],
  ['refresh', 'users', 'keys'],
  ['sites', 'events'],
]

/** The number and name of a pane: `2 Codes`. */
export function paneName(pane: Pane): string {
  return `${PANES.indexOf(pane) + 1} ${SHOWN[pane].name}`
}
