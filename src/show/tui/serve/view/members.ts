import type { LabEvent } from '../../../../protocol/events.js'
import { defined } from '../../../../protocol/values.js'
import { changeLatest, entryAt, findLatest, type History, push, replaceAt } from './history.js'
import type { LabView } from './lab-view.js'

/** A member that is a text; undefined for anything else, which only a foreign file has. */
export function textOf(event: LabEvent, name: string): string | undefined {
  const value = event[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A member that is a number. */
export function numberOf(event: LabEvent, name: string): number | undefined {
  const value = event[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** A member that is a list of objects. */
export function objectsOf(event: LabEvent, name: string): Record<string, unknown>[] {
  const value = event[name]
  return Array.isArray(value) ? value.filter(each => typeof each === 'object' && each !== null) : []
}

/** A member that is a list of texts. */
export function textsOf(event: LabEvent, name: string): string[] {
  const value = event[name]
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
}

/** The client and the user an event is about. */
export function aboutOf(event: LabEvent): { client?: string; user?: string } {
  return defined({
    client: textOf(event, 'client_id'),
    user: textOf(event, 'username') ?? textOf(event, 'sub'),
  })
}

/** The first parts of the names of the events of each site. */
const parts: Readonly<Record<string, string>> = {
  authorization:
    'authorization login session logout logout_token request push id_token code token refresh_token introspection revocation assertion password userinfo device_code device_authorization user_code ciba ciba_ping fault',
  resource: 'resource keys',
  cluster: 'cluster',
  dns: 'dns chat',
  client: 'demo_client',
}

const siteByPart: ReadonlyMap<string, string> = new Map(
  Object.entries(parts).flatMap(([site, names]) => names.split(' ').map(part => [part, site] as const)),
)

/** Returns the site that published an event; undefined where the event does not show it. */
export function siteOf(event: LabEvent): string | undefined {
  return textOf(event, 'site') ?? siteByPart.get(event.type.split('.', 1)[0]!)
}

/** The change that an event makes. `at`: its time, milliseconds since the epoch. */
export type Change = (view: LabView, event: LabEvent, at: number) => LabView

/** The members that identify the entries of the lists in which each thing stands once. */
const identity = { codes: 'code', clients: 'id', users: 'name', keys: 'kid', sites: 'name' } as const

type Lists = Pick<LabView, keyof typeof identity | 'tokens' | 'families'>

/** An entry of a list of a lab. */
export type Kept<Name extends keyof Lists> = Lists[Name] extends History<infer Entry> ? Entry : never

/**
 * The view with a changed entry: the one that is the same as `begun`, else `begun` itself, which is added to a list of
 * fewer than `most` entries. A change that returns undefined changes nothing.
 */
export function noted<Name extends keyof typeof identity>(
  view: LabView,
  name: Name,
  begun: Kept<Name>,
  change: (entry: Kept<Name>) => Kept<Name> | undefined,
  most = Number.POSITIVE_INFINITY,
): LabView {
  const list = view[name] as unknown as History<Kept<Name>>
  const idOf = (entry: Kept<Name>): unknown => (entry as Readonly<Record<string, unknown>>)[identity[name]]
  const n = findLatest(list, each => idOf(each) === idOf(begun))
  if (n === undefined && list.end - list.first >= most) return view
  const after = change(n === undefined ? begun : entryAt(list, n)!)
  if (after === undefined) return view
  return { ...view, [name]: n === undefined ? push(list, after) : replaceAt(list, n, after) }
}

/** The view with the latest entry of a list that fits changed; where none does, as it was. */
export function changed<Name extends 'tokens' | 'families'>(
  view: LabView,
  name: Name,
  fits: (entry: Kept<Name>) => boolean,
  change: (entry: Kept<Name>) => Kept<Name>,
): LabView {
  return { ...view, [name]: changeLatest(view[name] as unknown as History<Kept<Name>>, fits, change) }
}
