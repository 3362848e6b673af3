import type { LabEvent } from '../../../protocol/events.js'
import type { Line } from '../../render/text/spans.js'
import type { DrawContext } from './context.js'
import type { Filterable } from './filter.js'
import type { History } from './view/history.js'
import { entryAt } from './view/history.js'
import type { LabView } from './view/lab-view.js'

/** How entries of one kind are shown. */
export interface PaneParts<T> {
  readonly name: string
  readonly history: (view: LabView) => History<T>
  /** Which one it is. */
  readonly identity: (entry: T, context: DrawContext) => Line
  /** Its status. */
  readonly status: (entry: T, context: DrawContext) => Line
  readonly fields: (entry: T) => Filterable['fields']
  /** The text to copy: its name elsewhere. */
  readonly value: (entry: T) => string
  /** Values that events about it hold. */
  readonly mentions: (entry: T) => readonly string[]
  /** True when it shows a countdown. */
  readonly counts?: (entry: T, now: number) => boolean
}

/** The same for an entry by its number, whatever its kind. */
export interface Shown {
  readonly name: string
  readonly history: (view: LabView) => History<unknown>
  readonly entry: (view: LabView, n: number) => object | undefined
  readonly identity: (view: LabView, n: number, context: DrawContext) => Line
  readonly status: (view: LabView, n: number, context: DrawContext) => Line
  readonly filterable: (view: LabView, n: number) => Filterable
  readonly fieldNames: ReadonlySet<string>
  readonly value: (view: LabView, n: number) => string | undefined
  /** Events that are about it, oldest first. */
  readonly events: (view: LabView, n: number) => readonly LabEvent[]
  readonly counts: (view: LabView, n: number, now: number) => boolean
}

/** Largest number of events that are shown with an entry. */
const MAX_EVENTS = 50

function eventsWith({ events }: LabView, values: readonly string[]): LabEvent[] {
  const found: LabEvent[] = []
  for (let n = events.end - 1; n >= events.first && found.length < MAX_EVENTS; n--) {
    const event = entryAt(events, n)!
    const about = Object.values(event).some(
      value =>
        (typeof value === 'string' && values.includes(value)) ||
        (Array.isArray(value) && values.some(each => value.includes(each))),
    )
    if (about) found.push(event)
  }
  return found.reverse()
}

/** Makes a pane of its parts. `fieldNames` are what its filter knows. */
export function shown<T extends object>(parts: PaneParts<T>, fieldNames: readonly string[]): Shown {
  const at = (view: LabView, n: number): T | undefined => entryAt(parts.history(view), n)
  const of = <R>(view: LabView, n: number, make: (entry: T) => R, otherwise: R): R => {
    const entry = at(view, n)
    return entry === undefined ? otherwise : make(entry)
  }
  return {
    name: parts.name,
    history: parts.history,
    entry: at,
    identity: (view, n, context) => of(view, n, entry => parts.identity(entry, context), []),
    status: (view, n, context) => of(view, n, entry => parts.status(entry, context), []),
    filterable: (view, n) =>
      of(
        view,
        n,
        entry => {
          const fields = parts.fields(entry)
          return { fields, text: Object.values(fields).join(' ') }
        },
        { fields: {}, text: '' },
      ),
    fieldNames: new Set(fieldNames),
    value: (view, n) => of<string | undefined>(view, n, parts.value, undefined),
    events: (view, n) => of(view, n, entry => eventsWith(view, parts.mentions(entry)), []),
    counts: (view, n, now) => of(view, n, entry => parts.counts?.(entry, now) ?? false, false),
  }
}
