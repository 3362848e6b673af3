import { type Fields, readFields } from '../../protocol/http/form.js'
import { type HeaderList, header, mediaType, splitUrl } from '../../protocol/http/message.js'
import type { ExaminedSaml } from '../../protocol/saml/examine.js'
import { type JsonObject, parsedObject } from '../../protocol/values.js'
import type { MessageKind, Recorded } from './recorded.js'
import type { Surroundings } from './surroundings.js'
import type { ServerWords } from './words.js'

/** An authorization response, as an address or a form carries it. */
export interface Answer {
  readonly fields: Fields
  /** The address without the response parameters: origin and path. */
  readonly address: string
  readonly place: 'query' | 'fragment' | 'form'
  /** True where the recording does not show all parameters. The address may be unknown too, and is empty then. */
  readonly isPartial?: true
}

/**
 * A SAML message of a recording; the artifact of one that its receiver fetches (SAML 2.0 Bindings §3.6); or the reason why
 * it cannot be read.
 */
export type ReadSaml =
  | Pick<ExaminedSaml, 'message' | 'lint'>
  | { readonly artifact: string }
  | { readonly problem: string }

/** An exchange of OAuth, OpenID Connect or SAML. */
export interface Message {
  readonly kind: MessageKind
  readonly recorded: Recorded
  /** The parameters of the request, from its query and its form. */
  readonly fields: Fields
  /** The authorization response that the request is, or that the answer redirects to. */
  readonly answer?: Answer
  /** The SAML message that it carries. */
  readonly saml?: ReadSaml
  /** Code and sentence of an error answer. */
  readonly words?: ServerWords
  /** Cookies, preflight and next page. Absent where a server reported the exchange. */
  readonly around?: Surroundings
}

/** The SAML message of an exchange; undefined where it has none that can be read. */
export function samlOf({ saml }: Message): ExaminedSaml['message'] | undefined {
  return saml && 'message' in saml ? saml.message : undefined
}

/** The members of the answer to a message: JSON, or a form, as GitHub writes it. Undefined for any other answer. */
export function answeredJson({ recorded: { exchange } }: Message): JsonObject | undefined {
  const { response } = exchange
  if (response && mediaType(response) === 'application/x-www-form-urlencoded') {
    return Object.fromEntries(readFields(response.body).pairs)
  }
  return jsonOf(response?.body)
}

/** Reads a JSON object; undefined for any other text. */
export function jsonOf(text: string | undefined): JsonObject | undefined {
  if (text === undefined || !/^\s*\{/.test(text)) return undefined
  return parsedObject(text)
}

/** A text member of a JSON object; undefined for any other value. */
export function textMember(object: JsonObject | undefined, name: string): string | undefined {
  const value = object?.[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The token of the Authorization header of a request, or of its query. */
export function presentedToken({ recorded: { exchange }, fields }: Message): string | undefined {
  const authorization = header(exchange.request, 'authorization') ?? ''
  return /^(?:bearer|dpop)\s+(\S+)/i.exec(authorization)?.[1] ?? fields.get('access_token')
}

/** The status of the answer; 0 where none came. */
export function statusOf({ recorded: { exchange } }: Message): number {
  return exchange.response?.status ?? 0
}

/** The origin that a message was sent to. */
export const originOf = ({ recorded }: Message): string => splitUrl(recorded.exchange.request.url).origin

/** True for a request that presents an access token. */
export const isCall = ({ kind }: Message): boolean =>
  kind === 'resource_request' || kind === 'userinfo_request'

/** True for a call that its server answered without an error. */
export const isGoodCall = (message: Message): boolean =>
  isCall(message) && statusOf(message) > 0 && statusOf(message) < 400

/** Origin and path of an address, without query and fragment. */
export function placeOf(url: string): string {
  return url.replace(/[?#].*$/s, '')
}

/**
 * Returns the origin of the page that a browser kept an answer from, because no header of the answer allows that origin (CORS). Undefined for
 * an answer that the page got. Firefox records such an answer as any other one, and Chrome with its status.
 */
export function withheldFrom({ recorded: { exchange, fromPage, lacks } }: Message): string | undefined {
  const { request, response } = exchange
  const origin = header(request, 'origin')
  // A recording without the headers of answers does not show what they allow.
  if (!fromPage || origin === undefined || response === undefined || response.headers.length === 0)
    return undefined
  if (lacks.includes('response headers')) return undefined
  if (origin === splitUrl(request.url).origin) return undefined
  const allowed = header(response, 'access-control-allow-origin')?.trim()
  if (!hasCredentials(request)) return allowed === '*' || allowed === origin ? undefined : origin
  const withThem = header(response, 'access-control-allow-credentials')?.trim() === 'true'
  return allowed === origin && withThem ? undefined : origin
}

/** True for a request that a script sent with cookies: then `*` allows nothing (Fetch standard, "CORS check"). */
export const hasCredentials = (request: { readonly headers: HeaderList }): boolean =>
  header(request, 'cookie') !== undefined

/** A token that a server issued in the recording. */
interface IssuedToken {
  readonly kind: 'access_token' | 'id_token' | 'refresh_token'
  readonly value: string
  readonly message: Message
}

const KINDS = ['access_token', 'id_token', 'refresh_token'] as const

/** The tokens of token answers and authorization responses, each once, in their order. */
export function issuedTokens(messages: readonly Message[]): readonly IssuedToken[] {
  const tokens = new Map<string, IssuedToken>()
  for (const message of messages) {
    const json = message.kind === 'token_request' ? answeredJson(message) : undefined
    for (const kind of KINDS) {
      for (const value of [textMember(json, kind), message.answer?.fields.get(kind)]) {
        if (value !== undefined && !tokens.has(value)) tokens.set(value, { kind, value, message })
      }
    }
  }
  return [...tokens.values()]
}
