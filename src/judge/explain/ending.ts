import type { ConversationOutcome, Draft } from './conversation.js'
import { answeredJson, issuedTokens, type Message, samlOf, statusOf, withheldFrom } from './message.js'

/** True for an error of a server: in its answer, or in the redirect that it sends. GitHub answers errors with 200. */
export function isRefused(message: Message): boolean {
  const status = statusOf(message)
  const [samlStatus = 'Success'] = samlOf(message)?.status ?? []
  if (samlStatus !== 'Success') return true
  if (message.answer?.fields.has('error') || (status >= 400 && status < 500)) return true
  return message.kind === 'token_request' && typeof answeredJson(message)?.error === 'string'
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
])

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
  return good && (unread || ENDS.has(end.kind)) ? 'granted' : 'unfinished'
}
