import { header, headerValues, splitUrl } from '../../../protocol/http/message.js'
import { parseChallenges } from '../../../protocol/oauth/bearer.js'
import type { Conversation } from '../conversation.js'
import { isFailed, isOvercome, isPending, isRefused } from '../ending.js'
import { type Finding, finding, type Judge } from '../finding.js'
import type { FindingName } from '../finding-catalogue.js'
import { adviceOn, knownError } from '../known-errors.js'
import { errorByMessage } from '../known-messages.js'
import {
  hasCredentials,
  isCall,
  isGoodCall,
  issuedTokens,
  type Message,
  originOf,
  placeOf,
  statusOf,
  withheldFrom,
} from '../message.js'
import type { Recorded } from '../recorded.js'
import { isPersonal, pageText, quoted, type ServerWords, wordsOf } from '../words.js'

function said(error: string, description: string | undefined): string {
  return quoted(
    description === undefined ? { code: error } : { code: error, text: description.slice(0, 300) },
  )
}

/** A fault and the next move: text, name and advice of a finding. */
type Told = readonly [name: FindingName, text: string, next: string]

/** Values of a header that is a list, in lower case. */
const listed = (from: HttpHead, name: string): string[] =>
  headerValues(from, name)
    .flatMap(value => value.toLowerCase().split(','))
    .map(each => each.trim())
    .filter(each => each !== '')

type HttpHead = Parameters<typeof headerValues>[0]

/** Returns what a preflight does not allow; undefined where it allows the request (Fetch standard, "CORS-preflight fetch"). */
function judgePreflight(
  asked: HttpHead,
  answered: HttpHead & { status: number },
  origin: string,
  what: string,
): Told | undefined {
  const unsent = `the browser did not send the ${what}`
  if (answered.status < 200 || answered.status > 299) {
    const text = `${unsent}: its preflight (OPTIONS) was answered with ${answered.status}`
    return [
      'cors-preflight',
      text,
      `answer OPTIONS at this address with 2xx, without asking for a token, and let ${origin} in`,
    ]
  }
  const allowed = headerValues(answered, 'access-control-allow-origin').join(', ')
  if (allowed !== '*' && allowed !== origin) {
    const text = `${unsent}: the answer to its preflight (OPTIONS) ${allowed === '' ? 'has no Access-Control-Allow-Origin' : `allows the origin ${allowed}`}, and the page is of ${origin}`
    return ['cors-preflight', text, `let the endpoint allow the origin ${origin} (CORS)`]
  }
  const names = listed(answered, 'access-control-allow-headers')
  const missing = listed(asked, 'access-control-request-headers').filter(
    each => !names.includes(each) && (each === 'authorization' || !names.includes('*')),
  )
  if (missing.length > 0) {
    const text = `${unsent}: the preflight allows the origin, and not the request header ${missing.join(', ')}`
    return [
      'cors-header',
      text,
      `let Access-Control-Allow-Headers name ${missing.join(', ')}, or do not send it to this server`,
    ]
  }
  const [method = ''] = listed(asked, 'access-control-request-method')
  const methods = listed(answered, 'access-control-allow-methods')
  if (['', 'get', 'head', 'post', '*'].includes(method) || methods.includes(method) || methods.includes('*'))
    return undefined
  const text = `${unsent}: the preflight allows the origin, and not the method ${method.toUpperCase()}`
  return ['cors-header', text, `let Access-Control-Allow-Methods name ${method.toUpperCase()}`]
}

/** True for a preflight after which no browser sends the request. */
export function refusesRequest({ exchange: { request, response } }: Recorded): boolean {
  const origin = header(request, 'origin')
  return (
    origin !== undefined &&
    response !== undefined &&
    judgePreflight(request, response, origin, 'request') !== undefined
  )
}

