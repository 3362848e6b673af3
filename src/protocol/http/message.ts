import { createHash } from 'node:crypto'
import { keepLatest } from '../values.js'
import { isUrl } from './address.js'

/** One header as it is written on the wire: name, value. */
export type Header = readonly [name: string, value: string]

/** Headers in their order, with duplicates. */
export type HeaderList = readonly Header[]

/** The certificate of a client, whose private key the client proved to hold in the TLS handshake (RFC 8446 §4.4.3). */
export interface ClientCertificate {
  /** The certificate in DER. */
  readonly der: Uint8Array
  /** The problem of the chain to the CA of client certificates. Absent: that CA issued it, for TLS clients. */
  readonly chain?: 'self_signed' | 'other_ca' | 'wrong_purpose'
  /** Set outside of its time of validity, for every issuer. */
  readonly outdated?: 'not_yet_valid' | 'expired'
}

/** A request as data. `url` is absolute; its path and query are kept byte for byte as they were sent. */
export interface HttpRequest {
  /** Number of the request in this program, from 1. Present when the request came through a socket. */
  readonly id?: number
  readonly method: string
  readonly url: string
  readonly headers: HeaderList
  readonly body: Uint8Array
  /** Address of the peer, when the request came through a socket. */
  readonly remoteAddress?: string
  /** The certificate of the connection, on a listener that asks for one. */
  readonly certificate?: ClientCertificate
  /** Outgoing requests alone: shows no certificate, or that of a stranger, in place of the client's own. */
  readonly identity?: 'none' | 'stranger'
  /** HTTP version of the client, `1.0` or `1.1`, when the request came through a socket. */
  readonly httpVersion?: string
}

/** A response as data. A server's `content-length` is written by the adapter, from `body`. */
export interface HttpResponse {
  readonly status: number
  readonly headers: HeaderList
  readonly body: Uint8Array
  /** Bytes after `body` that are written as they come, until the stream ends or the client leaves. Left out: none. */
  readonly stream?: AsyncIterable<Uint8Array>
}

const lenientDecoder = new TextDecoder('utf-8')

/** The bytes of `text` in UTF-8. */
export function bytes(text: string): Uint8Array {
  return Buffer.from(text, 'utf8')
}

/** `body` as UTF-8 text; bytes that are not UTF-8 become U+FFFD. */
export function text(body: Uint8Array): string {
  return lenientDecoder.decode(body)
}

/** True for a header with this name, in lower case. Lengths are compared first, because this runs often per request. */
export function isNamed([each]: Header, wanted: string): boolean {
  return each.length === wanted.length && (each === wanted || each.toLowerCase() === wanted)
}

/** All values of the header `name` (any case), in order. */
export function headerValues(message: { headers: HeaderList }, name: string): string[] {
  const wanted = name.toLowerCase()
  const values: string[] = []
  for (const each of message.headers) if (isNamed(each, wanted)) values.push(each[1])
  return values
}

/** The first value of the header `name` (any case). */
export function header(message: { headers: HeaderList }, name: string): string | undefined {
  const wanted = name.toLowerCase()
  for (const each of message.headers) if (isNamed(each, wanted)) return each[1]
  return undefined
}

