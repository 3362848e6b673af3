import { bytesText } from '../../render/text/numbers.js'
import type { Signs } from '../../render/text/signs.js'
import { foreign, type Line, line, span } from '../../render/text/spans.js'
import { cutEnd, cutMiddle, fill, pad, width } from '../../render/text/text.js'
import type { Arrangement } from '../screen/size.js'
import { reasonOf, refusalOf, timeText } from './entries.js'
import type { AnsweredRequest, RequestRun } from './view/lab-view.js'

/** Widths of the columns; 0 leaves one out. The path gets the rest. */
interface Columns {
  readonly method: number
  readonly status: number
  readonly client: number
  readonly wire: number
  readonly ms: number
  readonly gap: number
}

const widths: Readonly<Record<Arrangement, Columns>> = {
  wide: { method: 6, status: 6, client: 12, wire: 12, ms: 5, gap: 2 },
  normal: { method: 6, status: 5, client: 0, wire: 12, ms: 5, gap: 2 },
  small: { method: 4, status: 4, client: 0, wire: 9, ms: 0, gap: 1 },
  tooSmall: { method: 4, status: 4, client: 0, wire: 0, ms: 0, gap: 1 },
}

const TIME = 8

function pathColumns({ method, status, client, wire, ms, gap }: Columns, columns: number): number {
  const others = [TIME, method, status, client, wire, ms].filter(each => each > 0)
  return Math.max(4, columns - others.reduce((sum, each) => sum + each + gap, 0))
}

/** The names of the columns. */
export function requestHeading(arrangement: Arrangement, columns: number): Line {
  const { method, status, client, wire, ms, gap } = widths[arrangement]
  const cells = [
    pad('time', TIME),
    pad('method', method),
    pad('path', pathColumns(widths[arrangement], columns)),
    pad('status', status),
    ...(client > 0 ? [pad('client', client)] : []),
    // `status` may be wider than its column.
    ...(wire > 0 ? [pad('wire', wire - Math.max(0, 'status'.length - status), 'right')] : []),
    ...(ms > 0 ? [pad('ms', ms, 'right')] : []),
  ]
  return line(cells.join(' '.repeat(gap)), 'dim')
}

function wireText({ wireBytes, coding }: AnsweredRequest, columns: number, signs: Signs): string {
  const bytes = bytesText(wireBytes)
  if (coding === undefined) return bytes
  const named = `${foreign(coding, signs)} ${bytes}`
  return named.length <= columns ? named : `${foreign(coding, signs).slice(0, 2)} ${bytes}`
}

/** Columns of a query that are worth more than the beginning of a path. */
const QUERY = 12

/**
 * The distinctive part of a path: its end, without the first of its parts when they do not fit, and the beginning of
 * its query: `…/serviceaccounts/builder/token`.
 */
export function shortPath(path: string, columns: number, ellipsis: string): string {
  if (width(path) <= columns) return path
  const mark = path.indexOf('?')
  const target = mark < 0 ? path : path.slice(0, mark)
  const query = mark < 0 ? '' : path.slice(mark)
  const room = columns - Math.min(QUERY, width(query))
  let short = target
  for (let at = target.indexOf('/', 1); at > 0 && width(short) > room; at = target.indexOf('/', at + 1)) {
    short = ellipsis + target.slice(at)
  }
  return query === '' ? cutMiddle(short, columns, ellipsis) : cutEnd(short + query, columns, ellipsis)
}

/** The requests of a run, as one. */
const runText = ({ name, requests, refused }: RequestRun): string =>
  `${name.split(' ', 1)[0]}: ${requests} request${requests === 1 ? '' : 's'}, ${refused} refused`

/** Path, and the site where it is not the authorization server. */
function pathText({ path, site, run }: AnsweredRequest, columns: number, signs: Signs): Line {
  if (run !== undefined) return [span(fill(foreign(runText(run), signs), columns, signs.ellipsis))]
  const shown = foreign(path, signs)
  const where =
    site === 'authorization' || columns < 28 ? '' : cutEnd(foreign(site, signs), 10, signs.ellipsis)
  const room = where === '' ? columns : columns - where.length - 2
  return [
    span(pad(shortPath(shown, room, signs.ellipsis), room)),
    span(where === '' ? '' : `  ${where}`, 'dim'),
  ]
}

/** Lines that a request takes: one more where something was refused and there is room to say why. */
export function requestHeight(request: AnsweredRequest, arrangement: Arrangement): number {
  const withReason = arrangement === 'wide' || arrangement === 'normal'
  return withReason && refusalOf(request) !== undefined ? 2 : 1
}

/** A request as its lines in the table. */
export function requestLines(
  request: AnsweredRequest,
  arrangement: Arrangement,
  columns: number,
  signs: Signs,
): Line[] {
  const widthOf = widths[arrangement]
  const { method, status, client, wire, ms, gap } = widthOf
  const space = span(' '.repeat(gap))
  const bad = request.status >= 400
  const mark = bad ? `${gap > 1 ? ' ' : ''}${signs.look}` : ''
  const cells: Line[] = [
    [span(timeText(request.at), 'dim')],
    [span(fill(foreign(request.method, signs), method, ''))],
    pathText(request, pathColumns(widthOf, columns), signs),
    [span(pad(`${request.status}${mark}`, status), bad ? 'refused' : 'plain')],
    ...(client > 0 ? [[span(fill(foreign(request.client ?? '-', signs), client, signs.ellipsis))]] : []),
    ...(wire > 0 ? [[span(pad(wireText(request, wire, signs), wire, 'right'))]] : []),
    ...(ms > 0 ? [[span(pad(Math.round(request.ms).toLocaleString('en-US'), ms, 'right'))]] : []),
  ]
  const main = cells.flatMap((cell, i) => (i === 0 ? cell : [space, ...cell]))
  const refused = refusalOf(request)
  if (requestHeight(request, arrangement) === 1 || refused === undefined) return [main]
  return [main, [span(' '.repeat(TIME + gap)), span(foreign(reasonOf(refused), signs), 'look')]]
}
