import type { Captured, CapturedBody } from '../../client/capture/captured.js'
import { type HeaderList, isNamed } from '../../protocol/http/message.js'
import { isTypedName } from '../../protocol/safe-output/secret-names.js'
import { isDeeper, isJsonObject, parsedObject } from '../../protocol/values.js'
import type { MessageKind } from './recorded.js'

/** Stands in the place of a value that is never kept. */
export const REMOVED = 'removed-by-oauth-lab'

/** Parameters of requests that a browser brings to an authorization server. */
const REQUEST =
  `client_id redirect_uri response_type response_mode scope state nonce code_challenge code_challenge_method prompt
  max_age ui_locales id_token_hint login_hint acr_values request request_uri claims resource audience dpop_jkt display
  authorization_details SAMLRequest RelayState SigAlg Signature post_logout_redirect_uri logout_hint`.split(
    /\s+/,
  )

/** Parameters of answers that a browser brings to a client. */
const RESPONSE =
  `code state iss error error_description error_uri id_token access_token token_type expires_in scope session_state
  response SAMLResponse RelayState SigAlg Signature`.split(/\s+/)

/** Parameters that are kept of a body that a browser posts. Every other one may be what a person typed. */
const KEPT: Partial<Record<MessageKind, ReadonlySet<string>>> = {
  login: new Set(),
  authorization_request: new Set(REQUEST),
  saml_request: new Set(REQUEST),
  logout_request: new Set(REQUEST),
  authorization_response: new Set(RESPONSE),
  saml_response: new Set(RESPONSE),
}

/** Kinds of exchanges whose bodies are of no interest: the content of an API, or of another site. */
const WITHOUT_BODIES: ReadonlySet<MessageKind> = new Set(['resource_request', 'leak'])

/** Deepest nesting of JSON that is kept. */
const MAX_DEPTH = 32

/** Replaces values in a form. The text around them stays as it was sent. */
function scrubPairs(form: string, isKept: (name: string) => boolean): string {
  return form
    .split('&')
    .map(part => {
      const end = part.indexOf('=')
      if (end < 0) return isKept(part) ? part : REMOVED
      return isKept(decodedName(part.slice(0, end))) ? part : `${part.slice(0, end)}=${REMOVED}`
    })
    .join('&')
}

function decodedName(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '))
  } catch {
    return name
  }
}

const isImpersonal = (name: string): boolean => !isTypedName(name)

/** Replaces what a person typed in the query or fragment of an address. */
function scrubUrl(url: string): string {
  const [, address = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(url) ?? []
  return (
    address +
    rest.replace(
      /([?#])([^?#]*)/g,
      (_all, mark: string, form: string) => mark + scrubPairs(form, isImpersonal),
    )
  )
}

function scrubJson(value: unknown, name = ''): unknown {
  if (isTypedName(name) && typeof value !== 'boolean') return REMOVED
  if (Array.isArray(value)) return value.map(each => scrubJson(each))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([each, inner]) => [each, scrubJson(inner, each)]))
}

/** A body that a program sent: its form or its JSON, without passwords. */
function scrubProgramBody(text: string): string {
  if (!/^\s*[{[]/.test(text)) return scrubPairs(text, isImpersonal)
  const value = parsedObject(text)
  return value && !isDeeper(value, MAX_DEPTH) ? JSON.stringify(scrubJson(value)) : REMOVED
}

function scrubBody({ body }: Captured, kind: MessageKind): CapturedBody {
  const { size, text } = body
  if (text === undefined || text === '') return body
  if (WITHOUT_BODIES.has(kind)) return { size }
  const kept = KEPT[kind]
  if (kept === undefined) return { size, text: scrubProgramBody(text) }
  // Scripts post JSON with members of any name. What is no form is not kept.
  if (/^\s*[{[]|\n/.test(text)) return { size }
  return { size, text: scrubPairs(text, name => kept.has(name)) }
}

/** The password of a person travels in `Authorization: Basic` of a browser; a program proves itself as a client by it. */
function scrubHeaders(headers: HeaderList, isBrowser: boolean): HeaderList {
  return headers.map(each => {
    if (isNamed(each, 'referer') || isNamed(each, 'location')) return [each[0], scrubUrl(each[1])]
    const isTyped = isBrowser && isNamed(each, 'authorization') && /^(?:basic|digest)\b/i.test(each[1])
    return isTyped ? [each[0], `Basic ${REMOVED}`] : each
  })
}

/**
 * Returns an exchange without what a person typed: passwords, one-time codes, and every field of a login form. It is done before
 * the exchange is kept.
 */
export function scrub(captured: Captured, kind: MessageKind): Captured {
  const { answer, headers } = captured
  const fromBrowser = captured.side === 'server' && headers.some(each => isNamed(each, 'sec-fetch-site'))
  const isFront = captured.side === 'browser' || fromBrowser
  const scrubbed = {
    ...captured,
    url: scrubUrl(captured.url),
    headers: scrubHeaders(headers, isFront),
    body: scrubBody(captured, kind),
  }
  if (answer === undefined) return scrubbed
  const body = WITHOUT_BODIES.has(kind) ? { size: answer.body.size } : answer.body
  return { ...scrubbed, answer: { ...answer, headers: scrubHeaders(answer.headers, false), body } }
}
