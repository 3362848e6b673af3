import type { HeldRequest, RequestPart } from '../../../flows/middleware/gate.js'
import { isSecretName } from '../../../protocol/safe-output/secret-names.js'
import { fieldMeaning } from '../../render/steps/fields.js'
import type { Signs } from '../../render/text/signs.js'
import { foreign, type Line, line, span } from '../../render/text/spans.js'
import { cutEnd, cutMiddle, pad, width, wrap } from '../../render/text/text.js'
import { clamp, windowStart } from '../screen/list.js'

/** A request that waits to be sent, while a person reads or changes it. */
export interface Held {
  readonly request: HeldRequest
  readonly parts: readonly RequestPart[]
  /** Index of the selected part. */
  readonly at: number
  /** The value as it is typed; for a new part `name=value`. */
  readonly editing?: { readonly text: string; readonly isNew: boolean }
}

/** The selection, `by` parts further. */
export function heldMoved(held: Held, by: number): Held {
  return { ...held, at: clamp(held.at + by, 0, Math.max(0, held.parts.length - 1)) }
}

/** Begins to type: the value of the selected part, or a new part. */
export function heldEditing(held: Held, isNew: boolean): Held {
  return { ...held, editing: { text: isNew ? '' : (held.parts[held.at]?.value ?? ''), isNew } }
}

/** The typed text, as it is now. */
export function heldTyped(held: Held, text: string): Held {
  return held.editing ? { ...held, editing: { ...held.editing, text } } : held
}

/** Forgets what is typed. */
export const heldCancelled = ({ request, parts, at }: Held): Held => ({ request, parts, at })

/** Leaves the selected part out. */
export function heldRemoved(held: Held): Held {
  const parts = held.parts.toSpliced(held.at, 1)
  return { ...held, parts, at: Math.min(held.at, Math.max(0, parts.length - 1)) }
}

/** Undoes all changes. */
export function heldUndone({ request, at }: Held): Held {
  const { parts } = request
  return { request, parts, at: Math.min(at, Math.max(0, parts.length - 1)) }
}

/** Takes what is typed into the request. */
export function heldAccepted(held: Held): Held {
  const { editing, parts, at } = held
  const rest = heldCancelled(held)
  if (editing === undefined) return held
  const here = parts[at]
  if (!editing.isNew) {
    if (here === undefined || here.value === editing.text) return rest
    return { ...rest, parts: parts.with(at, { ...here, value: editing.text }) }
  }
  const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(editing.text) ?? []
  if (name === '') return rest
  // A parameter beside a parameter, a header beside a header; a request without either gets a query.
  const place = here === undefined || here.place === 'body' ? 'query' : here.place
  const before = Math.min(parts.length, at + 1)
  return { ...rest, at: before, parts: parts.toSpliced(before, 0, { place, name, value }) }
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
