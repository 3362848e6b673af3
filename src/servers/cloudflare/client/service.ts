import { setTimeout as delay } from 'node:timers/promises'
import { jsonObjectOf, unreadable } from '../../../client/json-answer.js'
import { isForeignCertificate, isUnreachable, ProxyError } from '../../../client/transport-errors.js'
import { TransportError, UserError } from '../../../protocol/errors.js'
import type { Exchange, Send } from '../../../protocol/http/exchange.js'
import { bytes, type HttpRequest, header } from '../../../protocol/http/message.js'
import { isJsonObject, type JsonObject, parsedJson } from '../../../protocol/values.js'
import type { CursorInfo, PageInfo } from '../shapes.js'

/** The parameters of a query. Undefined parameters are not sent. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** A request to the API, without the address of the service. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path below the base URL, with its first slash: `/zones`. */
  readonly path: string
  readonly query?: Query
  /** The object to send as JSON. */
  readonly body?: object
}

function credentialHeaders(credentials: ApiCredentials): readonly (readonly [string, string])[] {
  if (credentials.kind === 'token') return [['authorization', `Bearer ${credentials.token}`]]
  return [
    ['x-auth-email', credentials.email],
    ['x-auth-key', credentials.key],
  ]
}

function queryText(query: Query): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.append(name, String(value))
  }
  return parameters.size === 0 ? '' : `?${parameters}`
}

/** Builds the HTTP request. It has a content type even without a body (interface specification). */
function httpRequest({ base, credentials }: ApiAccess, request: ApiRequest): HttpRequest {
  return {
    method: request.method,
    url: `${base}${request.path}${queryText(request.query ?? {})}`,
    headers: [
      ['accept', 'application/json'],
      ['user-agent', 'oauth-lab'],
      ['content-type', 'application/json'],
      ...credentialHeaders(credentials),
    ],
    body: request.body === undefined ? new Uint8Array() : bytes(JSON.stringify(request.body)),
  }
}

/** The credentials of a client. */
export type ApiCredentials =
  | { readonly kind: 'key'; readonly key: string; readonly email: string; readonly from: string }
  | { readonly kind: 'token'; readonly token: string; readonly from: string }

/** The address of the DNS and security-event API, and the credentials for it. */
export interface ApiAccess {
  /** Base URL with its prefix, no trailing slash: `https://localhost:8446/client/v4`. */
  readonly base: string
  /** The source of the address, for messages: `the lab of this command`, `CLOUDFLARE_BASE_URL`. */
  readonly via: string
  readonly credentials: ApiCredentials
}

/** Base URL of the real service. */
export const REAL_SERVICE = 'https://api.cloudflare.com/client/v4'

/** True for a base URL of the real service. */
export const isRealService = (base: string): boolean => new URL(base).hostname === 'api.cloudflare.com'

/** True for a base URL on this machine, where a lab or another emulator listens. */
export const isThisMachine = (base: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(base).hostname)

/** True when a key, token or e-mail address can be sent in a header unchanged. */
export const fitsHeader = (text: string): boolean => /^[\x21-\x7e]{1,1024}$/.test(text)

/** One error of an answer. The code may be missing. */
interface GivenError {
  readonly code?: number
  readonly message: string
  readonly chain: readonly GivenError[]
}

/** A refusal of the service. */
export class ApiRefusal extends UserError {
  override name = 'ApiRefusal'
  /** The message is the service's own. */
  override readonly label = 'error'
  constructor(
    /** The errors of the answer, at least one. */
    readonly errors: readonly GivenError[],
    /** The HTTP status. */
    readonly status: number,
    readonly exchange: Exchange,
    hints: readonly string[] = [],
  ) {
    const [first, ...more] = errors.flatMap(error => [error, ...error.chain])
    super(sentence(first, status), 'refused', [...more.map(each => sentence(each)), ...hints])
  }

  /** True when one of the errors has this code. */
  has(code: number): boolean {
    return this.errors.some(error => error.code === code)
  }
}

/** A refusal by this program, in the form of an error of the service. */
export class ClientRefusal extends UserError {
  override name = 'ClientRefusal'
  override readonly label = 'error'
  constructor(message: string, hints: readonly string[] = []) {
    super(message, 'refused', hints)
  }
}

/** The longest message that is shown, in characters. */
const MAX_MESSAGE = 500

