import type { LabEvent } from '../../../protocol/events.js'
import { serverLines } from '../../render/events/server-lines.js'
import { ruleLine, statusText } from '../../render/steps/exchange-lines.js'
import { fieldLines } from '../../render/steps/fields.js'
import { bytesText, millisecondsText } from '../../render/text/numbers.js'
import { foreign, type Line, line, span } from '../../render/text/spans.js'
import { pad, wrap } from '../../render/text/text.js'
import { type DrawContext, type Pane, reasonOf, refusalOf, SHOWN, timeText } from './entries.js'
import { entryAt } from './view/history.js'
import type { AnsweredRequest, LabView } from './view/lab-view.js'

const NAMES = 19

function row(name: string, value: string, columns: number, { signs }: DrawContext): Line[] {
  const [first = '', ...more] = wrap(foreign(value, signs), Math.max(10, columns - NAMES - 2))
  return [
    [span(pad(`  ${name}`, NAMES), 'name'), span(first)],
    ...more.map(each => [span(' '.repeat(NAMES)), span(each)]),
  ]
}

function requestParts(
  view: LabView,
  request: AnsweredRequest,
  columns: number,
  context: DrawContext,
): Line[] {
  const { signs } = context
  const { method, path, status, site, client, at, ms, wireBytes, bodyBytes, coding, decisions } = request
  const [target = '', query] = path.split(/\?(.*)/s)
  const url = view.facts.urls.find(([name]) => name === site)?.[1]
  const bad = status >= 400
  const refused = refusalOf(request)
  const coded =
    coding === undefined
      ? ''
      : `, ${coding} of ${bytesText(bodyBytes)} (${Math.round((100 * wireBytes) / Math.max(1, bodyBytes))} %)`
  return [
    ...wrap(foreign(`${method} ${target}`, signs), columns).map(text => line(text, 'strong')),
    [
      span(
        bad ? `${signs.refused} ${statusText(status)}` : `${signs.done} ${statusText(status)}`,
        bad ? 'refused' : 'done',
      ),
      span(`   ${bytesText(wireBytes)}   ${millisecondsText(ms)}`),
    ],
    ...(refused === undefined
      ? []
      : wrap(foreign(reasonOf(refused), signs), columns - 2).map(text => line(`  ${text}`, 'look'))),
    line(''),
    ...row('site', url === undefined ? site : `${site}  ${url}`, columns, context),
    ...row('answered', `${timeText(at)}Z`, columns, context),
    ...(client === undefined ? [] : row('client', client, columns, context)),
    ...row('body', `${bytesText(wireBytes)} on the wire${coded}`, columns, context),
    ...(query
      ? [ruleLine([span('Query', 'title')], [], columns, signs), ...fieldLines(query, columns, signs)]
      : []),
    ruleLine([span('Decisions', 'title')], [], columns, signs),
    ...(decisions.length === 0
      ? [line('  The site reported no decision.', 'dim')]
      : serverLines(decisions, columns, signs)),
  ]
}

/** `redeemedAt` as people write it: `redeemed at`. */
const spelt = (name: string): string => name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)

function written(name: string, value: unknown): string {
  if (typeof value === 'number' && /(At|since)$/.test(name)) return `${timeText(value)}Z`
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(each => written('', each)).join(', ')
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([each, is]) => `${spelt(each)}: ${written(each, is)}`)
    .join(', ')
}

/** Largest number of events that are shown with an entry. */
const MAX_EVENTS = 50

/** The latest events that hold one of these values, oldest first. */
export function eventsWith({ events }: LabView, values: readonly string[]): LabEvent[] {
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

/** All lines of one entry: a request with what was decided on it, or what is known of anything else and its events. */
export function singleLines(
  view: LabView,
  { pane, n }: { readonly pane: Pane; readonly n: number },
  columns: number,
  context: DrawContext,
): Line[] {
  const { signs } = context
  const shown = SHOWN[pane].at(view, n)
  if (shown === undefined) return [line('It is gone: only the latest are kept.', 'dim')]
  if (pane === 'requests') return requestParts(view, entryAt(view.requests, n)!, columns, context)
  if (pane === 'events') return serverLines([entryAt(view.events, n)!], columns, signs)
  const { entry, identity, status, mentions = [] } = shown
  const about = eventsWith(view, mentions)
  return [
    identity(context).map(each => (each.tone === 'plain' ? { ...each, tone: 'strong' } : each)),
    status(context),
    line(''),
    ...Object.entries(entry).flatMap(([name, value]) =>
      row(spelt(name), written(name, value), columns, context),
    ),
    ruleLine([span('Its events', 'title')], [span(`${about.length}`, 'dim')], columns, signs),
    ...(about.length === 0 ? [line('  None is kept.', 'dim')] : serverLines(about, columns, signs)),
  ]
}