/** Why a browser kept an answer from a page, or did not send the request (Fetch standard, "CORS protocol"). */
function blocked(message: Message): Told | undefined {
  const { recorded, kind, around } = message
  const { request, response } = recorded.exchange
  const origin = header(request, 'origin')
  const name = kind.replaceAll('_', ' ')
  const { request: asked, response: answered } = around?.preflight?.exchange ?? {}
  if (statusOf(message) === 0 && origin !== undefined && asked && answered) {
    return judgePreflight(asked, answered, origin, name)
  }
  const page = withheldFrom(message)
  if (page === undefined || response === undefined) return undefined
  const allows = headerValues(response, 'access-control-allow-origin').join(', ').trim()
  if (FRONT.test(kind)) {
    const text = `a script sent the ${name}, and the browser kept the answer from it: no server allows scripts to read its login page`
    return [
      'cors-missing',
      text,
      'send the browser there: set location of the page, or answer a script with 401 instead of a redirect to the login',
    ]
  }
  if (hasCredentials(request) && (allows === '*' || allows === page)) {
    const why =
      allows === '*'
        ? 'Access-Control-Allow-Origin: * does not go with them'
        : 'the answer has no Access-Control-Allow-Credentials: true'
    const text = `the page never got to read the answer of the ${name}: it was sent with cookies (credentials: include), and ${why}`
    return [
      'cors-credentials',
      text,
      'send the request without credentials: a token endpoint needs no cookies',
    ]
  }
  const instead = allows === '' ? '' : `: it is ${allows}`
  const text = `the browser kept the answer of the ${name} from the page: no Access-Control-Allow-Origin allows ${page}${instead}`
  return ['cors-missing', text, `let the endpoint allow the origin ${page} (CORS)`]
}

const FRONT = /^(?:authorization_request|login)$/

/** Judges what a browser kept from a page: answers (CORS), and pages of the server in frames. */
export const judgeBrowser: Judge = ({ messages, answers }) =>
  messages.flatMap(message => {
    const told = blocked(message) ?? (answers.length === 0 ? framed(message) : undefined)
    if (told === undefined) return []
    const [name, text, next] = told
    return [finding('fault', name, 'RFC 9700 §2.6', message, text, next)]
  })

/** A page of the server that no frame may show, and that was loaded in one. */
function framed({ kind, recorded: { exchange } }: Message): Told | undefined {
  const { request, response } = exchange
  if (response === undefined || response.status >= 300 || !FRONT.test(kind)) return undefined
  if (!/^i?frame$/.test(header(request, 'sec-fetch-dest') ?? '')) return undefined
  const policy = /frame-ancestors ([^;]*)/i.exec(
    headerValues(response, 'content-security-policy').join('; '),
  )?.[1]
  const rule = policy === undefined ? header(response, 'x-frame-options') : `frame-ancestors ${policy.trim()}`
  if (rule === undefined || policy?.includes('*')) return undefined
  const text = `the server answered with a page that no frame of another site may show (${rule}): the person has to do something, and the frame stays empty`
  return [
    'frame-refused',
    text,
    'log in by a redirect of the whole page, or a window of its own; renew by refresh tokens',
  ]
}

/** The reasons of browsers and programs for an exchange without an answer, and what they mean. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_|EPROTO|SEC_ERROR|PKIX/i,
    'the TLS connection failed: the client does not trust the certificate of the server',
  ],
  [/ABORTED/i, 'the page went away before the answer came'],
  [/BLOCKED_BY_CLIENT/i, 'an extension of the browser blocked it'],
  [/REFUSED/i, 'nothing listens at this address'],
  [/NAME_NOT_RESOLVED|ENOTFOUND|EAI_AGAIN|UNKNOWN_HOST/i, 'the host name is not known'],
  [/TIMED_?OUT|CONNECT_TIMEOUT|NET_TIMEOUT/i, 'no answer came in time'],
  [/^csp$|BLOCKED_BY_CSP/i, 'the Content-Security-Policy of the page forbids it'],
  [/mixed/i, 'a page of https may not call http'],
]

function failure(message: Message): Finding {
  const { recorded, kind } = message
  const { request } = recorded.exchange
  const name = kind.replaceAll('_', ' ')
  const status = statusOf(message)
  if (status >= 500) {
    const said = message.words && quoted(message.words)
    const text = `the ${name} was answered with ${status}${said ? `: ${said}` : ''}`
    const next =
      (message.words && adviceOn(message.words, message)) ?? 'look into the log of the server, at this time'
    return finding(
      'fault',
      'server-error',
      'RFC 9110 §15.6.1',
      message,
      text,
      next,
      said ? { words: said } : {},
    )
  }
  const reason = recorded.failure
  const meaning = REASONS.find(([pattern]) => pattern.test(reason ?? ''))?.[1]
  const why = reason === undefined ? '' : meaning === undefined ? ` (${reason})` : `: ${meaning} (${reason})`
  const isTls = meaning === REASONS[0]![1]
  const text = `the ${name} to ${splitUrl(request.url).origin} got no answer${why}`
  const origin = header(request, 'origin')
  const next =
    (reason === undefined ? undefined : errorByMessage(reason)?.next) ??
    (meaning === undefined && origin !== undefined && recorded.fromPage
      ? `the browser may have blocked it: let the endpoint allow the origin ${origin} (CORS)`
      : meaning === REASONS[1]![1]
        ? 'let the page wait for the answer: a form that was also submitted, or a second redirect, ends the request'
        : 'check the address, its certificate and the network')
  return finding('fault', isTls ? 'tls-failed' : 'no-answer', 'RFC 6749 §10.9', message, text, next)
}

/** A token request that was answered with something else than tokens or an error. */
function withoutTokens(message: Message): Finding | undefined {
  const { kind, recorded } = message
  const response = recorded.exchange.response
  const status = statusOf(message)
  if (kind !== 'token_request' || response === undefined || status >= 400 || status === 0) return undefined
  if (recorded.lacks.includes('response body') || recorded.report || issuedTokens([message]).length > 0)
    return undefined
  const page = pageText(response.body).slice(0, 120)
  const to = header(response, 'location')
  const what =
    status >= 300
      ? `redirected (${status})${to === undefined ? '' : ` to ${placeOf(to)}`}`
      : /^\s*</.test(response.body)
        ? `answered with ${status} and a page of HTML${page ? `, “${page}”` : ''}`
        : `answered with ${status} and no token`
  const next =
    'check the address of the token endpoint in the metadata of the server:  oauth-lab discover URL'
  return finding('fault', 'no-tokens', 'RFC 6749 §5.1', message, `the token request was ${what}`, next)
}

