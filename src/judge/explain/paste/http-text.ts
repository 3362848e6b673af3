import { type Header, header } from '../../../protocol/http/message.js'
import { type Recorded, recordedOf } from '../recorded.js'

/** A program whose debug text is read, by the name that people know it by. */
export type HttpTool = 'curl -v' | 'curl --trace-ascii' | 'wget -d' | 'http.client' | 'HTTP'

/** A message as its lines give it: start line, headers, body. */
interface Spoken {
  readonly start: string
  readonly headers: Header[]
  body: string
}

/** Most exchanges of one text. */
const MAX_EXCHANGES = 200

const REQUEST_LINE = /^([A-Z]{3,10}) (\S+) HTTP\/[\d.]+$/
const STATUS_LINE = /^HTTP\/[\d.]+ (\d{3})(?: .*)?$/

const emptyMessage = (start: string): Spoken => ({ start, headers: [], body: '' })

function addHeader(message: Spoken, line: string): void {
  const mark = line.indexOf(':', 1)
  if (mark > 0) message.headers.push([line.slice(0, mark).trim(), line.slice(mark + 1).trim()])
}

/**
 * Pairs requests with the answers after them.
 * @param isBodyShown false for a program that does not print the bodies of requests
 * @param scheme of addresses that the text does not name whole
 */
function pairUp(messages: readonly Spoken[], isBodyShown: boolean, scheme: string): Recorded[] {
  const recorded: Recorded[] = []
  let asked: Spoken | undefined
  const push = (request: Spoken, response: Spoken | undefined) => {
    const [, method = 'GET', target = '/'] = REQUEST_LINE.exec(request.start) ?? []
    const host = header(request, 'host') ?? 'unknown.invalid'
    const url = /^https?:/i.test(target) ? target : `${scheme}://${host}${target}`
    const length = Number(header(request, 'content-length') ?? 0)
    const lacksBody = request.body === '' && (length > 0 || (!isBodyShown && method === 'POST'))
    const status = response && Number(STATUS_LINE.exec(response.start)?.[1])
    const answer = response && { status: status ?? 0, headers: response.headers, body: response.body.trim() }
    const sent = { method, url, headers: request.headers, body: request.body.trim() }
    recorded.push(recordedOf(recorded.length + 1, sent, answer, lacksBody ? ['request body'] : []))
  }
  for (const message of messages.slice(0, 2 * MAX_EXCHANGES)) {
    if (REQUEST_LINE.test(message.start)) {
      if (asked) push(asked, undefined)
      asked = message
    } else {
      // An interim answer, such as 100 Continue, and the answer to CONNECT, are no answers to the request.
      if (/^HTTP\/[\d.]+ (?:1\d\d|200 connection established)/i.test(message.start)) continue
      push(asked ?? emptyMessage('GET / HTTP/1.1'), message)
      asked = undefined
    }
  }
  if (asked) push(asked, undefined)
  return recorded
}

