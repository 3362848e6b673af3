import { UserError } from '../../../protocol/errors.js'
import type { Exchange } from '../../../protocol/http/exchange.js'
import { bytes, type HttpRequest } from '../../../protocol/http/message.js'

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
export function httpRequest({ base, credentials }: ApiAccess, request: ApiRequest): HttpRequest {
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
export interface GivenError {
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
