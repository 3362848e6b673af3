import { header, headerValues, splitUrl } from '../../../protocol/http/message.js'
import { parseChallenges } from '../../../protocol/oauth/bearer.js'
import type { Conversation } from '../conversation.js'
import { isFailed, isPending, isRefused } from '../ending.js'
import { type Finding, finding, type Judge } from '../finding.js'
import { hasCredentials, type Message, statusOf, withheldFrom } from '../message.js'
import { quoted, wordsOf } from '../words.js'
import { adviceOn, errorAdvice } from './error-advice.js'

function said(error: string, description: string | undefined): string {
  return quoted(
    description === undefined ? { code: error } : { code: error, text: description.slice(0, 300) },
  )
}

/** Why a browser kept an answer from a page, or did not send the request (Fetch standard, "CORS protocol"). */
function blocked(message: Message): Finding | undefined {
  const { recorded, kind, around } = message
  const { request, response } = recorded.exchange
  const origin = header(request, 'origin')
  const name = kind.replaceAll('_', ' ')
  const fault = (id: string, text: string, next: string) =>
    finding('fault', id, 'RFC 9700 §2.6', message, text, next)
  const { request: asked, response: answered } = around?.preflight?.exchange ?? {}
  if (statusOf(message) === 0 && origin !== undefined && asked && answered) {
    const listed = (from: HttpHead, header: string) =>
      headerValues(from, header)
        .flatMap(value => value.toLowerCase().split(','))
        .map(each => each.trim())
    const { status } = answered
    if (status < 200 || status > 299) {
      const text = `the browser did not send the ${name}: its preflight (OPTIONS) was answered with ${status}`
      return fault('cors-preflight', text, `answer OPTIONS at this address with 2xx, and let ${origin} in`)
    }
    const allowed = header(answered, 'access-control-allow-origin')
    if (allowed === '*' || allowed === origin) {
      const names = listed(answered, 'access-control-allow-headers')
      const covered = (each: string) =>
        names.includes(each) || (names.includes('*') && each !== 'authorization')
      const missing = listed(asked, 'access-control-request-headers').filter(
        each => each !== '' && !covered(each),
      )
      if (missing.length > 0) {
        const text = `the browser did not send the ${name}: the preflight allows the origin, and not the request header ${missing.join(', ')}`
        const next = `let Access-Control-Allow-Headers name ${missing.join(', ')}, or do not send it to this server`
        return fault('cors-header', text, next)
      }
    }
  }
  const page = withheldFrom(message)
  if (page === undefined || response === undefined) return undefined
  const allows = header(response, 'access-control-allow-origin')?.trim()
  if (hasCredentials(request) && (allows === '*' || allows === page)) {
    const why =
      allows === '*'
        ? 'Access-Control-Allow-Origin: * does not go with them'
        : 'the answer has no Access-Control-Allow-Credentials: true'
    const text = `the page never got to read the answer of the ${name}: it was sent with cookies (credentials: include), and ${why}`
    return fault(
      'cors-credentials',
      text,
      'send the request without credentials: a token endpoint needs no cookies',
    )
  }
  const text = `the browser kept the answer of the ${name} from the page: no Access-Control-Allow-Origin allows ${page}`
  return fault('cors-missing', text, `let the endpoint allow the origin ${page} (CORS)`)
}

type HttpHead = Parameters<typeof headerValues>[0]

function failure(message: Message): Finding {
  const { recorded, kind } = message
  const { request } = recorded.exchange
  const name = kind.replaceAll('_', ' ')
  if (statusOf(message) >= 500) {
    const text = `the ${name} was answered with ${statusOf(message)}`
    return finding(
      'fault',
      'server-error',
      'RFC 9110 §15.6.1',
      message,
      text,
      'look into the log of the server, at this time',
    )
  }
  const kept = blocked(message)
  if (kept !== undefined) return kept
  const why = recorded.failure === undefined ? '' : ` (${recorded.failure})`
  const origin = request.headers.find(([header]) => /^origin$/i.test(header))?.[1]
  const text = `the ${name} to ${splitUrl(request.url).origin} got no answer${why}`
  const next =
    origin !== undefined && recorded.fromPage
      ? `the browser may have blocked it: let the endpoint allow the origin ${origin} (CORS)`
      : 'check the address, its certificate and the network'
  return finding('fault', 'no-answer', 'RFC 6749 §10.9', message, text, next)
}

