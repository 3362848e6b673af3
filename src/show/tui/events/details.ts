import { jsonLine } from '../../../protocol/safe-output/json-line.js'
import type { ListedEvent } from '../../../servers/cloudflare/client/events/event.js'
import type { Attachment } from '../../../servers/cloudflare/client/webhook/post.js'
import { emptyText, LOGGED_MARK } from '../../render/events/events-list.js'
import { ruleLine } from '../../render/steps/exchange-lines.js'
import type { Signs } from '../../render/text/signs.js'
import { fillLine, foreign, type Line, line, span, type Tone } from '../../render/text/spans.js'
import { cutEnd, cutMiddle, pad, wrap } from '../../render/text/text.js'
import type { Arrangement } from '../screen/size.js'

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

/** Widths of the columns; 0 leaves one out. The URI gets the rest. */
interface Columns {
  readonly action: number
  readonly source: number
  readonly ip: number
  readonly country: number
  readonly host: number
}

const widths: Readonly<Record<Arrangement, Columns>> = {
  wide: { action: 12, source: 13, ip: 16, country: 2, host: 17 },
  normal: { action: 12, source: 0, ip: 15, country: 2, host: 17 },
  small: { action: 9, source: 0, ip: 15, country: 2, host: 0 },
  tooSmall: { action: 9, source: 0, ip: 15, country: 2, host: 0 },
}

const TIME = 8
const GAP = 1

function uriColumns(of: Columns, columns: number): number {
  const others = [TIME, ...Object.values(of)].filter(each => each > 0)
  return Math.max(4, columns - others.reduce((sum, each) => sum + each + GAP, 0))
}

function cells(
  arrangement: Arrangement,
  texts: Readonly<Record<keyof Columns | 'time' | 'uri', Line>>,
): Line {
  const of = widths[arrangement]
  const named = (['action', 'source', 'ip', 'country', 'host'] as const).filter(name => of[name] > 0)
  const shown = [texts.time, ...named.map(name => texts[name]), texts.uri]
  return shown.flatMap((cell, i) => (i === 0 ? cell : [span(' '.repeat(GAP)), ...cell]))
}

/** The names of the columns. */
export function eventHeading(arrangement: Arrangement, columns: number): Line {
  const of = widths[arrangement]
  const name = (text: string, room: number): Line => line(pad(text.slice(0, room), room), 'dim')
  return cells(arrangement, {
    time: name('time', TIME),
    action: name('action', of.action),
    source: name('source', of.source),
    ip: name('ip', of.ip),
    country: name('cc', of.country),
    host: name('host', of.host),
    uri: name('uri', uriColumns(of, columns)),
  })
}

/** The tone of an action; its text says the same. */
function toneOf({ action, logged_only }: ListedEvent): Tone {
  if (logged_only) return 'done'
  if (action === 'drop' || action === 'connectionClose') return 'refused'
  return action === 'allow' ? 'plain' : 'look'
}

/** An event as a line of the list. */
export function eventRow(event: ListedEvent, arrangement: Arrangement, columns: number, signs: Signs): Line {
  const of = widths[arrangement]
  const uri = uriColumns(of, columns)
  const shown = (text: string): string => foreign(text, signs) || emptyText(signs)
  const end = (text: string, room: number): string => pad(cutEnd(shown(text), room, signs.ellipsis), room)
  const middle = (text: string, room: number): string =>
    pad(cutMiddle(shown(text), room, signs.ellipsis), room)
  return cells(arrangement, {
    time: line(end(event.occurred_at.slice(11, 19), TIME), 'dim'),
    action: line(end(`${event.action}${event.logged_only ? LOGGED_MARK : ''}`, of.action), toneOf(event)),
    source: line(end(event.source, of.source)),
    ip: line(middle(event.ip, of.ip)),
    country: line(end(event.country, of.country)),
    host: line(middle(event.host, of.host)),
    uri: line(cutEnd(shown(event.uri), uri, signs.ellipsis)),
  })
}