function sentence(error: GivenError | undefined, status?: number): string {
  const { message = 'no message', code } = error ?? {}
  const shown = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message
  const facts = [
    ...(code === undefined ? [] : [String(code)]),
    ...(status === undefined ? [] : [`HTTP ${status}`]),
  ]
  return facts.length === 0 ? shown : `${shown} (${facts.join(', ')})`
}

/** The largest answer that is read, in body bytes. Senders choose the size of the texts in a page of events. */
export const MAX_ANSWER = 8 * 1024 * 1024

/** A client of the DNS and security-event API. */
export interface Service {
  readonly access: ApiAccess
  /**
   * Sends a request. Sends it again after a wait when the service asks for a wait.
   * @throws ApiRefusal, TransportError, TimeoutError, and the reason of an aborted signal
   */
  request<T>(request: ApiRequest): Promise<Answer<T>>
  /**
   * Sends a request whose answer has no envelope, such as GraphQL. Accepts any JSON object with any status.
   * @throws TransportError, TimeoutError, ApiRefusal for a 429 that is not JSON
   */
  object(request: ApiRequest): Promise<{ readonly value: JsonObject; readonly exchange: Exchange }>
}

/** The ports of a service. */
export interface ServicePorts {
  /** Sends one HTTP request. It must not follow redirects. */
  readonly send: Send
  /** Milliseconds since the epoch, by the real clock: `Retry-After` may be a date. */
  readonly now?: () => number
  /** The longest single wait, in milliseconds. */
  readonly longestWaitMs: number
  /** Called before each wait. */
  readonly waiting?: (wait: Wait) => void
  /** Waits for a number of milliseconds. */
  readonly pause?: (ms: number, signal?: AbortSignal) => Promise<unknown>
  readonly signal?: AbortSignal
  /** Called with each exchange, refused and repeated ones included. */
  readonly seen?: ((exchange: Exchange, request: ApiRequest) => void) | undefined
}

/** Creates a client of the API. */
export function createService(access: ApiAccess, ports: ServicePorts): Service {
  const { send, longestWaitMs: longest, waiting = () => {}, seen = () => {}, signal, now = Date.now } = ports
  const { pause = (ms: number, ended?: AbortSignal) => delay(ms, undefined, ended && { signal: ended }) } =
    ports

  async function exchanged(request: ApiRequest): Promise<Exchange> {
    const message = httpRequest(access, request)
    for (let done = 0; ; done++) {
      const exchange = await send(message, signal ? { signal } : {}).catch((error: unknown) => {
        throw connectionError(error, access)
      })
      seen(exchange, request)
      const wait = nextWait(exchange, done, { now: now(), longest })
      if (wait === undefined) return exchange
      waiting(wait)
      await pause(wait.ms, signal)
    }
  }

  return {
    access,
    async request<T>(request: ApiRequest) {
      return readAnswer<T>(await exchanged(request), request, access)
    },
    async object(request) {
      const exchange = await exchanged(request)
      return { value: readObject(exchange, request, access), exchange }
    },
  }
}

/** A successful answer. */
interface Answer<T> {
  readonly result: T
  /** The position in a list. Every member may be missing. */
  readonly info: Partial<PageInfo & CursorInfo>
  readonly exchange: Exchange
}

/** Method and path of a request, for messages. */
const askedFor = ({ method, path }: ApiRequest): string => `${method} ${path}`

/**
 * Returns the JSON object of an answer with any status.
 * @throws TransportError for a redirect and for another body; ApiRefusal for a 429 that is no JSON
 */
function readObject(exchange: Exchange, request: ApiRequest, access: ApiAccess): JsonObject {
  const { status, body } = exchange.response ?? { status: 0, body: '' }
  if (status === 429 && parsedJson(body) === undefined) throw refused([], exchange, request, access)
  const { base: address, via } = access
  return jsonObjectOf(exchange, askedFor(request), { title: 'the DNS API', address, via })
}

/** The errors of an answer. Members may be missing: gateways leave them out. */
export function errorsOf(value: unknown): GivenError[] {
  if (!Array.isArray(value)) return []
  return value.filter(isJsonObject).map(({ code, message, error_chain: chain }) => ({
    ...(typeof code === 'number' && { code }),
    message: typeof message === 'string' && message !== '' ? message : 'no message',
    chain: errorsOf(chain),
  }))
}

