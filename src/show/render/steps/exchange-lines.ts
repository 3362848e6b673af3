import { STATUS_CODES } from 'node:http'
import type { Step } from '../../../flows/step.js'
import type { Exchange } from '../../../protocol/http/exchange.js'
import { type HeaderList, header, splitUrl } from '../../../protocol/http/message.js'
import type { Check } from '../../../protocol/oauth/check.js'
import { type Masking, maskExchange, maskUrl } from '../../../protocol/safe-output/mask.js'
import { bytesText, millisecondsText } from '../text/numbers.js'
import type { Signs } from '../text/signs.js'
import { cutLine, foreign, type Line, line, lineWidth, span, spread } from '../text/spans.js'
import { cutEnd, pad, width, wrap } from '../text/text.js'
import { type BodyView, bodyLines } from './body.js'
import { fieldLines } from './fields.js'

/** Lines that the observed value of one check may take. */
const MOST_LINES = 3

/** The checks of a side: sign, name, observed value, rule. A long value goes on below itself. */
export function checkLines(checks: readonly Check[], columns: number, signs: Signs): Line[] {
  const names = checks.map(({ name }) => cutEnd(foreign(name, signs), 18, signs.ellipsis))
  const nameWidth = Math.max(0, ...names.map(width))
  const room = columns - nameWidth - 4
  return checks.flatMap(({ ok, advice, rule, detail = '' }, i) => {
    const bad = advice ? span(signs.look, 'look') : span(signs.refused, 'refused')
    const head = [ok ? span(signs.done, 'done') : bad, span(` ${pad(names[i]!, nameWidth)}  `, 'name')]
    const ruled: Line = [span(foreign(rule, signs), 'dim')]
    const parts = room < 16 ? [foreign(detail, signs)] : wrap(foreign(detail, signs), room)
    const told = parts.slice(0, MOST_LINES)
    if (told.length === 0) told.push('')
    const lines = told.map(
      (part, at): Line => [...(at === 0 ? head : [span(' '.repeat(nameWidth + 4))]), span(part)],
    )
    const last = lines.at(-1)!
    if (lineWidth(last) + 1 + width(rule) <= columns)
      return [...lines.slice(0, -1), spread(last, ruled, columns, signs)]
    return room < 16 ? [cutLine(last, columns, signs)] : [...lines, spread([], ruled, columns, signs)]
  })
}

/** How an exchange is to be shown. */
export interface ExchangeView {
  readonly columns: number
  readonly body: BodyView
  readonly masking: Masking
  /** True to list the headers of the transport too, such as `host`. The raw views always do. */
  readonly allHeaders: boolean
  readonly signs: Signs
}

/** A status with its phrase, as in `200 OK`. */
export function statusText(status: number): string {
  const phrase = STATUS_CODES[status]
  return phrase === undefined ? String(status) : `${status} ${phrase}`
}

/** A rule across the pane with words in it: `── 200 OK ──────── 1,024 B · 14 ms ──`. */
export function ruleLine(left: Line, right: Line, columns: number, signs: Signs): Line {
  const dash = (count: number) => span(signs.solid.repeat(Math.max(0, count)), 'dim')
  const end = lineWidth(right) === 0 ? [dash(2)] : [span(' '), ...right, span(' '), dash(2)]
  const middle = columns - 4 - lineWidth(left) - lineWidth(end)
  if (middle < 1 && lineWidth(right) > 0) return ruleLine(left, [], columns, signs)
  return [dash(2), span(' '), ...left, span(' '), dash(middle), ...end]
}

/** The headers that say something about authorization. The others belong to the transport. */
const MESSAGE_HEADERS = new Set([
  'authorization',
  'dpop',
  'dpop-nonce',
  'location',
  'retry-after',
  'www-authenticate',
])

const isMessageHeader = ([name]: HeaderList[number]): boolean => MESSAGE_HEADERS.has(name.toLowerCase())

/** Every header as it was sent, for the raw views. */
function rawHeaderLines(headers: HeaderList, { signs, columns }: ExchangeView): Line[] {
  return headers.flatMap(([name, value]) =>
    wrap(foreign(`${name}: ${value}`, signs), columns).map(text => line(text)),
  )
}

