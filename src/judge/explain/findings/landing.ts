import { header } from '../../../protocol/http/message.js'
import type { Conversation } from '../conversation.js'
import { type Finding, finding } from '../finding.js'
import { adviceOn } from '../known-errors.js'
import { isGoodCall, type Message, originOf, statusOf } from '../message.js'
import type { LostCookie, ReplacedCookie } from '../surroundings.js'
import { failureOnPage, quoted, type ServerWords } from '../words.js'

/** Longest time between the starts of a loop, in milliseconds: a person does not log in again so soon. */
const SOON = 60_000

/** The callback of a login: the first request that brought the answer to the client, or one that the client refused and took at no other time. */
function callbackOf({ messages }: Pick<Conversation, 'messages'>): Message | undefined {
  const all = messages.filter(
    ({ kind, answer }) => kind === 'authorization_response' && answer?.fields.has('error') === false,
  )
  return all.find(each => statusOf(each) >= 400 && statusOf(all.at(-1)!) >= 400) ?? all[0]
}

const isOpen = (conversation: Conversation): boolean =>
  conversation.outcome !== 'granted' && callbackOf(conversation) !== undefined

/** True where the second login began because the first came to nothing. */
function follows(first: Conversation, second: Conversation): boolean {
  const [from, to] = [callbackOf(first), second.asked?.message]
  if (from === undefined || to === undefined || first.clientId !== second.clientId) return false
  if (to.recorded.entry < from.recorded.entry || isSilent(second)) return false
  if (from.around?.aftermath?.end === 'restart') return true
  const apart = to.recorded.sent - from.recorded.sent
  return Number.isNaN(apart) || apart <= SOON
}

/** True for a login without a page (prompt=none), which a script renews tokens by. */
const isSilent = ({ asked }: Conversation): boolean =>
  asked?.fields.get('prompt')?.split(' ').includes('none') === true

/** True for a login that a person typed nothing in: the server answered at once. */
const isAutomatic = ({ messages }: Conversation): boolean => !messages.some(({ kind }) => kind === 'login')

/**
 * Counts how often a login was begun that never ended. Logins in a row count as one loop, which belongs to the first of them. Logins of which the last
 * ended well are no loop, unless each seemed to end well and three came without a person or a logout between them.
 */
export function countStarts(conversations: readonly Conversation[]): ReadonlyMap<Conversation, number> {
  const counts = new Map<Conversation, number>()
  const logins = conversations.filter(({ asked, answers }) => asked && answers.length > 0)
  const ended = (entry: number) => (each: Conversation) =>
    each.kind === 'logout' && (each.messages[0]?.recorded.entry ?? 0) > entry
  for (let i = 0; i < logins.length; i++) {
    let last = i
    while (last + 1 < logins.length && follows(logins[last]!, logins[last + 1]!)) last += 1
    const row = logins.slice(i, last + 1)
    const [first] = row
    const again = row.slice(1)
    const isLoop = row.length >= 3 && row.every(each => !isOpen(each)) && again.every(isAutomatic)
    const isOut = conversations.some(ended(first?.asked?.message.recorded.entry ?? 0))
    const open = logins[last]!.outcome !== 'granted' && row.some(isOpen)
    if (last > i && (open || (isLoop && !isOut))) counts.set(logins[i]!, row.length)
    i = last
  }
  return counts
}

/**
 * Returns the conversations that did not succeed, and that nobody missed, because what came after them did: a renewal without a page before a login with
 * one, a call with an old token before one with a new token.
 */
export function overtaken(conversations: readonly Conversation[]): ReadonlySet<Conversation> {
  const calls = conversations.flatMap(({ messages }) => messages.filter(isGoodCall))
  const isOvertaken = (each: Conversation, i: number): boolean => {
    if (each.outcome === 'granted') return false
    const end = each.messages.at(-1)
    if (each.kind === 'api' && end !== undefined) {
      return calls.some(call => call.recorded.entry > end.recorded.entry && originOf(call) === originOf(end))
    }
    const later = conversations.slice(i + 1)
    return (
      isSilent(each) &&
      later.some(({ clientId, outcome }) => outcome === 'granted' && clientId === each.clientId)
    )
  }
  return new Set(conversations.filter(isOvertaken))
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
  [/without Secure|wants Secure, so/, 'set the cookie with Secure'],
  [
    /wants Secure, Path/,
    'set the cookie with Secure and Path=/, and without Domain, or give it another name',
  ],
  [/^its Domain/, 'leave Domain out, or name the host itself or one above it'],
  [/in a frame/, 'set the cookie with SameSite=None; Secure, or open the login as a whole page'],
  [
    /^nothing in it/,
    'compare the cookie in DevTools (Application, Cookies) before and after the login: the browser may block cookies of third parties',
  ],
]

const isUnexplained = (why: string): boolean => why.startsWith('nothing in it')

function cookieMove(why: string): string {
  return (
    COOKIE_MOVES.find(([pattern]) => pattern.test(why))?.[1] ?? 'set it so that the browser sends it there'
  )
}

/** The next move after a callback that was answered with a status, and without words that are known. */
const BY_STATUS: Readonly<Record<number, string>> = {
  404: 'let the application have a page at the path of its redirect_uri, or register the path that it has',
  405: 'let the callback take the method in which the answer comes: POST for form_post, else GET',
  414: 'let the server take longer addresses, or make the state smaller: it belongs into the session',
  431: 'make the cookies smaller, such as by tokens that stay at the server, or let it take larger headers',
  502: 'look into the logs of the proxy and the client: most often the cookies of the answer are larger than the proxy takes (nginx: proxy_buffer_size)',
}