function refused(
  errors: readonly GivenError[],
  exchange: Exchange,
  request: ApiRequest,
  access: ApiAccess,
): ApiRefusal {
  const status = exchange.response?.status ?? 0
  const none = status === 429 ? 'Too many requests' : 'The service refused without a reason'
  const all = errors.length > 0 ? errors : [{ message: none, chain: [] }]
  return new ApiRefusal(all, status, exchange, refusalHints(all, exchange, request, access))
}

/**
 * Returns the result in the envelope of an answer.
 * @throws ApiRefusal for a refusal; TransportError for an answer that this API never gives
 */
function readAnswer<T>(exchange: Exchange, request: ApiRequest, access: ApiAccess): Answer<T> {
  const value = readObject(exchange, request, access)
  const status = exchange.response?.status ?? 0
  const errors = errorsOf(value.errors)
  const failed = status < 200 || status >= 300
  if (value.success === false || errors.length > 0 || (failed && 'errors' in value)) {
    throw refused(errors, exchange, request, access)
  }
  if (failed || value.result === undefined) {
    throw unreadable(
      `${access.base} answered ${askedFor(request)} with JSON that has no ${failed ? 'errors' : 'result'} in it (HTTP ${status})`,
      [`Is this the DNS API? The address is from ${access.via}.`],
    )
  }
  const info = isJsonObject(value.result_info) ? (value.result_info as Answer<T>['info']) : {}
  return { result: value.result as T, info, exchange }
}

function budgetHint({ response }: Exchange): string {
  const ms = retryAfter(response && header(response, 'retry-after'), Date.now())
  if (!ms) return 'The budget of requests is spent; try again later.'
  const seconds = Math.ceil(ms / 1000)
  return `The budget of requests is spent for ${seconds} s. To wait that long:   --timeout ${seconds}s`
}

/** The permission of an API token for each route, as the dashboard names it: `Zone > DNS > Edit`. The first row that fits counts. */
const PERMISSIONS: readonly (readonly [method: RegExp, path: RegExp, permission: string])[] = [
  [/^GET$/, /\/dns_records/, 'Zone > DNS > Read'],
  [/./, /\/dns_records/, 'Zone > DNS > Edit'],
  [/./, /\/security\/events|^\/graphql/, 'Zone > Analytics > Read'],
  [/^GET$/, /\/settings/, 'Zone > Zone Settings > Read'],
  [/./, /\/settings/, 'Zone > Zone Settings > Edit'],
  [/./, /\/(?:firewall|rulesets)/, 'Zone > Zone WAF > Edit'],
  [/./, /^\/accounts/, 'Account > Account Settings > Read'],
  [/^GET$/, /^\/zones/, 'Zone > Zone > Read'],
]

/** Returns the permission that an API token needs for a request; undefined where any token serves. */
export const permissionFor = ({ method, path }: Pick<ApiRequest, 'method' | 'path'>): string | undefined =>
  PERMISSIONS.find(([methods, paths]) => methods.test(method) && paths.test(path))?.[2]

/** Returns the next move after a refusal, by its code or else by its status. */
function refusalHints(
  errors: readonly GivenError[],
  exchange: Exchange,
  request: ApiRequest,
  access: ApiAccess,
): string[] {
  const status = exchange.response?.status
  const codes = new Set(errors.flatMap(({ code }) => (code === undefined ? [] : [code])))
  const { credentials, base, via } = access
  const isToken = credentials.kind === 'token'
  const from = `${isToken ? 'The token' : 'Key and e-mail address'} came from ${credentials.from}.`
  const needed = isToken ? permissionFor(request) : undefined
  // 9109 is of a wrong token, and of a right one that may not do this: they differ by the sentence.
  const isForbidden =
    codes.has(10000) ||
    (codes.has(9109) && errors.some(({ message }) => /unauthorized to access/i.test(message)))
  if (isForbidden) {
    return [
      ...(needed === undefined
        ? []
        : [`${askedFor(request)} needs the permission ${needed}; the token lacks it.`]),
      'Or the zone is not among those of these credentials:   oauth-lab cf zones',
      from,
    ]
  }
  if (codes.has(10001)) return ['These credentials are of another kind than this route takes.', from]
  if ([6003, 9103, 9106, 9107, 9109].some(code => codes.has(code)) || status === 401) {
    return needed === undefined ? [from] : [from, `A right one needs ${needed} for ${askedFor(request)}.`]
  }
  if (status === 429) return [budgetHint(exchange)]
  if (codes.has(7000)) return [`The base URL ${base} is from ${via}; it usually ends in /client/v4.`]
  return []
}

