import { readFields } from '../../protocol/http/form.js'
import { type HttpResponse, header, headerValues, mediaType, splitUrl } from '../../protocol/http/message.js'
import { parseChallenges } from '../../protocol/oauth/bearer.js'
import { isJsonObject } from '../../protocol/values.js'
import type { MessageKind, Recorded } from './recorded.js'

/** Text of a server about an error, as it stood: a code, a sentence, or both. */
export interface ServerWords {
  readonly code?: string
  readonly text?: string
}

/** Longest sentence that is quoted, in characters. */
const LONGEST = 300

/** Members with a code, and members with a sentence, the plainest first. */
const CODES = ['error', 'errorCode', 'error_code', 'code', 'status', 'type', '__type']
const SENTENCES = [
  ...['error_description', 'errorSummary', 'error_message', 'errorMessage', 'message', 'Message', 'detail'],
  ...['description', 'msg', 'reason', 'error_reason', 'faultstring', 'title'],
]

const tidy = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, LONGEST)

const firstText = (object: Readonly<Record<string, unknown>>, names: readonly string[]): string | undefined =>
  names.map(name => object[name]).find((value): value is string => typeof value === 'string' && value !== '')

function words(code: string | undefined, text: string | undefined): ServerWords | undefined {
  if (code === undefined && text === undefined) return undefined
  return {
    ...(code !== undefined && { code: tidy(code) }),
    ...(text !== undefined && text !== code && { text: tidy(text) }),
  }
}

/** Reads the words of a JSON answer: members, objects of members, lists of them. */
function inJson(value: unknown, depth = 0): ServerWords | undefined {
  if (depth > 3) return undefined
  if (Array.isArray(value)) {
    return value.slice(0, 10).reduce<ServerWords | undefined>((found, each) => {
      return found ?? (typeof each === 'string' ? words(undefined, each) : inJson(each, depth + 1))
    }, undefined)
  }
  if (!isJsonObject(value)) return undefined
  const inner = [value.error, value.errors, value.fault, value.errorCauses, value.Error]
    .map(each => (typeof each === 'object' ? inJson(each, depth + 1) : undefined))
    .find(each => each !== undefined)
  const code = firstText(value, CODES)
  const text = firstText(value, SENTENCES)
  if (inner === undefined) return words(code, text)
  return words(inner.code ?? code, inner.text ?? text)
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

const withoutEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|(\w{2,6}));/gi, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole
    const point = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal)
    return point > 0 && point < 0x110000 ? String.fromCodePoint(point) : ''
  })

/** Longest page that is read, in characters. */
const MAX_PAGE = 512 * 1024

/** Elements whose text nobody sees. */
const UNSEEN = /<(\/?)(?:script|style|head|title|template|noscript)\b[^<>]*>/gi

/** A page without unseen elements, in one pass: a pattern over whole elements would take quadratic time where none ends. */
function seenPart(html: string): string {
  let seen = ''
  let from = 0
  let depth = 0
  for (const tag of html.matchAll(UNSEEN)) {
    if (depth === 0) seen += `${html.slice(from, tag.index)} `
    depth = Math.max(0, depth + (tag[1] === '/' ? -1 : 1))
    from = tag.index + tag[0].length
  }
  return depth === 0 ? seen + html.slice(from) : seen
}

/** The text of a page that a person sees, on one line. */
export function pageText(html: string): string {
  const seen = seenPart(html.slice(0, MAX_PAGE)).replace(/<[^<>]*>/g, ' ')
  return withoutEntities(seen).replace(/\s+/g, ' ').trim()
}

const titleOf = (html: string): string | undefined => {
  const title = /<title[^<>]{0,200}>([^<]{1,200})</i.exec(html.slice(0, MAX_PAGE))?.[1]
  return title === undefined ? undefined : tidy(withoutEntities(title))
}