/** True for the request that brought the same code before, and was not refused. */
const isSameArrival = (each: Message, callback: Message): boolean =>
  each.kind === 'authorization_response' &&
  each.recorded.entry < callback.recorded.entry &&
  statusOf(each) > 0 &&
  statusOf(each) < 400 &&
  each.answer?.fields.has('code') === true &&
  each.answer.fields.get('code') === callback.answer?.fields.get('code')

/** The answer of a client to its callback, or to the page after it, where that is an error. */
function refusalOf(
  callback: Message,
  first: Message | undefined,
): { said: string; words: ServerWords | undefined; entry: Message } | undefined {
  const status = statusOf(callback)
  const { aftermath } = callback.around ?? {}
  if (status >= 400) {
    const again = first ? `, which was loaded a second time (first in entry ${first.recorded.entry}),` : ''
    return {
      said: `the client refused the callback${again} with ${status}`,
      words: callback.words,
      entry: callback,
    }
  }
  const shown = failureOnPage(callback.recorded.exchange.response?.body ?? '')
  if (status >= 200 && status < 300 && shown) {
    return {
      said: 'the client answered the callback with a page about a failure',
      words: shown,
      entry: callback,
    }
  }
  if (aftermath?.end !== 'error') return undefined
  const page =
    aftermath.status >= 400
      ? `${aftermath.path}, answered with ${aftermath.status}`
      : `${aftermath.path}, which reports an error`
  return {
    said: `the client took the callback, and sent the browser to ${page} (entry ${aftermath.entry})`,
    words: aftermath.words,
    entry: callback,
  }
}

/** The cookie of the start of this login that the start of another one set again before the callback. */
function replacedCookie({ asked }: Conversation, { around }: Message): ReplacedCookie | undefined {
  const start = asked?.message.recorded.entry ?? 0
  return around?.replaced?.find(({ setBy, replacedBy }) => setBy < start && replacedBy > start)
}

/** The end of a sentence about a loop: the session cookie, as far as the recording shows it. */
function aboutSession({ around, recorded }: Message): string {
  const set = recorded.exchange.response && header(recorded.exchange.response, 'set-cookie')
  if (around?.kept !== undefined) {
    return `. The cookie ${around.kept} came back with the next page, so the application did not know its session`
  }
  return set === undefined && recorded.exchange.response?.headers.length ? '. The callback set no cookie' : ''
}

/**
 * Judges what the client did with the answer: it refused the callback, or began the login again. A cookie that the browser could not send is the
 * cause of both.
 * @param starts how often the login was begun, when it never ended
 */
export function judgeLanding(conversation: Conversation, starts: number): readonly Finding[] {
  const callback = callbackOf(conversation)
  if (callback?.around === undefined) return []
  const { aftermath } = callback.around
  const first = conversation.messages.find(each => isSameArrival(each, callback))
  const refusal = refusalOf(callback, first)
  const restarts = aftermath?.end === 'restart'
  // A cookie that nothing keeps away explains a refusal, and no loop.
  const lost = callback.around.lost.filter(({ why }) => refusal !== undefined || !isUnexplained(why))
  // One start more may be a person who opens a second page; a cookie that is missing, or a third start, is a loop.
  const loops = starts > 2 || (starts === 2 && (lost.length > 0 || restarts)) || (restarts && lost.length > 0)
  if (refusal === undefined && !loops) return []
  const words = refusal?.words === undefined ? '' : `: ${quoted(refusal.words)}`
  const then = refusal
    ? `${refusal.said}${words}`
    : `the login began again, ${Math.max(2, starts)} times in all`
  const said = refusal?.words ? { words: quoted(refusal.words) } : {}
  const replaced = refusal && replacedCookie(conversation, callback)
  if (replaced !== undefined) {
    const { name, setBy, replacedBy } = replaced
    const text = `the cookie ${name}, which entry ${setBy} set for this login, was set again by entry ${replacedBy} for another one, as of a second tab; so ${then}`
    const more = { cookie: name, ...said }
    const next = 'keep what belongs to a login in a cookie of its own, named after its state'
    return [finding('fault', 'cookie-replaced', 'RFC 6265 §5.4', callback, text, next, more)]
  }
  const [cookie] = lost
  if (cookie !== undefined) {
    const text = `${aboutCookie(cookie)}; so ${then}`
    const more = { cookie: cookie.name, ...said }
    return [finding('fault', 'cookie-lost', 'RFC 6265 §5.4', callback, text, cookieMove(cookie.why), more)]
  }
  if (refusal) {
    const next =
      (first &&
        'send the browser from the callback to a page of the application: Back, a reload or a prefetch loads the callback again, and a code is good once') ??
      (refusal.words && adviceOn(refusal.words, callback)) ??
      BY_STATUS[statusOf(callback)] ??
      'look into the log of the client, at this time: it refused an answer that the server gave'
    return [finding('fault', 'callback-refused', 'RFC 6749 §4.1.2', refusal.entry, then, next, said)]
  }
  const text = `the login never ended: it was begun ${starts} times, and the client sent the browser to log in again after each callback${aboutSession(callback)}`
  const next = callback.around.kept
    ? 'check the store of sessions: several instances need a common one, and one key for their cookies'
    : 'see if the client keeps its session: the cookie that its callback sets has to come back with the next page'
  return [finding('fault', 'login-loop', 'RFC 6265 §5.4', callback, text, next)]
}