/** A wait before the same request is sent again. */
export interface Wait {
  readonly ms: number
  /** The HTTP status that caused the wait. */
  readonly status: number
  /** The number of the wait, from 1. */
  readonly nth: number
  readonly of: number
}

/** The retries after 429, and the retries of a GET after a failure of a gateway. */
const AFTER_429 = 3
const AFTER_GATEWAY = 2

/** The first waits in milliseconds when the service names no time. They double. */
const PAUSE_429 = 1000
const PAUSE_GATEWAY = 500

/** Statuses of a gateway that received no answer. */
const gateway = new Set([502, 503, 504])

/**
 * Reads the time of a `Retry-After` header, seconds or a date, in milliseconds (RFC 9110 §10.2.3).
 * @param now milliseconds since the epoch
 */
export function retryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const at = /^[A-Za-z]{3}, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

/**
 * Returns the wait before a request is sent again. Undefined when its answer is final: no passing failure, no retries left, or a longer
 * wait than `longest`.
 * @param done number of waits so far
 * @param options.longest milliseconds
 */
export function nextWait(
  { request, response }: Exchange,
  done: number,
  { now, longest }: { readonly now: number; readonly longest: number },
): Wait | undefined {
  const status = response?.status ?? 0
  const tooMany = status === 429
  if (!tooMany && !(gateway.has(status) && request.method === 'GET')) return undefined
  const of = tooMany ? AFTER_429 : AFTER_GATEWAY
  if (done >= of || response === undefined) return undefined
  const asked = retryAfter(header(response, 'retry-after'), now)
  const ms = asked ?? (tooMany ? PAUSE_429 : PAUSE_GATEWAY) * 2 ** done
  return ms > longest ? undefined : { ms, status, nth: done + 1, of }
}

/** Returns the next move after a network failure on the way to the API. */
function hints(code: string, { via }: ApiAccess): string[] {
  if (isUnreachable(code)) {
    return [`The address is from ${via}.`, 'A DNS API of this machine:   oauth-lab serve']
  }
  if (isForeignCertificate(code)) return ['Trust the CA that signed it:   --cacert FILE']
  return [`The address is from ${via}.`]
}

/** Adds hints for the API to a network failure. Returns other errors unchanged. */
function connectionError(error: unknown, access: ApiAccess): unknown {
  if (!(error instanceof TransportError) || error instanceof ProxyError) return error
  return new TransportError(error.message, error.code, hints(error.code, access), { cause: error.cause })
}

/** The most pages of one list. The limit stops at a service whose list never ends. */
const MAX_PAGES = 2000

function ended({ result, info }: Answer<readonly unknown[]>, page: number, perPage: number): boolean {
  if (result.length === 0) return true
  const { total_pages: pages, total_count: count, per_page: size = perPage } = info
  if (typeof pages === 'number') return page >= pages
  if (typeof count === 'number' && size > 0) return page >= Math.ceil(count / size)
  return result.length < size
}

/**
 * Returns all results of a list, page by page.
 * @param perPage a size that the service allows for this list
 * @throws what `request` throws; TransportError for a result that is no list, and for a list that never ends
 */
export async function allPages<T>(
  service: Service,
  path: string,
  query: Query,
  perPage: number,
): Promise<readonly T[]> {
  const all: T[] = []
  let before: string | undefined
  for (let page = 1; page <= MAX_PAGES; page++) {
    const answer = await service.request<readonly T[]>({
      method: 'GET',
      path,
      query: { ...query, page, per_page: perPage },
    })
    if (!Array.isArray(answer.result)) throw unreadable(`${service.access.base}${path} answered with no list`)
    const now = JSON.stringify(answer.result)
    if (answer.result.length > 0 && now === before) break
    for (const each of answer.result) all.push(each)
    if (ended(answer, page, perPage)) return all
    before = now
  }
  throw unreadable(`${service.access.base}${path} has no last page`)
}