function challengeOf(message: Message): { error: string; description: string | undefined } | undefined {
  const response = message.recorded.exchange.response
  if (response === undefined) return undefined
  for (const { parameters } of parseChallenges(headerValues(response, 'www-authenticate'))) {
    const error = parameters.error
    if (error !== undefined) return { error, description: parameters.error_description }
  }
  return undefined
}

/** The answers to a question without a page (prompt=none) that say that a page is needed (OpenID Connect Core §3.1.2.6). */
const SILENT = new Set([
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
])

function refusal(message: Message, isSilent: boolean): Finding | undefined {
  const { kind, answer } = message
  if (answer?.fields.has('error')) {
    const error = answer.fields.get('error') ?? ''
    const words = said(error, answer.fields.get('error_description'))
    const text = `the authorization server answered ${words}`
    const severity = isSilent && SILENT.has(error) ? 'remark' : 'fault'
    const next = adviceOn({ code: error, text: words }, message)
    return finding(severity, 'authorization-error', 'RFC 6749 §4.1.2.1', message, text, next, { words })
  }
  const status = statusOf(message)
  if (kind === 'resource_request' || kind === 'userinfo_request') {
    const challenge = challengeOf(message)
    if (status !== 401 && challenge === undefined) return undefined
    const words = challenge
      ? said(challenge.error, challenge.description)
      : message.words && quoted(message.words)
    const who = kind === 'userinfo_request' ? 'userinfo' : 'the API'
    const text = `${who} refused the token with ${status}${words ? `: ${words}` : ''}`
    const next = errorAdvice(challenge?.error ?? 'invalid_token')
    const more = words ? { words } : {}
    return finding('fault', 'token-refused', 'RFC 6750 §3.1', message, text, next, more)
  }
  const words = message.words ?? wordsOf(message.recorded.exchange.response)
  const more = words === undefined ? {} : { words: quoted(words) }
  const isFront =
    kind === 'authorization_request' || (kind === 'login' && status < 400 && words !== undefined)
  if (isFront) {
    const what = words === undefined ? `answered with ${status}` : `refused: ${quoted(words)}`
    const page = 'read the page: most often the client_id or the redirect_uri is not registered'
    const text = `the authorization request was ${what}`
    const next = (words && adviceOn(words, message)) ?? page
    return finding('fault', 'request-shown-error', 'RFC 6749 §4.1.2.1', message, text, next, more)
  }
  if (kind === 'login' || kind === 'authorization_response') return undefined
  const what = words === undefined ? `answered with ${status}` : `refused: ${quoted(words)}`
  const text = `the ${kind.replaceAll('_', ' ')} was ${what}`
  const next =
    words &&
    (adviceOn(words, message) ?? 'look up these words in the documentation of the server, or in its log')
  return finding('fault', 'request-refused', 'RFC 6749 §5.2', message, text, next, more)
}

/**
 * Names the errors that servers answered, by their codes. A fault that was found before an error explains it, so the error is
 * named only where there is none.
 */
export function judgeErrors(
  { messages, asked }: Conversation,
  causes: readonly Finding[],
): readonly Finding[] {
  const faults = causes.filter(({ severity }) => severity === 'fault').map(({ entry }) => entry)
  const isSilent = asked?.fields.get('prompt')?.split(' ').includes('none') === true
  const seen = new Set<string>()
  return messages.flatMap(message => {
    if (faults.some(entry => entry <= message.recorded.entry) || isPending(message)) return []
    // The server has named its reason.
    if ((message.recorded.report?.findings.length ?? 0) > 0) return []
    const found = isRefused(message)
      ? refusal(message, isSilent)
      : isFailed(message)
        ? failure(message)
        : undefined
    if (found === undefined || seen.has(`${found.name} ${found.text}`)) return []
    seen.add(`${found.name} ${found.text}`)
    return [found]
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