/** An API that asks for a token, which the page has and does not send. */
export const judgeBareCalls: Judge = ({ messages }) =>
  messages.flatMap(message => {
    const bare = message.around?.bareCall
    if (bare === undefined || issuedTokens([message]).length === 0) return []
    const text = `the page got tokens, and its call of ${bare.url} (entry ${bare.entry}) went without one: 401`
    const next = 'send the access token with the call:  Authorization: Bearer TOKEN'
    return [finding('fault', 'token-not-sent', 'RFC 6750 §2.1', message, text, next)]
  })

function challengeOf(message: Message): { error: string; description: string | undefined } | undefined {
  const response = message.recorded.exchange.response
  if (response === undefined) return undefined
  for (const { parameters } of parseChallenges(headerValues(response, 'www-authenticate'))) {
    const error = parameters.error
    if (error !== undefined) return { error, description: parameters.error_description }
  }
  return undefined
}

/** The next move after a status without words that are known. */
const BY_STATUS: Readonly<Record<number, string>> = {
  401: knownError({ code: 'invalid_client' })!.next,
  404: 'check the address: the server has nothing there; its metadata name its endpoints',
  405: 'send a POST, to the address that the metadata name',
  415: 'send the parameters as a form: Content-Type: application/x-www-form-urlencoded',
  429: 'wait as long as Retry-After says, and ask for fewer tokens: keep them until they expire',
}

/** `refused: invalid_grant, “…”`; with the status where the words are no code. */
function whatOf(status: number, words: ServerWords | undefined): string {
  if (words === undefined) return `answered with ${status}`
  return words.code === undefined && status >= 400
    ? `refused with ${status}: ${quoted(words)}`
    : `refused: ${quoted(words)}`
}

function refusal(message: Message): Finding | undefined {
  const { kind, answer } = message
  if (answer?.fields.has('error')) {
    const error = answer.fields.get('error') ?? ''
    const words = said(error, answer.fields.get('error_description'))
    const text = `the authorization server answered ${words}`
    const next = adviceOn({ code: error, text: words }, message)
    return finding('fault', 'authorization-error', 'RFC 6749 §4.1.2.1', message, text, next, { words })
  }
  const status = statusOf(message)
  if (isCall(message)) {
    const challenge = challengeOf(message)
    if (status !== 401 && status !== 403 && challenge === undefined) return undefined
    const words = challenge
      ? said(challenge.error, challenge.description)
      : message.words && quoted(message.words)
    const who = kind === 'userinfo_request' ? 'userinfo' : 'the API'
    const text = `${who} refused the token with ${status}${words ? `: ${words}` : ''}`
    const code = challenge?.error ?? (status === 403 ? 'insufficient_scope' : 'invalid_token')
    const next = adviceOn(challenge || !message.words ? { code } : { code, ...message.words }, message)
    const more = words ? { words } : {}
    return finding('fault', 'token-refused', 'RFC 6750 §3.1', message, text, next, more)
  }
  const { response } = message.recorded.exchange
  const words = message.words ?? wordsOf(response)
  const more = words === undefined ? {} : { words: quoted(words) }
  const isFront = kind === 'authorization_request' || (kind === 'login' && words !== undefined)
  if (isFront) {
    if (words !== undefined && isPersonal(words)) {
      const text = `the server refused the person: ${quoted(words)}`
      const next = knownError({ code: 'invalid_username_password' })!.next
      return finding('fault', 'login-failed', 'RFC 6749 §4.1.2.1', message, text, next, more)
    }
    const what = whatOf(status, words)
    const page = 'read the page: most often the client_id or the redirect_uri is not registered'
    const text = `the authorization request was ${what}`
    const next = (words && adviceOn(words, message)) ?? page
    return finding('fault', 'request-shown-error', 'RFC 6749 §4.1.2.1', message, text, next, more)
  }
  if (kind === 'login' || kind === 'authorization_response') return undefined
  const schemes =
    response && parseChallenges(headerValues(response, 'www-authenticate')).map(({ scheme }) => scheme)
  const wants = words === undefined && schemes?.length ? `; the server wants ${schemes.join(' or ')}` : ''
  const text = `the ${kind.replaceAll('_', ' ')} was ${whatOf(status, words)}${wants}`
  const next =
    words === undefined
      ? BY_STATUS[status]
      : (adviceOn(words, message) ??
        BY_STATUS[status] ??
        'look up these words in the documentation of the server, or in its log')
  return finding('fault', 'request-refused', 'RFC 6749 §5.2', message, text, next, more)
}