/** The media type of a message in lower case, without its parameters; empty without Content-Type. */
export function mediaType(message: { headers: HeaderList }): string {
  return (header(message, 'content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase()
}

/** Origin, path and query of a URL, without the fragment (RFC 3986 Appendix B). */
const urlParts = /^((?:[^/?#]*:\/\/)?[^/?#]*)([^?#]*)\??([^#]*)/

/** Parts of an absolute URL. */
interface UrlParts {
  readonly origin: string
  readonly path: string
  /** Without its question mark. */
  readonly query: string
}

/** Splits an absolute URL into its parts, without normalising them. Six parts of a server ask about one request. */
export const splitUrl = keepLatest((url: string): UrlParts => {
  const [, origin = '', path, query = ''] = urlParts.exec(url) ?? []
  return { origin, path: path || '/', query }
})

/** The value of the cookie `name` in a request (RFC 6265 §4.2.1). */
export function cookie(request: HttpRequest, name: string): string | undefined {
  for (const line of headerValues(request, 'cookie')) {
    for (const pair of line.split(';')) {
      const mark = pair.indexOf('=')
      if (mark > 0 && pair.slice(0, mark).trim() === name) return pair.slice(mark + 1).trim()
    }
  }
  return undefined
}

/** A cookie that a server sets. Names of attributes are in lower case. */
export interface SetCookie {
  readonly name: string
  readonly value: string
  readonly attributes: ReadonlyMap<string, string>
}

/** Reads a Set-Cookie line (RFC 6265 §5.2). Without an equals sign all of the pair is the value. */
export function readSetCookie(line: string): SetCookie {
  const [first = '', ...rest] = line.split(';')
  const mark = first.indexOf('=')
  const attributes = rest.map((part): [string, string] => {
    const [name = '', ...value] = part.split('=')
    return [name.trim().toLowerCase(), value.join('=').trim()]
  })
  return {
    name: first.slice(0, Math.max(0, mark)).trim(),
    value: first.slice(mark + 1).trim(),
    attributes: new Map(attributes),
  }
}

/** Returns a response that browsers take for what its content type says (Fetch standard, "nosniff"). */
export function withNosniff(response: HttpResponse): HttpResponse {
  if (header(response, 'x-content-type-options') !== undefined) return response
  return { ...response, headers: [...response.headers, ['x-content-type-options', 'nosniff']] }
}

/** A text/plain response. */
export function textResponse(status: number, body: string, headers: HeaderList = []): HttpResponse {
  return { status, headers: [['content-type', 'text/plain; charset=utf-8'], ...headers], body: bytes(body) }
}

/** A JSON response with the content type that the token endpoint uses (interface specification, POST /token). */
export function jsonResponse(status: number, body: unknown, headers: HeaderList = []): HttpResponse {
  return {
    status,
    headers: [['content-type', 'application/json;charset=UTF-8'], ...headers],
    body: bytes(JSON.stringify(body)),
  }
}

/** A 302 to `location`. */
export function redirectResponse(location: string, headers: HeaderList = []): HttpResponse {
  return { status: 302, headers: [['location', location], ...headers], body: new Uint8Array() }
}

// Header values that may be written (RFC 9110 §5.5).

const CONTROLS = /[^\t\x20-\x7e\x80-\xff]/g

/** A text as the value of a header: characters beyond ASCII in UTF-8, one character a byte. */
export function utf8Value(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/**
 * Returns a value that can be written. Bytes that came from another server stay as they are. A character beyond Latin-1 puts
 * the value in UTF-8, and a control character becomes a space, because a line break would begin another header.
 */
export function legalValue(value: string): string {
  if (value.search(CONTROLS) < 0) return value
  const bytes = /[^\x00-\xff]/.test(value) ? utf8Value(value) : value
  return bytes.replace(CONTROLS, ' ')
}

/** Fields that a client sets itself, or that belong to the connection (RFC 9110 §7.6.1). */
const OWN_FIELDS = new Set([
  ...['accept', 'accept-encoding', 'authorization', 'content-encoding', 'content-length', 'content-type'],
  ...['cookie', 'dpop', 'host', 'origin', 'referer', 'user-agent'],
  ...['connection', 'expect', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade'],
])

/** True for the name of a header field (RFC 9110 §5.1). */
export const isFieldName = (name: string): boolean => /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/.test(name)

/**
 * Returns the reason why a field cannot be added to the requests of a client; undefined for one that can. It repeats no
 * value, which may be a secret.
 */
export function extraHeaderProblem(name: string, value: string): string | undefined {
  if (value === '') return 'it has no value (RFC 9110 §5.5)'
  if (!/^[\t\x20-\x7e]+$/.test(value)) {
    return 'it has a value with line ends or characters outside of ASCII (RFC 9110 §5.5)'
  }
  return OWN_FIELDS.has(name.toLowerCase()) ? 'the client sets this field itself' : undefined
}

/** Programs that send many requests on purpose, which a lab shows as one. */
type RunKind = 'attack' | 'doctor' | 'tamper'

/**
 * Returns the User-Agent of one run: `oauth-lab (doctor 1a2b3c4d)`.
 * @param random four bytes, by which the runs of a day differ
 */
export function runAgent(kind: RunKind, random: Uint8Array): string {
  return `oauth-lab (${kind} ${Buffer.from(random).toString('hex')})`
}

/** Returns true for a name that a file and a header can have. */
const isLearnerName = (text: string): boolean => /^[\w-]{1,40}$/.test(text)

/**
 * Returns the User-Agent of a learner's program: `oauth-lab (learner ann)`, or that of a run with the learner added. Returns the
 * given one without a learner.
 */
export function learnerAgent(learner: string | undefined, agent?: string): string | undefined {
  if (learner === undefined || !isLearnerName(learner)) return agent
  return agent === undefined
    ? `oauth-lab (learner ${learner})`
    : agent.replace(/\)$/, `; learner ${learner})`)
}

/** Returns the run that a request says it belongs to, such as `doctor 1a2b3c4d`. Anyone can send the header: it decides nothing. */
export function runOf(request: HttpRequest): string | undefined {
  const [agent = ''] = headerValues(request, 'user-agent')
  return /^oauth-lab \(((?:attack|doctor|tamper) [0-9a-f]{8})(?:; learner [\w-]{1,40})?\)$/.exec(agent)?.[1]
}

/** Returns the learner whose program sent a request with this User-Agent. Anyone can send it: only lessons ask. */
export const learnerOf = (agent: string | undefined): string | undefined =>
  /^oauth-lab \((?:[a-z]+ [0-9a-f]{8}; )?learner ([\w-]{1,40})\)$/.exec(agent ?? '')?.[1]

/** Time for which clients may keep a published document, in seconds. Short, so that a rotated key is seen soon. */
const MAX_AGE = 60

/**
 * Publishes a JSON document. Returns the function that answers each GET of it, with an entity tag and a maximum age
 * (RFC 9110 §8.8.3, RFC 9111 §5.2.2.1). A client that has the document already gets 304 (RFC 9110 §13.1.2).
 */
export function publishedJson(document: unknown): (request: HttpRequest) => HttpResponse {
  const { headers, ...response } = jsonResponse(200, document)
  const tag = `"${createHash('sha256').update(response.body).digest('base64url').slice(0, 22)}"`
  const validators = [
    ['cache-control', `public, max-age=${MAX_AGE}`],
    ['etag', tag],
  ] as const
  const whole: HttpResponse = { ...response, headers: [...headers, ...validators] }
  const unchanged: HttpResponse = { status: 304, headers: validators, body: new Uint8Array() }
  return request => {
    const known = headerValues(request, 'if-none-match').flatMap(line => line.split(','))
    return known.some(each => ['*', tag, `W/${tag}`].includes(each.trim())) ? unchanged : whole
  }
}

// uri-host with an optional port (RFC 9110 §7.2): a registered name of letters, digits, `-`, `.` and `_`, or an
// IPv6 literal. Anything else could smuggle user information or a path into the address.
const hostHeader = /^([a-z0-9_]([a-z0-9_.-]{0,252}[a-z0-9_.])?|\[[0-9a-f:.]{2,45}\])(?::\d{0,5})?$/i

const hostOf = keepLatest((value: string) => hostHeader.exec(value.trim())?.[1])

function hostsOf(request: HttpRequest): readonly (string | undefined)[] {
  return headerValues(request, 'host').map(value => hostOf(value))
}

/** Returns the host of the Host header without its port; undefined when it is missing, repeated or malformed. */
export function requestedHost(request: HttpRequest): string | undefined {
  const [host, ...more] = hostsOf(request)
  return host !== undefined && more.length === 0 && isUrl(`https://${host}/`) ? host : undefined
}

/**
 * True when Host is repeated, malformed or missing; the response is then 400 (RFC 9112 §3.2). Before HTTP/1.1, Host may
 * be missing.
 */
export function hasBadHost(request: HttpRequest): boolean {
  const [host, ...more] = hostsOf(request)
  if (more.length > 0) return true
  return host === undefined && (request.httpVersion === '1.1' || headerValues(request, 'host').length > 0)
}

/** Headers by which tunnels and proxies say whom they forward for (RFC 7239, and what came before). */
const FORWARDED =
  /^(?:forwarded|x-forwarded-[\w-]+|x-real-ip|x-original-host|cf-connecting-ip|true-client-ip)$/i

/** False for a request to another name than one of this machine, or through a tunnel or proxy: a stranger may have sent it. */
export function isLocalRequest(request: HttpRequest): boolean {
  const [host = ''] = headerValues(request, 'host').length === 0 ? ['localhost'] : hostsOf(request)
  const url = `https://${host.replace(/^.*\.localhost$/i, 'localhost')}/`
  return URL.canParse(url) && isLoopbackUrl(url) && !request.headers.some(([name]) => FORWARDED.test(name))
}

/** True for an address on this machine. */
export function isLoopbackUrl(url: string): boolean {
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}
