import type { HeldRequest, RequestPart } from '../../../flows/middleware/gate.js'
import { isSecretName } from '../../../protocol/safe-output/mask.js'
import { fieldMeaning } from '../../render/steps/field-meanings.js'
import type { Signs } from '../../render/text/signs.js'
import type { Line } from '../../render/text/spans.js'
import { foreign, line, span } from '../../render/text/spans.js'
import { cutEnd, cutMiddle, pad, width, wrap } from '../../render/text/text.js'
import type { Binding } from '../screen/key-table.js'
import { erased, typed } from '../screen/line-input.js'
import { windowStart } from '../screen/window.js'

/** A request that waits to be sent, while a person reads or changes it. */
export interface Held {
  readonly request: HeldRequest
  readonly parts: readonly RequestPart[]
  /** Index of the selected part. */
  readonly at: number
  /** The value as it is typed; for a new part `name=value`. */
  readonly editing?: { readonly text: string; readonly isNew: boolean }
}

/** The commands of the keys while a request is held. */
export type HeldCommand =
  | 'send'
  | 'edit'
  | 'add'
  | 'remove'
  | 'undo'
  | 'next'
  | 'previous'
  | 'asItWas'
  | 'breakAlways'
  | 'secrets'
  | 'quit'
  | 'interrupt'
  | 'suspend'

const group = 'Before a request is sent'
const changed = ({ request, parts }: Held): boolean => parts !== request.parts

/** The keys while a request is held. */
export const HELD_KEYS: ReadonlyArray<Binding<Held, HeldCommand>> = [
  {
    keys: ['enter'],
    command: 'send',
    group,
    help: ['enter', 'send it'],
    hint: { text: 'enter send', keep: 9 },
  },
  {
    keys: ['j', 'down', 'tab'],
    command: 'next',
    group,
    help: ['j k ↓ ↑', 'move'],
    hint: { text: 'j k move', keep: 3 },
  },
  { keys: ['k', 'up', 'shift-tab'], command: 'previous', group },
  {
    keys: ['e'],
    command: 'edit',
    group,
    help: ['e', 'edit the value'],
    hint: { text: 'e edit', keep: 8 },
    when: ({ parts }) => parts.length > 0,
  },
  {
    keys: ['d'],
    command: 'remove',
    group,
    help: ['d', 'leave it out'],
    hint: { text: 'd leave out', keep: 6 },
    when: ({ parts }) => parts.length > 0,
  },
  {
    keys: ['a'],
    command: 'add',
    group,
    help: ['a', 'add name=value after it'],
    hint: { text: 'a add', keep: 5 },
  },
  {
    keys: ['u'],
    command: 'undo',
    group,
    help: ['u', 'undo all changes'],
    hint: { text: 'u undo', keep: 4 },
    when: changed,
  },
  { keys: ['b'], command: 'breakAlways', group, help: ['b', 'break before every request, or not'] },
  { keys: ['s'], command: 'secrets', group, help: ['s', 'show, hide secrets'] },
  {
    keys: ['esc', 'q'],
    command: 'asItWas',
    group,
    help: ['esc q', 'send it as it was'],
    hint: { text: 'esc as it was', keep: 7 },
  },
  { keys: ['Q'], command: 'quit', group, help: ['Q ^C', 'quit now'], hint: { text: '^C quit', keep: 10 } },
  { keys: ['ctrl-c'], command: 'interrupt', group },
  { keys: ['ctrl-z'], command: 'suspend', group },
]

/** The commands of the keys while a value is typed; every other key types itself. */
export type EditCommand = 'accept' | 'cancel' | 'erase' | 'clear' | 'interrupt' | 'suspend'

/** The keys while a value, or what is searched for, is typed. */
export const EDIT_KEYS: ReadonlyArray<Binding<unknown, EditCommand>> = [
  {
    keys: ['enter'],
    command: 'accept',
    group: 'While typing',
    help: ['enter', 'done'],
    hint: { text: 'enter done', keep: 9 },
  },
  {
    keys: ['esc'],
    command: 'cancel',
    group: 'While typing',
    help: ['esc', 'cancel'],
    hint: { text: 'esc cancel', keep: 8 },
  },
  { keys: ['backspace'], command: 'erase', group: 'While typing', help: ['backspace', 'erase a character'] },
  {
    keys: ['ctrl-u'],
    command: 'clear',
    group: 'While typing',
    help: ['^u', 'erase all'],
    hint: { text: '^u clear', keep: 7 },
  },
  {
    keys: ['ctrl-c'],
    command: 'interrupt',
    group: 'While typing',
    help: ['^C', 'quit now'],
    hint: { text: '^C quit', keep: 10 },
  },
  { keys: ['ctrl-z'], command: 'suspend', group: 'While typing' },
]

/** The possible changes of a held request. */
export type HeldChange =
  | { readonly what: 'move'; readonly by: number }
  | { readonly what: 'edit' | 'add' | 'remove' | 'undo' | 'accept' | 'cancel' | 'erase' | 'clear' }
  | { readonly what: 'type'; readonly text: string }

