import type { Conversation, ConversationOutcome, Draft } from './conversation.js'
import {
  answeredJson,
  isCall,
  issuedTokens,
  type Message,
  originOf,
  samlOf,
  statusOf,
  withheldFrom,
} from './message.js'
import { isArrival } from './recorded.js'
import { pageText } from './words.js'

/** True for an error of a server: in its answer, or in the redirect that it sends. GitHub answers errors with 200. */
export function isRefused(message: Message): boolean {
  const status = statusOf(message)
  const [samlStatus = 'Success'] = samlOf(message)?.status ?? []
  if (samlStatus !== 'Success') return true
  if (message.answer?.fields.has('error') || (status >= 400 && status < 500)) return true
  if (status < 400 && message.words !== undefined) return true
  return message.kind === 'token_request' && answeredJson(message)?.error !== undefined
}

/** True for a message without a usable answer. */
export function isFailed(message: Message): boolean {
  const { kind, recorded } = message
  if (statusOf(message) !== 0) return statusOf(message) >= 500 || withheldFrom(message) !== undefined
  // A proxy names no reason. A callback of the lab's own browser is an address that nothing was sent to.
  return recorded.failure !== undefined || kind === 'token_request'
}

/** True for the answers that make a device go on polling (RFC 8628 §3.5). */
export function isPending(message: Message): boolean {
  const error = answeredJson(message)?.error
  return error === 'authorization_pending' || error === 'slow_down'
}

/** Kinds of messages whose success ends a conversation of their own. */
const ENDS = new Set([
  'resource_request',
  'userinfo_request',
  'saml_response',
  'logout_request',
  'registration',
  'introspection_request',
  'revocation_request',
])

/** True for a callback after which the page of the application came, without another login. */
const landedWell = ({ around }: Message): boolean =>
  around?.aftermath?.end === 'page' && around.aftermath.refusedCall === undefined

/** Messages of the browser to the server, which may be tried until there is an answer: wrong passwords, Kerberos, a second factor. */
const FRONT = /^(?:authorization_request|login|saml_request)$/

/** True for a request that did not succeed, and after which the same one did: a retry, a nonce of DPoP, a renewed token. */
export function isOvercome(message: Message, messages: readonly Message[]): boolean {
  if (!isRefused(message) && !isFailed(message)) return false
  const later = messages.filter(({ recorded }) => recorded.entry > message.recorded.entry)
  if (FRONT.test(message.kind)) {
    return (
      message.answer === undefined && later.some(({ answer, kind }) => answer || kind === 'saml_response')
    )
  }
  if (message.kind !== 'token_request' && !isCall(message)) return false
  return later.some(each => {
    if (each.kind !== message.kind || originOf(each) !== originOf(message)) return false
    if (message.kind === 'token_request' && issuedTokens([each]).length === 0) return false
    return statusOf(each) > 0 && !isRefused(each) && !isFailed(each)
  })
}

/** Returns how a conversation ended: by its last token request, else by its other messages. */
export function outcomeOf({ messages }: Pick<Draft, 'messages'>): ConversationOutcome {
  const last = messages.findLast(({ kind }) => kind === 'token_request')
  const deciding = last
    ? [last]
    : messages.filter(each => each.kind !== 'leak' && !isOvercome(each, messages))
  if (last && isPending(last)) return 'unfinished'
  if (deciding.some(isRefused)) return 'refused'
  if (deciding.some(isFailed)) return 'failed'
  if (messages.some(({ around }) => around?.aftermath?.end === 'error')) return 'refused'
  if (issuedTokens(deciding).some(({ kind }) => kind !== 'refresh_token')) return 'granted'
  const end = deciding.at(-1)
  const good = end !== undefined && statusOf(end) >= 200 && statusOf(end) < 400
  // The body of a token answer may be left out of the recording.
  const unread = end === last && end?.recorded.lacks.includes('response body')
  if (last === undefined && deciding.some(landedWell)) return 'granted'
  if (messages.some(({ around }) => around?.aftermath !== undefined && around.aftermath.end !== 'page')) {
    return 'unfinished'
  }
  return good && (unread || ENDS.has(end.kind)) ? 'granted' : 'unfinished'
}

/** The facts after a callback, as a clause; undefined where nothing came. */
function landing(entry: number, { around }: Message): string | undefined {
  const { aftermath } = around ?? {}
  if (aftermath === undefined) return undefined
  const { path, status, end, refusedCall } = aftermath
  const page = `${path} (entry ${aftermath.entry})`
  if (end === 'restart')
    return `the client answered its callback (entry ${entry}), and ${page} began the login again`
  if (end === 'login') {
    return `the client answered its callback (entry ${entry}), and then showed its own login page ${page}: nobody was seen to be logged in`
  }
  if (refusedCall) {
    return `the page of the application came, and its call of ${refusedCall.path} (entry ${refusedCall.entry}) was answered with 401: nobody was seen to be logged in`
  }
  return `the client answered its callback (entry ${entry}), and the last thing seen is ${page}, answered with ${status}`
}

/** Returns the last fact about a conversation that has no known end, as a clause. */
export function lastSeen({ kind, messages }: Pick<Conversation, 'kind' | 'messages'>): string {
  const last = messages.filter(each => each.kind !== 'discovery' && each.kind !== 'keys').at(-1)
  if (last === undefined) return 'nothing of the login itself was seen'
  const { response } = last.recorded.exchange
  const { entry } = last.recorded
  const text =
    response === undefined || /^\s*[[{]/.test(response.body) ? '' : pageText(response.body).slice(0, 120)
  if (last.answer?.fields.has('error')) {
    return `the server answered ${last.answer.fields.get('error')} (entry ${entry}), and nothing came after it`
  }
  if (isArrival(last.kind)) {
    const said = text === '' ? '' : `, which showed “${text}”`
    return (
      landing(entry, last) ??
      `the ${last.kind === 'saml_response' ? 'response' : 'code'} arrived at the client (entry ${entry})${said}, and what the client did with it was not seen`
    )
  }
  if (last.answer?.fields.has('code')) {
    return `the server sent a code (entry ${entry}), and nobody was seen to redeem it`
  }
  if (last.kind === 'token_request' && (kind === 'device' || kind === 'ciba')) {
    return 'the person had not decided yet when the recording ended'
  }
  if (FRONT.test(last.kind) && statusOf(last) === 0) {
    return `the ${last.kind.replaceAll('_', ' ')} (entry ${entry}) got no answer from ${originOf(last)}`
  }
  if (FRONT.test(last.kind)) {
    const page = text === '' ? 'its answer' : `its page with the text “${text}”`
    return `the login never came back from the server: the last thing seen is ${page} (entry ${entry})`
  }
  return `the last thing seen is the ${last.kind.replaceAll('_', ' ')} (entry ${entry}), without an answer that ends it well`
}
