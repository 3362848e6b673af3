import type { LabEvent } from '../../../../protocol/events.js'
import { changeLatest, entryAt, findLatest, type History, push, replaceAt } from './history.js'
import type { LabView } from './lab-view.js'

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
