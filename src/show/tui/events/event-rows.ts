import type { ListedEvent } from '../../../servers/cloudflare/client/events/event.js'
import { emptyText, LOGGED_MARK } from '../../render/events/events-words.js'
import type { Signs } from '../../render/text/signs.js'
import type { Line, Tone } from '../../render/text/spans.js'
import { foreign, line, span } from '../../render/text/spans.js'
import { cutEnd, cutMiddle, pad } from '../../render/text/text.js'
import type { Arrangement } from '../screen/size.js'

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
