import type { Conversation } from '../conversation.js'
import { type Finding, finding } from '../finding.js'
import { type Message, statusOf } from '../message.js'
import type { LostCookie } from '../surroundings.js'
import { quoted } from '../words.js'

/** Longest time between the starts of a loop, in milliseconds: a person does not log in again so soon. */
const SOON = 60_000

/** The callback of a login: the first request that brought the answer to the client. */
function callbackOf({ messages }: Pick<Conversation, 'messages'>): Message | undefined {
  return messages.find(
    ({ kind, answer }) => kind === 'authorization_response' && answer?.fields.has('error') === false,
  )
}

const isOpen = (conversation: Conversation): boolean =>
  conversation.outcome !== 'granted' && callbackOf(conversation) !== undefined

/** True where the second login began because the first came to nothing. */
function follows(first: Conversation, second: Conversation): boolean {
  const [from, to] = [callbackOf(first), second.asked?.message]
  if (from === undefined || to === undefined || first.clientId !== second.clientId || !isOpen(first))
    return false
  if (to.recorded.entry < from.recorded.entry) return false
  if (from.around?.aftermath?.restarts) return true
  const apart = to.recorded.sent - from.recorded.sent
  return Number.isNaN(apart) || apart <= SOON
}

/**
 * Counts how often a login was begun that never ended. Logins in a row count as one loop, which belongs to the first of them. Logins of which the last
 * ended well are no loop.
 */
export function countStarts(conversations: readonly Conversation[]): ReadonlyMap<Conversation, number> {
  const counts = new Map<Conversation, number>()
  const logins = conversations.filter(({ asked, answers }) => asked && answers.length > 0)
  for (let i = 0; i < logins.length; i++) {
    let last = i
    while (last + 1 < logins.length && follows(logins[last]!, logins[last + 1]!)) last += 1
    if (last > i && logins[last]!.outcome !== 'granted') counts.set(logins[i]!, last - i + 1)
    i = last
  }
  return counts
}

function aboutCookie({ name, setBy, lackedBy, why }: LostCookie): string {
  return `the cookie ${name}, which entry ${setBy} set, did not come with the request of entry ${lackedBy}: ${why}`
}

const COOKIE_MOVES: readonly (readonly [RegExp, string])[] = [
  [/goes over http$/, 'use https for every page of the application, also after the login'],
  [
    /behind a proxy/,
    'let the application trust X-Forwarded-Proto of its proxy, or give it its https address',
  ],
  [/posts the request/, 'set the cookie with SameSite=None; Secure, or ask for the answer without form_post'],
  [/SameSite=Strict/, 'set the cookie with SameSite=Lax'],
  [/^it belongs to/, 'use one host name throughout: that of the redirect_uri'],
  [/^its path/, 'set the cookie with Path=/'],
  [/browsers keep none/, 'keep the session at the server, and its id alone in the cookie'],
  [/without Secure/, 'set the cookie with Secure'],
]

function cookieMove(why: string): string {
  return (
    COOKIE_MOVES.find(([pattern]) => pattern.test(why))?.[1] ?? 'set it so that the browser sends it there'
  )
}

/**
 * Judges what the client did with the answer: it refused the callback, or began the login again. A cookie that the browser could not send is the
 * cause of both.
 * @param starts how often the login was begun, when it never ended
 */
export function judgeLanding(conversation: Conversation, starts: number): readonly Finding[] {
  const callback = callbackOf(conversation)
  if (callback?.around === undefined) return []
  const { lost, aftermath } = callback.around
  const status = statusOf(callback)
  const refused = status >= 400
  // One start more may be a person who opens a second page; a cookie that is missing, or a third start, is a loop.
  const loops = starts > 2 || (starts === 2 && (lost.length > 0 || aftermath?.restarts === true))
  if (!refused && !loops) return []
  const words = callback.words === undefined ? '' : `: ${quoted(callback.words)}`
  const then = refused
    ? `the client refused the callback with ${status}${words}`
    : `the login began again, ${starts} times in all`
  const said = refused && callback.words ? { words: quoted(callback.words) } : {}
  const [cookie] = lost
  if (cookie !== undefined) {
    const text = `${aboutCookie(cookie)}; so ${then}`
    const more = { cookie: cookie.name, ...said }
    return [finding('fault', 'cookie-lost', 'RFC 6265 §5.4', callback, text, cookieMove(cookie.why), more)]
  }
  if (refused) {
    const next = 'look into the log of the client, at this time: it refused an answer that the server gave'
    return [finding('fault', 'callback-refused', 'RFC 6749 §4.1.2', callback, then, next, said)]
  }
  const text = `the login never ended: it was begun ${starts} times, and the client sent the browser to log in again after each callback`
  const next =
    'see if the client keeps its session: the cookie that its callback sets has to come back with the next page'
  return [finding('fault', 'login-loop', 'RFC 6265 §5.4', callback, text, next)]
}
