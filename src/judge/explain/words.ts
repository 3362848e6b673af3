import { readFields } from '../../protocol/http/form.js'
import { type HttpResponse, header, headerValues, mediaType, splitUrl } from '../../protocol/http/message.js'
import { parseChallenges } from '../../protocol/oauth/bearer.js'
import { isJsonObject, parsedJson } from '../../protocol/values.js'
import type { MessageKind, Recorded } from './recorded.js'

/** Text of a server about an error, as it stood: a code, a sentence, or both. */
export interface ServerWords {
  readonly code?: string
  readonly text?: string
}

/** Longest sentence that is quoted, in characters. */
const LONGEST = 300

/** Members with a code, and members with a sentence, the plainest first. */
const CODES = ['error', 'errorCode', 'error_code', 'errcode', 'code', 'status', 'type', '__type']
const SENTENCES = [
  ...[
    'error_description',
    'errorDescription',
    'errorSummary',
    'error_message',
    'errorMessage',
    'error_msg',
    'errmsg',
  ],
  ...['ExceptionMessage', 'exceptionMessage', 'message', 'Message', 'detail', 'description', 'msg', 'reason'],
  ...['error_reason', 'faultstring', 'value', 'title', 'stack'],
]

/** Members that hold the error one level deeper. */
const INNER =
  /^(?:[\w.]*errors?|fault|error_?causes?|cause|details?|messages?|result|response|err|body|data)$/i

const tidy = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, LONGEST)

/** Texts that say no more than that there is an error. */
const EMPTY = /^(?:|ok|success|true|error|fail(?:ed|ure)?|\d{3}|https?:\/\/\S*|about:blank)$/i

/** A JSON text that stands in a member, as in a line of a log. */
const isNested = (value: unknown): value is string =>
  typeof value === 'string' && /^\s*[[{].*[\]}]\s*$/s.test(value)

const firstText = (object: Readonly<Record<string, unknown>>, names: readonly string[]): string | undefined =>
  names
    .map(name => object[name])
    .find((value): value is string => typeof value === 'string' && !EMPTY.test(value) && !isNested(value))

function words(code: string | undefined, text: string | undefined): ServerWords | undefined {
  if (code === undefined && text === undefined) return undefined
  // A sentence in the place of a code is no code.
  if (code !== undefined && text === undefined && /\s/.test(code.trim())) return words(undefined, code)
  return {
    ...(code !== undefined && { code: tidy(code) }),
    ...(text !== undefined && text !== code && { text: tidy(text) }),
  }
}

/** The first text of a map from fields to sentences, such as `{ code: ['The code field is required.'] }`. */
function inFields(value: object): ServerWords | undefined {
  for (const each of Object.values(value)) {
    const text = Array.isArray(each) ? each[0] : each
    if (typeof text === 'string' && /\s/.test(text)) return words(undefined, text)
  }
  return undefined
}

/** Reads the words of a JSON answer: members, objects of members, lists of them. */
function inJson(value: unknown, depth = 0): ServerWords | undefined {
  if (depth > 4) return undefined
  if (isNested(value)) return inJson(parsed(value), depth + 1)
  if (typeof value === 'string') return value === '' ? undefined : words(undefined, value)
  if (Array.isArray(value)) {
    for (const each of value.slice(0, 10)) {
      const found = inJson(each, depth + 1)
      if (found) return found
    }
    return undefined
  }
  if (!isJsonObject(value)) return undefined
  const inner = Object.entries(value)
    .filter(([name, each]) => INNER.test(name) && (typeof each === 'object' || isNested(each)))
    .map(([, each]) => inJson(each, depth + 1) ?? (isJsonObject(each) ? inFields(each) : undefined))
    .find(each => each !== undefined)
  const number = ['errcode', 'error_code', 'code'].map(name => value[name]).find(each => Number(each) > 0)
  const { extensions } = value
  const code =
    firstText(value, CODES) ??
    (isJsonObject(extensions) ? firstText(extensions, CODES) : undefined) ??
    (typeof number === 'number' ? String(number) : undefined)
  const text = firstText(value, SENTENCES)
  if (inner === undefined) return words(code, text)
  return words(inner.code ?? code, inner.text ?? text)
}

/** A JSON text; undefined for any other. Some servers put characters before it, against scripts of other sites. */
function parsed(text: string): unknown {
  return parsedJson(text.replace(/^(?:\uFEFF|\)\]\}',?\s*)+/, ''))
}

/** The text of the first element with one of these names, in any namespace. */
const inElement = (xml: string, names: string): string | undefined =>
  new RegExp(`<(?:\\w+:)?(?:${names})\\b[^<>]{0,300}>\\s*([^<>]{1,2000})<`).exec(xml)?.[1]