/** A header on a line. The members of a redirect follow, each with its meaning. */
function headerLine([name, value]: HeaderList[number], { columns, signs }: ExchangeView): Line[] {
  const shown = (text: string): Line => [
    span(`${foreign(name, signs)}: `, 'name'),
    span(foreign(text, signs)),
  ]
  if (name.toLowerCase() !== 'location') return [shown(value)]
  const [, address = '', members = ''] = /^([^?#]*)[?#]?(.*)$/s.exec(value) ?? []
  return [shown(address), ...fieldLines(members, columns, signs)]
}

function messageHeaderLines(headers: HeaderList, view: ExchangeView): Line[] {
  return headers.filter(isMessageHeader).flatMap(each => headerLine(each, view))
}

/** The headers of the transport, where they are wanted. */
function transportHeaderLines(headers: HeaderList, view: ExchangeView): Line[] {
  if (!view.allHeaders) return []
  return headers.filter(each => !isMessageHeader(each)).flatMap(each => headerLine(each, view))
}

/** How many headers are not listed. */
function hiddenHeadersLine({ request, response }: Exchange, { allHeaders, body }: ExchangeView): Line[] {
  const all = [...request.headers, ...(response?.headers ?? [])]
  const hidden = all.filter(each => !isMessageHeader(each)).length
  if (allHeaders || body !== 'pretty' || hidden === 0) return []
  return [line(`${hidden} ${hidden === 1 ? 'header' : 'headers'} of the transport: H shows them`, 'dim')]
}

function requestLines({ request, wireBytes }: Exchange, view: ExchangeView): Line[] {
  const { columns, signs, body } = view
  const { path, query } = splitUrl(request.url)
  const size: Line = wireBytes.request > 0 ? [span(`request ${bytesText(wireBytes.request)}`, 'dim')] : []
  const form = request.headers.some(
    ([name, value]) => name.toLowerCase() === 'content-type' && /x-www-form-urlencoded/i.test(value),
  )
  if (body !== 'pretty') {
    const target = `${request.method} ${path}${query && `?${query}`}`
    return [
      ...wrap(foreign(target, signs), columns).map(text => line(text, 'strong')),
      ...rawHeaderLines(request.headers, view),
      ...bodyLines(request.body, body, columns, signs),
    ]
  }
  return [
    spread(
      [span(`${foreign(request.method, signs)} ${foreign(path, signs)}`, 'strong')],
      size,
      columns,
      signs,
    ),
    ...(form ? fieldLines(request.body, columns, signs) : bodyLines(request.body, body, columns, signs)),
    ...fieldLines(query, columns, signs),
    ...messageHeaderLines(request.headers, view),
    ...transportHeaderLines(request.headers, view),
  ]
}

/** The effect of a content coding: the coding, the bytes that travelled, and the bytes it stands for. */
function codingLine({ response, wireBytes, bodyBytes }: Exchange, signs: Signs): Line[] {
  const coding = response && header(response, 'content-encoding')
  if (coding === undefined) return []
  const wire = wireBytes.response
  const ratio = wire === 0 ? 0 : bodyBytes / wire
  const gain =
    ratio >= 1
      ? `${ratio < 10 ? ratio.toFixed(1) : Math.round(ratio)} times smaller`
      : `${bytesText(wire - bodyBytes)} more than without`
  return [
    [
      span(`${foreign(coding, signs)} `, 'name'),
      span(
        `${bytesText(wire)} on the wire, ${bytesText(bodyBytes)} decoded${wire === 0 ? '' : `: ${gain}`}`,
        'dim',
      ),
    ],
  ]
}

function responseLines(exchange: Exchange, checks: Line[], view: ExchangeView): Line[] {
  const { columns, signs } = view
  const { response, wireBytes, bodyBytes, ms } = exchange
  if (response === undefined) {
    return [
      ruleLine([span('no answer', 'refused')], [span(millisecondsText(ms), 'dim')], columns, signs),
      ...checks,
    ]
  }
  const decoded = bodyBytes === wireBytes.response ? '' : ` ${signs.to} ${bytesText(bodyBytes)}`
  const size = `${bytesText(wireBytes.response)}${decoded} ${signs.dot} ${millisecondsText(ms)}`
  const tone = response.status >= 400 ? 'refused' : 'done'
  return [
    ruleLine([span(statusText(response.status), tone)], [span(size, 'dim')], columns, signs),
    ...codingLine(exchange, signs),
    ...checks,
    ...answerLines(response, view),
  ]
}

/** Headers and body of an answer. The members of a JSON answer come before the headers of the transport. */
function answerLines(response: NonNullable<Exchange['response']>, view: ExchangeView): Line[] {
  const { columns, signs, body } = view
  const content = bodyLines(response.body, body, columns, signs)
  if (body !== 'pretty') return [...rawHeaderLines(response.headers, view), ...content]
  const message = messageHeaderLines(response.headers, view)
  const transport = transportHeaderLines(response.headers, view)
  const json = /[/+]json\b/i.test(header(response, 'content-type') ?? '')
  return json ? [...message, ...content, ...transport] : [...message, ...transport, ...content]
}

function transportLine({ tls, at }: Exchange, signs: Signs): Line {
  const secured = tls === undefined ? 'no TLS' : `${tls.protocol} ${tls.cipher}`
  return line(`${foreign(secured, signs)} ${signs.dot} sent ${foreign(at, signs)}`, 'dim')
}

/** A step that carried a URL and no exchange of this program. */
function visitLines(step: Step, checks: Line[], { columns, signs, masking, body }: ExchangeView): Line[] {
  if (step.url === undefined) return checks
  const masked = maskUrl(step.url, masking)
  const { origin, path, query } = splitUrl(masked)
  if (body !== 'pretty') {
    return [...wrap(foreign(masked, signs), columns).map(text => line(text)), ...checks]
  }
  return [
    line(`${foreign(origin, signs)}${foreign(path, signs)}`, 'strong'),
    ...fieldLines(query, columns, signs),
    ...checks,
  ]
}

/** A step that happened: why it exists, its request, its answer, and its checks. */
export function stepLines(step: Step, view: ExchangeView): Line[] {
  const { columns, signs, masking } = view
  const checks = checkLines(step.checks ?? [], columns, signs)
  const note =
    step.note === undefined ? [] : wrap(foreign(step.note, signs), columns).map(text => line(text, 'look'))
  const why = wrap(foreign(step.why, signs), columns).map(text => line(text))
  if (step.exchange === undefined) return [...why, ...note, ...visitLines(step, checks, view)]
  const exchange = maskExchange(step.exchange, masking)
  return [
    ...why,
    ...note,
    ...requestLines(exchange, view),
    ...responseLines(exchange, checks, view),
    ...hiddenHeadersLine(exchange, view),
    transportLine(exchange, signs),
  ]
}