/** Reads the lines of `curl -v`: `> ` sent, `< ` received, `* ` remarks, the others a body of an answer. */
function readCurl(lines: readonly string[]): Recorded[] {
  const messages: Spoken[] = []
  let current: Spoken | undefined
  const isPlain = lines.some(line => /^\* +(?:Trying|Connected to) .*(?:port 80\b|:80\b)/.test(line))
  for (const line of lines) {
    const [, mark, rest = ''] = /^([<>]) ?(.*)$/.exec(line) ?? []
    if (mark === undefined) {
      if (
        /^\* |^[{}] \[\d+ bytes/.test(line) ||
        /^\s*[\d.]+[kM]?\s+[\d.]+[kM]?\s+[\d.]+[kM]?\s/.test(line) ||
        current === undefined
      )
        continue
      if (STATUS_LINE.test(current.start))
        current.body += `${line.replace(/\* Connection #\d+ to host .*$/, '')}\n`
      continue
    }
    if (REQUEST_LINE.test(rest) || STATUS_LINE.test(rest.trim())) {
      current = emptyMessage(rest.trim())
      messages.push(current)
    } else if (current && rest !== '') addHeader(current, rest)
  }
  return pairUp(messages, false, isPlain ? 'http' : 'https')
}

/** The texts of a trace, by direction and part, in their order: `=> Send header, 12 bytes (0xc)` and rows with offsets. */
function readTrace(lines: readonly string[]): Recorded[] {
  const messages: Spoken[] = []
  let part = ''
  let full = false
  for (const line of lines) {
    const [, direction] = /^(?:[\d:.]+ )?((?:=>|<=|==) .*)/.exec(line) ?? []
    if (direction !== undefined) {
      part = /^(?:=>|<=) (?:Send|Recv) (?:header|data)\b/.exec(direction)?.[0] ?? ''
      full = false
      continue
    }
    const [, row] = /^[\da-f]{4,8}: (?:(?:[\da-f]{2} ){1,16} *)?(.*)$/i.exec(line) ?? []
    if (row === undefined || part === '') continue
    const last = messages.at(-1)
    if (part.endsWith('data')) {
      if (last) last.body += row
    } else if (REQUEST_LINE.test(row) || STATUS_LINE.test(row.trim())) messages.push(emptyMessage(row.trim()))
    else if (last && full && last.headers.length > 0) {
      // A row of 64 characters goes on in the next.
      const [name, value] = last.headers.pop()!
      last.headers.push([name, value + row])
    } else if (last) addHeader(last, row)
    full = row.length >= 64
  }
  return pairUp(messages, true, 'https')
}

/** Reads the debug text of Python's http.client: `send: b'…'`, `reply: '…'`, `header: …`. */
function readHttpClient(lines: readonly string[]): Recorded[] {
  const text = (literal: string) =>
    literal
      .replace(/^b?(["'])(.*)\1$/s, '$2')
      .replace(/\\([rnt'"\\])/g, (_, each: string) => ({ r: '\r', n: '\n', t: '\t' })[each] ?? each)
  const messages: Spoken[] = []
  for (const line of lines) {
    const [, kind, value = ''] = /^(send|reply|header): (.*)$/.exec(line) ?? []
    const last = messages.at(-1)
    if (kind === 'send') {
      const sent = text(value)
      const [head = '', ...body] = sent.split('\r\n\r\n')
      const [start = '', ...headers] = head.split('\r\n')
      if (REQUEST_LINE.test(start)) {
        const message = emptyMessage(start)
        for (const each of headers) addHeader(message, each)
        message.body = body.join('\r\n\r\n')
        messages.push(message)
      } else if (last) last.body += sent
    } else if (kind === 'reply') messages.push(emptyMessage(text(value).trim()))
    else if (kind === 'header' && last) addHeader(last, value)
    else if (kind === undefined && last && STATUS_LINE.test(last.start)) last.body += `${line}\n`
  }
  // The texts that the program prints stand where the body would.
  for (const each of messages) each.body = each.body.replace(/^[^{[]*(?=\{")/s, '')
  return pairUp(messages, true, 'https')
}

/** Reads messages as they go over the wire, one after the other: HTTPie -v, wget -d, a proxy's view, an .http file. */
function readRaw(lines: readonly string[]): Recorded[] {
  const messages: Spoken[] = []
  let inHead = false
  let isDebug = false
  for (const line of lines) {
    if (/^---(?:request|response) (?:begin|end)---$/.test(line)) {
      isDebug = true
      inHead = false
      continue
    }
    if (REQUEST_LINE.test(line) || STATUS_LINE.test(line.trim())) {
      messages.push(emptyMessage(line.trim()))
      inHead = true
      continue
    }
    const last = messages.at(-1)
    if (last === undefined) continue
    if (inHead && line === '') inHead = false
    else if (inHead) addHeader(last, line)
    // wget prints remarks between the messages, and no bodies.
    else if (!isDebug) last.body += `${line}\n`
  }
  return pairUp(messages, !isDebug, 'https')
}

/** Reads exchanges out of the text of a program; undefined for a text without any. */
export function readHttpText(text: string): { tool: HttpTool; exchanges: readonly Recorded[] } | undefined {
  const lines = text.split(/\r?\n/)
  const has = (pattern: RegExp) => lines.some(line => pattern.test(line))
  const found = (tool: HttpTool, exchanges: readonly Recorded[]) =>
    exchanges.length === 0 ? undefined : { tool, exchanges }
  if (has(/^(?:[\d:.]+ )?(?:=>|<=) (?:Send|Recv) header/))
    return found('curl --trace-ascii', readTrace(lines))
  if (has(/^[<>] (?:[A-Z]{3,10} \S+ HTTP\/|HTTP\/[\d.]+ \d{3})/)) return found('curl -v', readCurl(lines))
  if (has(/^send: b?["']/) || has(/^reply: ["']HTTP/)) return found('http.client', readHttpClient(lines))
  if (!has(REQUEST_LINE) && !has(/^HTTP\/[\d.]+ \d{3}\b/)) return undefined
  return found(has(/^---request begin---$/) ? 'wget -d' : 'HTTP', readRaw(lines))
}
