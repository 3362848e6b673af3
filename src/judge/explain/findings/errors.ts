import { headerValues, splitUrl } from '../../../protocol/http/message.js'
import { parseChallenges } from '../../../protocol/oauth/bearer.js'
import type { Conversation } from '../conversation.js'
import { isFailed, isPending, isRefused } from '../ending.js'
import { type Finding, finding, type Judge } from '../finding.js'
import { answeredJson, type Message, statusOf, textMember, withheldFrom } from '../message.js'
import { errorAdvice } from './error-advice.js'

function said(error: string, description: string | undefined): string {
  return description === undefined ? error : `${error}, “${description.slice(0, 300)}”`
}

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
  const page = withheldFrom(message)
  if (page !== undefined) {
    const text = `the browser kept the answer of the ${name} from the page: no Access-Control-Allow-Origin allows ${page}`
    const next = `let the endpoint allow the origin ${page} (CORS)`
    return finding('fault', 'cors-missing', 'RFC 9700 §2.6', message, text, next)
  }
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
    const text = `the authorization server answered ${said(error, answer.fields.get('error_description'))}`
    const severity = isSilent && SILENT.has(error) ? 'remark' : 'fault'
    return finding(severity, 'authorization-error', 'RFC 6749 §4.1.2.1', message, text, errorAdvice(error))
  }
  const status = statusOf(message)
  if (kind === 'resource_request' || kind === 'userinfo_request') {
    const challenge = challengeOf(message)
    if (status !== 401 && challenge === undefined) return undefined
    const text = `${kind === 'userinfo_request' ? 'userinfo' : 'the API'} refused the token with ${status}${challenge ? `: ${said(challenge.error, challenge.description)}` : ''}`
    return finding(
      'fault',
      'token-refused',
      'RFC 6750 §3.1',
      message,
      text,
      errorAdvice(challenge?.error ?? 'invalid_token'),
    )
  }
  const json = answeredJson(message)
  const error = textMember(json, 'error')
  if (error !== undefined) {
    const text = `the ${kind.replaceAll('_', ' ')} was refused: ${said(error, textMember(json, 'error_description'))}`
    return finding('fault', 'request-refused', 'RFC 6749 §5.2', message, text, errorAdvice(error))
  }
  if (kind === 'login' || kind === 'authorization_response') return undefined
  const text = `the ${kind.replaceAll('_', ' ')} was answered with ${status}`
  const page =
    kind === 'authorization_request'
      ? 'read the page: most often the client_id or the redirect_uri is not registered'
      : undefined
  return finding(
    'fault',
    kind === 'authorization_request' ? 'request-shown-error' : 'request-refused',
    kind === 'authorization_request' ? 'RFC 6749 §4.1.2.1' : 'RFC 6749 §5.2',
    message,
    text,
    page,
  )
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
