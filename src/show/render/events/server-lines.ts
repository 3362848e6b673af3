import { eventDecision, isRefusal } from '../../../protocol/event-catalogue.js'
import type { LabEvent } from '../../../protocol/events.js'
import type { Check } from '../../../protocol/oauth/check.js'
import { checkLines, ruleLine } from '../steps/exchange-lines.js'
import { bytesText, millisecondsText } from '../text/numbers.js'
import type { Signs } from '../text/signs.js'
import { foreign, type Line, line, span, spread } from '../text/spans.js'
import { cutMiddle, pad, width, wrap } from '../text/text.js'

/** Members that have a place of their own, or that all events shown here share. */
const placed = new Set([
  'type',
  'at',
  'request',
  'rule',
  'description',
  'message',
  'why',
  'checks',
  'method',
  'path',
  'status',
  'error',
  'evidence',
])

const isCheck = (value: unknown): value is Check =>
  typeof value === 'object' && value !== null && 'name' in value && 'ok' in value && 'rule' in value

const text = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value)
      ? value.map(text).join(' ')
      : (JSON.stringify(value) ?? '')

const siteNames: Readonly<Record<string, string>> = {
  authorization: 'authorization server',
  resource: 'resource server',
  dns: 'DNS and events',
}

/** The last event of an exchange: what was answered. */
function answeredLine(
  { site, method, path, status, ms, wireBytes }: LabEvent,
  columns: number,
  signs: Signs,
): Line {
  const code = typeof status === 'number' ? status : 0
  const name = siteNames[text(site)] ?? text(site)
  const target = `${text(method)} ${text(path).split('?', 1)[0]}`
  const size = typeof wireBytes === 'number' ? `${bytesText(wireBytes)} ${signs.dot} ` : ''
  const took = typeof ms === 'number' ? `${size}${millisecondsText(ms)}` : ''
  const left: Line = [
    span(`${code}`, code >= 400 ? 'refused' : 'done'),
    span(` ${foreign(target, signs)} `),
    span(foreign(name, signs), 'dim'),
  ]
  return ruleLine(left, [span(took, 'dim')], columns, signs)
}

function memberLines(event: LabEvent, columns: number, signs: Signs): Line[] {
  const rows = Object.entries(event).filter(
    ([name, value]) => !placed.has(name) && value !== undefined && text(value) !== '',
  )
  const names = rows.map(([name]) => cutMiddle(foreign(name, signs), 18, signs.ellipsis))
  const nameWidth = Math.max(0, ...names.map(width))
  return rows.map(([, value], i) => [
    span(`  ${pad(names[i]!, nameWidth)}  `, 'name'),
    span(cutMiddle(foreign(text(value), signs), Math.max(8, columns - nameWidth - 4), signs.ellipsis)),
  ])
}

function eventLines(event: LabEvent, columns: number, signs: Signs): Line[] {
  if (event.type === 'request.answered') return [answeredLine(event, columns, signs), line('')]
  const refused = isRefusal(event)
  const { says, rule: usual } = eventDecision(event.type)
  const rule = typeof event.rule === 'string' ? event.rule : usual
  const description = [event.error, event.description ?? event.message, event.why]
    .filter(each => typeof each === 'string')
    .join(': ')
  const evidence = typeof event.evidence === 'string' ? `it was ${event.evidence}` : ''
  const prose = (words: string): Line[] =>
    words === '' ? [] : wrap(foreign(words, signs), columns - 2).map(part => [span(`  ${part}`)])
  const checks = Array.isArray(event.checks) ? event.checks.filter(isCheck) : []
  const sign = span(refused ? `${signs.refused} ` : `${signs.done} `, refused ? 'refused' : 'done')
  const head = spread(
    [sign, span(foreign(event.type, signs), 'strong')],
    rule === undefined ? [] : [span(foreign(rule, signs), 'dim')],
    columns,
    signs,
  )
  return [
    head,
    ...prose(says),
    ...prose(description),
    ...prose(evidence),
    ...memberLines(event, columns, signs),
    ...checkLines(checks, columns - 2, signs).map(each => [span('  '), ...each]),
  ]
}

/** The decisions of the servers, in order: each decision with its rule, then the answer. */
export function serverLines(events: readonly LabEvent[], columns: number, signs: Signs): Line[] {
  const lines = events.flatMap(event => eventLines(event, columns, signs))
  return lines.at(-1)?.every(({ text: each }) => each === '') ? lines.slice(0, -1) : lines
}
