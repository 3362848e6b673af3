import type { Exchange } from '../../protocol/http/exchange.js'
import { type Fields, type FormPairs, readFields } from '../../protocol/http/form.js'
import { splitUrl } from '../../protocol/http/message.js'
import type { Finding } from '../../protocol/rules/finding.js'
import { defined } from '../../protocol/values.js'

/** A part of an exchange that a recording left out, or shows in part. */
export type MissingPart = 'request query' | 'request body' | 'response headers' | 'response body' | 'response'

/** An exchange of a recording, in one shape whatever program recorded it. */
export interface Recorded {
  /** Its number in the recording, from 1. */
  readonly entry: number
  readonly exchange: Exchange
  /** When it was sent, in milliseconds since the epoch, by the clock of the recording. NaN: the recording does not say. */
  readonly sent: number
  /** True when a script of a page sent it, so that everything in it is known to the browser. */
  readonly fromPage: boolean
  /** Parts that the recording left out, which cannot be judged. */
  readonly lacks: readonly MissingPart[]
  /** The reason of the browser for an exchange without an answer, such as `net::ERR_FAILED`. */
  readonly failure?: string
  /** The facts that the server itself reported. Absent in a recording of the wire. */
  readonly report?: ServerReport
}

/** Makes an exchange of which neither times nor sender are known. */
export function recordedOf(
  entry: number,
  request: Exchange['request'],
  response?: Exchange['response'],
  lacks: readonly MissingPart[] = [],
): Recorded {
  const bodyBytes = response === undefined ? 0 : Buffer.byteLength(response.body)
  const wireBytes = { request: Buffer.byteLength(request.body), response: bodyBytes }
  const exchange = defined({ request, response, wireBytes, bodyBytes, ms: 0, at: '' })
  const missing: readonly MissingPart[] = response === undefined ? [...lacks, 'response'] : lacks
  return { entry, exchange, sent: Number.NaN, fromPage: false, lacks: missing }
}

/** When the answer was complete, in milliseconds since the epoch. */
export function receivedAt({ sent, exchange }: Recorded): number {
  return sent + Math.max(0, exchange.ms)
}

/** Files that a page loads: an answer to them says nothing about a login. */
export const STATIC_FILE = /\.(?:css|js|mjs|png|jpe?g|gif|svg|ico|webp|avif|woff2?|ttf|map)$/i

/** Paths of authorization endpoints, for requests without response_type, as GitHub and Facebook take them. */
const AUTHORIZE_PATH = /\/(?:authori[sz]e|dialog\/oauth|oauth2?\/auth|connect\/qrconnect)\/?$/i

/** True for the parameters of an authorization request. @param path of its address */
export function isAuthorization(fields: Fields, path = ''): boolean {
  if (!fields.has('client_id')) return false
  const types = fields.get('response_type')?.split(' ') ?? []
  if (types.length > 0) {
    return fields.has('redirect_uri') || types.every(each => /^(?:code|token|id_token|none)$/.test(each))
  }
  if (/^(?:urn:|https:)/.test(fields.get('request_uri') ?? '')) return true
  if (fields.get('request')?.startsWith('ey')) return true
  return (
    AUTHORIZE_PATH.test(path) && (fields.has('redirect_uri') || fields.has('scope') || fields.has('state'))
  )
}

/** An address in the query of another one. */
export interface HeldAddress {
  /** The name of the parameter. */
  readonly name: string
  readonly url: string
}

/**
 * The authorization request that a login page returns to, where it stands unencoded and goes on to the end of the query, as dex
 * writes it: `back=/auth?client_id=web&redirect_uri=…`. Undefined for every other address.
 */
export function heldRequest(url: string): HeldAddress | undefined {
  const { origin, query } = splitUrl(url)
  const [held, name = '', host = origin, path = '', inner = ''] =
    /(?:^|&)(?!redirect_uri=|resource=)([\w.-]{1,100})=(https?:\/\/[^/?#&]+)?(\/[^?&]*)\?(.*)$/s.exec(
      query,
    ) ?? []
  if (held === undefined || !isAuthorization(readFields(inner), path)) return undefined
  const before = readFields(query.slice(0, -held.length))
  return before.has('client_id') || before.has('response_type')
    ? undefined
    : { name, url: `${host}${path}?${inner}` }
}

/** The kinds of exchanges that are picked out of a recording. */
export type MessageKind =
  | 'discovery'
  | 'keys'
  | 'registration'
  | 'pushed_authorization_request'
  | 'authorization_request'
  | 'login'
  | 'authorization_response'
  | 'token_request'
  | 'device_authorization_request'
  | 'backchannel_authentication_request'
  | 'userinfo_request'
  | 'introspection_request'
  | 'revocation_request'
  | 'resource_request'
  | 'logout_request'
  | 'saml_request'
  | 'saml_response'
  | 'leak'

/** True for a request by which a browser brings the answer of the login to the client. */
export const isArrival = (kind: MessageKind | undefined): boolean =>
  kind === 'authorization_response' || kind === 'saml_response'

/** The facts that a server reported about an exchange: the events of a lab. */
export interface ServerReport {
  /** Absent for an exchange that no event of OAuth was about. */
  readonly kind?: MessageKind
  readonly clientId?: string
  readonly username?: string
  readonly issuer?: string
  readonly grantType?: string
  /** Parameters of the authorization response that the server sent, as far as the events name them. */
  readonly answer?: FormPairs
  /** The redirect_uri of the request. */
  readonly redirectUri?: string
  /** Lifetime of an issued code, in milliseconds. */
  readonly codeLifetime?: number
  /** Values by which exchanges belong together, each with its kind: `code k3V9…Qm1`. */
  readonly ties: readonly string[]
  /** The entry of the exchange that caused this one. */
  readonly cause?: number
  /** The number of the lab in the recording: nothing ties exchanges of two labs. */
  readonly lab: number
  readonly findings: readonly Finding[]
}