/** Reads the words of an XML answer: OAuth, a fault of SOAP and WS-Trust, a status of SAML, an error of a store. */
function inXml(xml: string): ServerWords | undefined {
  const start = xml.slice(0, MAX_PAGE)
  const status = [...start.matchAll(/<(?:\w+:)?StatusCode\b[^<>]*\bValue="([^"]{1,200})"/g)].at(-1)?.[1]
  const text = inElement(
    start,
    'error_description|StatusMessage|faultstring|Text|Message|message|description',
  )
  const code =
    inElement(/<(?:\w+:)?Subcode\b.*/s.exec(start)?.[0] ?? '', 'Value') ??
    inElement(start, 'error|Code|code|ErrorCode|faultcode')
  return words(
    (status ?? code)?.trim().replace(/^.*:/, ''),
    text === undefined ? undefined : withoutEntities(text),
  )
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

/** A text without the entities of HTML and XML. One that is not known stays. */
export const withoutEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,6}));/gi, (whole, decimal, hexadecimal, name) => {
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
  /\b(?:redirect|callback|reply)[ _-]?(?:ur[il]s?|address)\b[^.<"]{0,80}\b(?:not|mismatch|invalid|blocked|does|unknown)\b[^<"]{0,80}/i,
  /\b(?:redirect_uri_mismatch|invalid_redirect_uri|invalid_client|invalid_request|invalid_scope|unauthorized_client|unsupported_response_type|access_denied|admin_policy_enforced|disallowed_useragent|org_internal)\b/,
  /\bCallback URL mismatch\b/i,
  /\bInvalid (?:parameter|redirect|client|username or password)[^.<"]{0,80}/i,
  /\b(?:Client not found|Unknown client|Missing parameters?)\b[^.<"]{0,80}/i,
  /\bThe 'redirect_uri' parameter must be\b[^.<"]{0,120}/i,
  /\b(?:OAUTH_[A-Z_]{5,60}|URL blocked)\b/,
  /\b(?:wrong|invalid|incorrect)\b[^.<"]{0,30}\b(?:password|username|e-?mail|credentials|passcode|code)\b/i,
  /\b(?:password|passcode|code) (?:is|was|has) (?:incorrect|wrong|invalid|expired)\b/i,
  /\b(?:account|user)\b[^.<"]{0,40}\b(?:locked|disabled|blocked|deactivated|expired)\b/i,
]

/** Headings by which a page reports a failure. */
const FAILURE =
  /\b(?:fail(?:ed|ure)|errors?|denied|went wrong|unauthori[sz]ed|forbidden|not allowed|could ?n[o'’]t|cannot|unable|expired)\b/i

/** The words of a page whose title, heading or alert reports a failure; undefined for any other page. */
export function failureOnPage(html: string): ServerWords | undefined {
  const start = html.slice(0, MAX_PAGE)
  const heads = start.matchAll(
    /<(?:title|h1|h2)\b[^<>]{0,300}>([^<]{1,300})<|(?:class|role|id)="[^"]{0,100}\b(?:alert|error)[^"]{0,100}"[^<>]{0,300}>\s*([^<]{3,300})</gi,
  )
  for (const [, heading, alert] of heads) {
    if (alert !== undefined ? alert.trim() !== '' : FAILURE.test(heading!)) {
      return words(undefined, pageText(html) || withoutEntities(heading ?? alert ?? ''))
    }
  }
  return undefined
}

/** True for a page that asks for a password. */
export const hasPasswordField = (html: string): boolean =>
  /<input\b[^<>]{0,500}\btype=["']?password\b/i.test(html.slice(0, MAX_PAGE))

/** Marks of a page about a person, and not about a request. */
const PERSONAL =
  /password|passcode|username|e-?mail|credentials|account|\buser\b|passwort|kennwort|mot de passe/i

/** True for words by which a server refuses what a person typed. */
export const isPersonal = ({ code, text = '' }: ServerWords): boolean =>
  code === undefined && PERSONAL.test(text)

/** The sentence of a text in which a mark stands. */
function sentenceAt(text: string, mark: RegExpExecArray): string {
  const before = text.slice(0, mark.index)
  const start = Math.max(...['. ', '! ', '? ', '"', '>'].map(each => before.lastIndexOf(each))) + 1
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
  if (/^(?:\uFEFF|\)\]\}',?\s*)*[[{]/.test(text)) return inJson(parsed(text)) ?? challenge
  const type = mediaType(response)
  if (
    /^<(?:\?xml|(?:\w+:)?(?:Envelope|OAuth|Error|Response)\b)/.test(text) ||
    (/[/+]xml$/.test(type) && !/html/.test(type))
  )
    return inXml(text) ?? challenge
  if (/^</.test(text) || /html/i.test(type)) return inPage(text, status) ?? challenge
  const pairs = /^[\w.]+=[^\s]*$/.test(text) ? new URLSearchParams(text) : undefined
  if (pairs?.has('error'))
    return words(pairs.get('error') ?? undefined, pairs.get('error_description') ?? undefined)
  return challenge ?? (status < 400 ? undefined : words(undefined, text))
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

/** A token in an answer, in JSON or in a form. Some servers answer errors with 200. */
const TOKENS = /\b(?:access|id|refresh)_token\b/

/** Returns code and sentence of an error answer; undefined for an answer that is no error. */
export function errorWords(message: Spoken): ServerWords | undefined {
  const { kind, recorded } = message
  const { response } = recorded.exchange
  if (response === undefined) return undefined
  const { status } = response
  if (status >= 400) return wordsOf(response)
  const isFront = kind === 'authorization_request' || kind === 'login'
  if (status >= 300) return isFront ? inLocation(message) : undefined
  if (kind === 'token_request') return TOKENS.test(response.body) ? undefined : wordsOf(response)
  return isFront ? wordsOf(response) : undefined
}
