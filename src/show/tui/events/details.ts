import type { ListedEvent } from '../../../servers/cloudflare/client/events/event.js'
import type { Attachment } from '../../../servers/cloudflare/client/webhook/attachment.js'
import { ruleLine } from '../../render/steps/exchange-lines.js'
import { jsonLine } from '../../render/text/json-line.js'
import type { Signs } from '../../render/text/signs.js'
import type { Line, Tone } from '../../render/text/spans.js'
import { fillLine, foreign, line, span } from '../../render/text/spans.js'
import { pad, wrap } from '../../render/text/text.js'

/** The event as the API gave it, as JSON; longer lines go on below. */
function jsonLines(event: ListedEvent, columns: number, signs: Signs): Line[] {
  const { logged_only: _, ...given } = event
  return jsonLine(given, 2)
    .split('\n')
    .flatMap(text => {
      const indent = /^ */.exec(text)![0]
      const [name] = /^ *"\w+": /.exec(text) ?? ['']
      const [first = '', ...more] = wrap(
        foreign(text.slice(name.length || indent.length), signs),
        Math.max(8, columns - (name.length || indent.length)),
      )
      return [
        [span(name || indent, name === '' ? 'plain' : 'name'), span(first)],
        ...more.map(each => [span(`${indent}  `), span(each)]),
      ]
    })
}

/** The same in as few lines as it fits into. */
export function denseJsonLines(event: ListedEvent, columns: number, signs: Signs): Line[] {
  const { logged_only: _, ...given } = event
  const dense = jsonLine(given, 1).replace(/\n */g, ' ')
  return wrap(foreign(dense, signs), columns).map(text => line(text))
}

/** Columns of the name of a field. */
const NAME = 9

/** An event as a chat service draws its attachment: a bar of its colour, short fields side by side. */
export function attachmentLines({ color, fields }: Attachment, columns: number, signs: Signs): Line[] {
  const tone: Tone = color === 'good' ? 'done' : 'refused'
  const edge = span(signs.ascii ? '| ' : '█ ', tone)
  const room = columns - 2
  const half = Math.floor(room / 2)
  const short = fields.filter(each => each.short)
  const long = fields.filter(each => !each.short)
  const cell = ({ title, value }: Attachment['fields'][number], width: number): Line =>
    fillLine([span(pad(title, NAME), 'name'), span(foreign(value, signs))], width, signs)
  const pairs = Array.from({ length: Math.ceil(short.length / 2) }, (_, i) => short.slice(2 * i, 2 * i + 2))
  const lines: Line[] = [
    [span(`color ${color}`, tone), span(color === 'good' ? '  logged, not enforced' : '  enforced', 'dim')],
    ...pairs.map(([left, right]) => [
      ...(left ? cell(left, half - 1) : []),
      span(' '),
      ...(right ? cell(right, half) : []),
    ]),
    ...long.flatMap(({ title, value }) =>
      wrap(foreign(value, signs), Math.max(8, room - NAME)).map(
        (text, i): Line => [span(pad(i === 0 ? title : '', NAME), 'name'), span(text)],
      ),
    ),
  ]
  return lines.map(each => [edge, ...each])
}

/** All of an event: as JSON, and as it would be posted. */
export function wholeEvent(
  event: ListedEvent,
  attachment: Attachment,
  columns: number,
  signs: Signs,
): Line[] {
  return [
    ...jsonLines(event, columns, signs),
    ruleLine([span('As a chat attachment', 'title')], [], columns, signs),
    ...attachmentLines(attachment, columns, signs),
    line(''),
  ]
}