/** True for a refusal by the permissions of one call, where the same API took the token for another. */
const isOneCall = (message: Message, messages: readonly Message[]): boolean =>
  message.kind === 'resource_request' &&
  statusOf(message) === 403 &&
  messages.some(
    each => each.kind === 'resource_request' && isGoodCall(each) && originOf(each) === originOf(message),
  )

/**
 * Names the errors that servers answered, by their codes. A fault that was found before an error explains it, so the error is
 * named only where there is none. One that was overcome is a remark.
 */
export function judgeErrors(conversation: Conversation, causes: readonly Finding[]): readonly Finding[] {
  const { messages } = conversation
  const faults = causes.filter(({ severity }) => severity === 'fault')
  const seen = new Set<string>()
  return messages.flatMap(message => {
    // A client answers its callback after it has redeemed the code: what comes of that explains the answer, and not the other way round.
    const isCause = ({ name, entry }: Finding) =>
      entry <= message.recorded.entry && (name !== 'callback-refused' || message.kind !== 'token_request')
    if (faults.some(isCause) || isPending(message)) return []
    // The server has named its reason.
    if ((message.recorded.report?.findings.length ?? 0) > 0) return []
    const isPast = isOvercome(message, messages)
    if ((isPast && FRONT.test(message.kind)) || isOneCall(message, messages)) return []
    const found = isRefused(message)
      ? refusal(message)
      : isFailed(message)
        ? failure(message)
        : withoutTokens(message)
    if (found === undefined || seen.has(`${found.name} ${found.text}`)) return []
    if (isPast && /use_dpop_nonce/.test(found.words ?? '')) return []
    seen.add(`${found.name} ${found.text}`)
    return [
      isPast
        ? { ...found, severity: 'remark' as const, text: `${found.text}; a later request succeeded` }
        : found,
    ]
  })
}

/** A person who mistypes a password and then logs in has lost nothing. */
function judgeMessage(message: Message, later: readonly Message[]): Finding[] {
  const { entry, report } = message.recorded
  const wentOn =
    message.kind === 'login' && later.some(({ answer, kind }) => answer || kind === 'token_request')
  return (report?.findings ?? []).map(each => ({
    ...each,
    ...(wentOn && each.severity === 'fault' && { severity: 'remark' as const }),
    entry,
  }))
}

/** A code that never came back, where the server that issued it would have seen its token request. */
function judgeUnredeemed(messages: readonly Message[]): Finding[] {
  const issuing = messages.findLast(({ answer }) => answer?.isPartial && answer.fields.has('code'))
  const isExplained = messages.some(
    ({ kind, recorded }) =>
      kind === 'token_request' || recorded.report?.findings.some(({ severity }) => severity === 'fault'),
  )
  if (issuing === undefined || isExplained) return []
  const text = 'the code was not redeemed: no token request of the client came before the recording ended'
  const next =
    'look into the log of the client: it may have refused the callback, as for its state or its iss'
  return [finding('remark', 'code-unredeemed', 'RFC 6749 §4.1.3', issuing, text, next)]
}

/** Takes over the refusals and remarks of the server itself, where a recording has its report. */
export const judgeReported: Judge = ({ messages }) => [
  ...messages.flatMap((message, i) => judgeMessage(message, messages.slice(i + 1))),
  ...judgeUnredeemed(messages),
]
