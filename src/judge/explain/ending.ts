import type { Conversation, ConversationOutcome, Draft } from './conversation.js'
import { answeredJson, issuedTokens, type Message, samlOf, statusOf, withheldFrom } from './message.js'
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
function landedWell({ kind, around }: Message): boolean {
  const aftermath = kind === 'authorization_response' ? around?.aftermath : undefined
  return aftermath !== undefined && aftermath.status > 0 && aftermath.status < 400 && !aftermath.restarts
}

/** True for a form that a server refused and that was sent again until there was an answer, such as one with a wrong password. */
function isTried(message: Message, messages: readonly Message[]): boolean {
  if (message.kind !== 'login' || message.answer) return false
  return messages.slice(messages.indexOf(message) + 1).some(({ answer }) => answer !== undefined)
}

/** Returns how a conversation ended: by its last token request, else by its other messages. */
export function outcomeOf({ messages }: Pick<Draft, 'messages'>): ConversationOutcome {
  const last = messages.findLast(({ kind }) => kind === 'token_request')
  const deciding = last ? [last] : messages.filter(each => each.kind !== 'leak' && !isTried(each, messages))
  if (last && isPending(last)) return 'unfinished'
  if (deciding.some(isRefused)) return 'refused'
  if (deciding.some(isFailed)) return 'failed'
  if (issuedTokens(deciding).some(({ kind }) => kind !== 'refresh_token')) return 'granted'
  const end = deciding.at(-1)
  const good = end !== undefined && statusOf(end) >= 200 && statusOf(end) < 400
  // The body of a token answer may be left out of the recording.
  const unread = end === last && end?.recorded.lacks.includes('response body')
  if (last === undefined && deciding.some(landedWell)) return 'granted'
  return good && (unread || ENDS.has(end.kind)) ? 'granted' : 'unfinished'
}

/** Returns the last fact about a conversation that has no known end, as a clause. */
export function lastSeen({ kind, messages }: Pick<Conversation, 'kind' | 'messages'>): string {
  const last = messages.filter(each => each.kind !== 'discovery' && each.kind !== 'keys').at(-1)
  if (last === undefined) return 'nothing of the login itself was seen'
  const { response } = last.recorded.exchange
  const { entry } = last.recorded
  if (last.answer?.fields.has('error')) {
    return `the server answered ${last.answer.fields.get('error')} (entry ${entry}), and nothing came after it`
  }
  if (last.answer?.fields.has('code')) {
    return last.kind === 'authorization_response'
      ? `the code arrived at the client (entry ${entry}), and what the client did with it was not seen`
      : `the server sent a code (entry ${entry}), and nobody was seen to redeem it`
  }
  if (last.kind === 'token_request' && (kind === 'device' || kind === 'ciba')) {
    return 'the person had not decided yet when the recording ended'
  }
  if (last.kind === 'authorization_request' || last.kind === 'login' || last.kind === 'saml_request') {
    const words = response === undefined ? '' : pageText(response.body).slice(0, 80)
    const page = words === '' ? 'its answer' : `its page with the text “${words}”`
    return `the login never came back from the server: the last thing seen is ${page} (entry ${entry})`
  }
  return `the last thing seen is the ${last.kind.replaceAll('_', ' ')} (entry ${entry}), without an answer that ends it well`
}