function accepted(held: Held): Held {
  const { editing, parts, at, ...rest } = held
  if (editing === undefined) return held
  const here = parts[at]
  if (!editing.isNew) {
    if (here === undefined || here.value === editing.text) return { ...rest, parts, at }
    return { ...rest, at, parts: parts.with(at, { ...here, value: editing.text }) }
  }
  const mark = editing.text.indexOf('=')
  const name = mark < 0 ? editing.text : editing.text.slice(0, mark)
  if (name === '') return { ...rest, parts, at }
  const value = mark < 0 ? '' : editing.text.slice(mark + 1)
  // A parameter beside a parameter, a header beside a header; a request without either gets a query.
  const place = here === undefined || here.place === 'body' ? 'query' : here.place
  const before = Math.min(parts.length, at + 1)
  return { ...rest, at: before, parts: parts.toSpliced(before, 0, { place, name, value }) }
}

/** A held request after a change. */
export function changeHeld(held: Held, change: HeldChange): Held {
  const { request, parts, at, editing } = held
  const last = Math.max(0, parts.length - 1)
  switch (change.what) {
    case 'move':
      return { ...held, at: Math.max(0, Math.min(last, at + change.by)) }
    case 'edit':
      return { ...held, editing: { text: parts[at]?.value ?? '', isNew: false } }
    case 'add':
      return { ...held, editing: { text: '', isNew: true } }
    case 'remove':
      return { ...held, parts: parts.toSpliced(at, 1), at: Math.min(at, Math.max(0, last - 1)) }
    case 'undo':
      return { request, parts: request.parts, at: Math.min(at, Math.max(0, request.parts.length - 1)) }
    case 'accept':
      return accepted(held)
    case 'cancel':
      return { request, parts, at }
    case 'type':
      return editing ? { ...held, editing: { ...editing, text: typed(editing.text, change.text) } } : held
    case 'erase':
      return editing ? { ...held, editing: { ...editing, text: erased(editing.text) } } : held
    case 'clear':
      return editing ? { ...held, editing: { ...editing, text: '' } } : held
  }
}

function shownValue({ name, value, place }: RequestPart, showSecrets: boolean, signs: Signs): string {
  const secret = isSecretName(name) || /^(authorization|cookie|dpop)$/i.test(name)
  if (!secret || showSecrets || value === '') return foreign(value, signs)
  return place === 'header' && /^authorization$/i.test(name)
    ? `${foreign(value.split(' ', 1)[0] ?? '', signs)} ${signs.hidden.repeat(9)}`
    : signs.hidden.repeat(9)
}

/** The line with the caret, its end seen. */
function typedLine(text: string, columns: number, signs: Signs): Line {
  const safe = foreign(text, signs)
  const shown = width(safe) < columns ? safe : cutMiddle(safe, columns - 1, signs.ellipsis)
  return [span(shown, 'strong'), span(signs.caret, 'now')]
}

/** The lines of the panel: the request, its parts, and what is typed. */
export function heldLines(
  held: Held,
  {
    columns,
    rows,
    showSecrets,
  }: { readonly columns: number; readonly rows: number; readonly showSecrets: boolean },
  signs: Signs,
): Line[] {
  const { request, parts, at, editing } = held
  const title = `${request.method} ${request.url}`
  const head: Line[] = [
    [
      span(`${signs.now} `, 'now'),
      span(cutMiddle(foreign(title, signs), columns - 14, signs.ellipsis), 'strong'),
      span('  not sent', 'look'),
    ],
  ]
  if (editing?.isNew) {
    head.push([span('  add  ', 'name'), ...typedLine(editing.text, columns - 7, signs)])
  }
  const names = parts.map(({ name, place }) =>
    cutEnd(place === 'body' ? 'body' : foreign(name, signs), 24, signs.ellipsis),
  )
  const nameWidth = Math.max(0, ...names.map(width))
  const original = new Set(request.parts)
  const drawn = parts.map((part, i): Line => {
    const here = i === at
    const place = pad(part.place, 6)
    const room = Math.max(8, columns - nameWidth - 14)
    const value = shownValue(part, showSecrets, signs)
    const meaning = part.place === 'header' ? '' : fieldMeaning(part.name)
    const shown = cutMiddle(value, room, signs.ellipsis)
    const explained = meaning !== '' && width(shown) + 2 + width(meaning) <= room
    const typing = here && editing !== undefined && !editing.isNew
    return [
      span(here ? `${signs.arrowRight} ` : '  ', 'now'),
      span(`${place}  `, 'dim'),
      span(`${pad(names[i]!, nameWidth)}  `, here ? 'strong' : 'name'),
      ...(typing ? typedLine(editing.text, room, signs) : [span(shown)]),
      ...(!original.has(part) && !typing ? [span(`  ${signs.look} changed`, 'look')] : []),
      ...(explained && original.has(part) && !typing ? [span(`  ${meaning}`, 'dim')] : []),
    ]
  })
  const gone = request.parts.filter(
    part => !parts.includes(part) && !parts.some(each => each.name === part.name),
  )
  const left =
    gone.length === 0
      ? []
      : wrap(foreign(`left out: ${gone.map(({ name }) => name).join(' ')}`, signs), columns - 2).map(each =>
          line(`  ${each}`, 'look'),
        )
  const room = Math.max(1, rows - head.length - left.length)
  const start = windowStart(drawn.length, room, at, at)
  return [...head, ...drawn.slice(start, start + room), ...left]
}