/** Marks of an error on a page, whatever its status: those of Entra, Google, Auth0, Keycloak, Okta, and the codes of OAuth. */
const MARKS = [
  /\bAADSTS\d{4,7}\b/,
  /\b(?:redirect_uri_mismatch|invalid_redirect_uri|invalid_client|invalid_request|invalid_scope|unauthorized_client|unsupported_response_type|access_denied|admin_policy_enforced|disallowed_useragent|org_internal)\b/,
  /\bCallback URL mismatch\b/i,
  /\bInvalid (?:parameter|redirect|client|username or password)[^.<"]{0,80}/i,
  /\b(?:Client not found|Unknown client|Missing parameters?)\b[^.<"]{0,80}/i,
  /\bThe 'redirect_uri' parameter must be\b[^.<"]{0,120}/i,
]

/** The sentence of a text in which a mark stands. */
function sentenceAt(text: string, mark: RegExpExecArray): string {
  const before = text.slice(0, mark.index)
  const start = Math.max(before.lastIndexOf('. '), before.lastIndexOf('"'), before.lastIndexOf('>')) + 1
  const end = /[.!?](?=\s|"|<|$)|["<\n]|\\u003c/.exec(text.slice(mark.index + mark[0].length))
  const stop =
    end === null ? text.length : mark.index + mark[0].length + end.index + (/[.!?]/.test(end[0]) ? 1 : 0)
  return tidy(text.slice(start, stop))
}

function inPage(html: string, status: number): ServerWords | undefined {
  const text = pageText(html)
  // Entra has its sentence in a script of the page.
  const entra = /\bAADSTS\d{4,7}: [^"<\\]{1,2000}/.exec(html.slice(0, MAX_PAGE))?.[0]
  if (entra !== undefined) return words(entra.split(':', 1)[0], withoutEntities(entra))
  for (const mark of MARKS) {
    const found = mark.exec(text)
    if (found) return words(/^[\w.]+$/.test(found[0]) ? found[0] : undefined, sentenceAt(text, found))
  }
  if (status < 400) return undefined
  const named =
    /id="(?:kc-error-message|error-message|error_description)"[^<>]{0,500}>(.{1,2000}?)<\/(?:div|section|body)/is.exec(
      html,
    )
  const said = named?.[1] === undefined ? text : pageText(named[1])
  return words(undefined, said === '' ? titleOf(html) : said)
}

/**
 * Returns what a server said in an error answer: in members of JSON or of a form, on a page, in a challenge, as plain text. Undefined for an answer
 * that says nothing about an error.
 */
export function wordsOf(response: HttpText | undefined): ServerWords | undefined {
  if (response === undefined) return undefined
  const { body, status } = response
  const challenge = parseChallenges(headerValues(response, 'www-authenticate'))
    .map(({ parameters }) => words(parameters.error, parameters.error_description))
    .find(each => each !== undefined)
  if (challenge?.text !== undefined) return challenge
  const text = body.trim()
  if (text === '') return challenge
  if (/^[[{]/.test(text)) {
    try {
      return inJson(JSON.parse(text)) ?? challenge
    } catch {
      return challenge
    }
  }
  if (/^</.test(text) || /html/i.test(mediaType(response))) return inPage(text, status) ?? challenge
  if (status < 400) return challenge
  const pairs = /^[\w.]+=[^\s]*$/.test(text) ? new URLSearchParams(text) : undefined
  if (pairs?.has('error'))
    return words(pairs.get('error') ?? undefined, pairs.get('error_description') ?? undefined)
  return challenge ?? words(undefined, text)
}

/** An answer whose body is text. */
type HttpText = Pick<HttpResponse, 'status' | 'headers'> & { readonly body: string }

/** Words for a sentence: `invalid_client, “No such application.”`. */
export function quoted({ code, text }: ServerWords): string {
  if (text === undefined) return code ?? ''
  return code === undefined || text.startsWith(code) ? `“${text}”` : `${code}, “${text}”`
}

/** An error that a redirect carries elsewhere than to the client, such as to an error page of the server. */
function inLocation({ recorded, answer }: Spoken): ServerWords | undefined {
  const { response } = recorded.exchange
  const location = response && header(response, 'location')
  if (location === undefined || answer !== undefined) return undefined
  const fields = readFields(splitUrl(location).query)
  return words(fields.get('error'), fields.get('error_description'))
}

/** An exchange of OAuth whose answer may name an error. */
interface Spoken {
  readonly kind: MessageKind
  readonly recorded: Recorded
  readonly answer?: object
}

/** Returns code and sentence of an error answer; undefined for an answer that is no error. */
export function errorWords(message: Spoken): ServerWords | undefined {
  const { kind, recorded } = message
  const { response } = recorded.exchange
  if (response === undefined) return undefined
  const { status } = response
  if (status >= 400) return wordsOf(response)
  const isFront = kind === 'authorization_request' || kind === 'login'
  if (status >= 300) return isFront ? inLocation(message) : undefined
  return isFront ? wordsOf(response) : undefined
}
