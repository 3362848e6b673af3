import { splitUrl } from '../../protocol/http/message.js'
import { type ConversationKind, type Draft, kindOfGrant } from './conversation.js'
import type { Message } from './message.js'
import type { ServerReport } from './recorded.js'

/** Starts a conversation with a message. */
export type Start = (kind: ConversationKind, message: Message) => Draft

/** The facts by which exchanges are added to a conversation. */
interface Known {
  readonly draft: Draft
  readonly kind: ConversationKind
  readonly lab: number
  readonly client?: string | undefined
  /** The query of its authorization request, as far as it was reported. */
  query: string
  user?: string
  /** The moment at which its code expires, in milliseconds since the epoch. Undefined: no code waits to be redeemed. */
  codeUntil?: number
  /** False once the person is done, or the device has its tokens. */
  isOpen: boolean
}

/** The conversations that polls continue. */
const POLLED: ReadonlySet<ConversationKind> = new Set(['device', 'ciba'])

/** Pages of the authorization server on which people decide about a device, by their path. */
const PAGES: Readonly<Record<string, ConversationKind>> = { '/device': 'device', '/ciba': 'ciba' }

/** Lifetime of a code whose event names none, in milliseconds (RFC 6749 §4.1.2). */
const LONGEST = 10 * 60_000

/** Parameters that differ in each login. Without them two requests of one client look the same. */
const SINGULAR = /(?:^|&)(?:state|nonce|code_challenge|request_uri|request)=[^&]{8}/

const queryOf = ({ recorded }: Message): string => splitUrl(recorded.exchange.request.url).query

/** Sorts exchanges that a server reported: by codes, tokens and references, by their request, by client and user. */
export class ReportedOwners {
  readonly #start: Start
  readonly #ties = new Map<string, Known>()
  readonly #entries = new Map<number, Known>()
  /** Conversations that wait for a person, a code or a poll, by client. */
  readonly #waiting = new Map<string, Set<Known>>()
  /** The latest conversation that brought tokens, by client and user. */
  readonly #users = new Map<string, Known>()
  readonly #logouts = new Map<string, Known>()

  constructor(start: Start) {
    this.#start = start
  }

  /** Returns the conversation of an exchange. Undefined for one that says nothing without its beginning. */
  ownerOf(message: Message, report: ServerReport): Draft | undefined {
    const known = this.#tied(message, report) ?? this.#byKind(message, report)
    if (known === undefined) return undefined
    this.#remember(known, message, report)
    return known.draft
  }

  #tied({ kind }: Message, { ties, cause, lab }: ServerReport): Known | undefined {
    for (const tie of ties) {
      // Some clients send one state with every request: only an answer belongs to the last one that had it.
      if (tie.startsWith('state ') && kind !== 'authorization_response') continue
      const known = this.#ties.get(`${lab} ${tie}`)
      if (known) return known
    }
    // A login page fetches documents of clients: those are no part of the login.
    return cause === undefined || kind === 'discovery' ? undefined : this.#entries.get(cause)
  }

  #byKind(message: Message, report: ServerReport): Known | undefined {
    const { kind } = message
    const { findings, clientId, username, lab } = report
    switch (kind) {
      case 'pushed_authorization_request':
        return this.#begin('code', message, report)
      case 'authorization_request':
        return (
          this.#reloaded(message, report) ??
          this.#pushed(message, report) ??
          this.#begin('code', message, report)
        )
      case 'login':
        return this.#login(message, report)
      case 'authorization_response':
        return this.#begin('code', message, report)
      case 'token_request':
        return this.#token(message, report)
      case 'device_authorization_request':
        return this.#begin('device', message, report)
      case 'backchannel_authentication_request':
        return this.#begin('ciba', message, report)
      case 'registration':
        return this.#begin('registration', message, report)
      case 'logout_request':
        return this.#logouts.get(`${lab} ${clientId} ${username}`) ?? this.#begin('logout', message, report)
      case 'userinfo_request':
        return this.#users.get(`${lab} ${clientId} ${username}`) ?? this.#begin('api', message, report)
      default:
        // A token that was issued before the recording began is of interest only where it was refused.
        return findings.length > 0 || message.fields.has('access_token')
          ? this.#begin('api', message, report)
          : undefined
    }
  }

  #begin(kind: ConversationKind, message: Message, { clientId, lab }: ServerReport): Known {
    const draft = this.#start(kind, message)
    const isRequest = /authorization_request$/.test(message.kind)
    const known: Known = {
      draft: isRequest ? draft : draft.withoutRequest(),
      kind,
      lab,
      client: clientId,
      query: isRequest ? queryOf(message) : '',
      isOpen: isRequest || kind === 'ciba',
    }
    this.#await(known)
    return known
  }

  #await(known: Known): void {
    const key = `${known.lab} ${known.client}`
    const all = this.#waiting.get(key) ?? new Set()
    if (known.isOpen || known.codeUntil !== undefined) this.#waiting.set(key, all.add(known))
    else all.delete(known)
  }

  #waitingFor({ lab, clientId }: ServerReport): readonly Known[] {
    return [...(this.#waiting.get(`${lab} ${clientId}`) ?? [])]
  }

  /** A page that is loaded again has the same request. */
  #reloaded(message: Message, report: ServerReport): Known | undefined {
    const query = queryOf(message)
    if (!SINGULAR.test(query)) return undefined
    return this.#waitingFor(report).findLast(known => known.isOpen && known.query === query)
  }

  /** Old versions do not name the reference of a pushed request. The only one of its client that waits is meant. */
  #pushed(message: Message, report: ServerReport): Known | undefined {
    if (!message.fields.has('request_uri')) return undefined
    const [only, second] = this.#waitingFor(report).filter(({ draft }) => {
      const [first, more] = draft.messages
      const isPush = first?.kind === 'pushed_authorization_request' && more === undefined
      return isPush && first.recorded.report?.ties.length === 0
    })
    return second === undefined ? only : undefined
  }

  /** A form of a login page belongs to the request that the page was shown for, and to its person. */
  #login(message: Message, report: ServerReport): Known | undefined {
    const { path } = splitUrl(message.recorded.exchange.request.url)
    const kind = PAGES[path] ?? 'code'
    const { username, lab } = report
    const query = queryOf(message)
    const all =
      report.clientId === undefined && kind === 'ciba'
        ? [...this.#waiting.values()].flatMap(each => [...each]).filter(known => known.lab === lab)
        : this.#waitingFor(report)
    const open = all.filter(known => known.isOpen && known.kind === kind)
    const same = open.filter(known => query === '' || kind !== 'code' || known.query === query)
    const found =
      same.find(({ user }) => user !== undefined && user === username) ??
      same.find(({ user }) => user === undefined)
    if (found || kind !== 'code') return found
    return this.#carriedOn(open, query) ?? this.#begin('code', message, report)
  }

  /** The form after a request object, or after a request that was posted, has another query. The only such login is meant. */
  #carriedOn(open: readonly Known[], query: string): Known | undefined {
    const waiting = open.filter(
      known => known.user === undefined && /^$|(?:^|&)request(?:_uri)?=/.test(known.query),
    )
    const [only, second] = waiting
    if (only === undefined || second !== undefined) return undefined
    only.query = query
    return only
  }

  #token(message: Message, report: ServerReport): Known | undefined {
    const { grantType = 'authorization_code', username, clientId } = report
    const kind = kindOfGrant(grantType)
    if (POLLED.has(kind)) {
      const open = this.#waitingFor(report).filter(known => known.kind === kind && known.isOpen)
      return open.find(({ user }) => user === username) ?? open[0] ?? this.#begin(kind, message, report)
    }
    // Without its code a request belongs to the one login of the client that waits for it. Among several it may be any.
    const { sent } = message.recorded
    const logins = this.#waitingFor(report).filter(({ codeUntil = 0 }) => codeUntil > sent)
    const [only, second] = clientId !== undefined && grantType === 'authorization_code' ? logins : []
    if (only !== undefined && second === undefined) return only
    return this.#begin(kind, message, report)
  }

  #remember(known: Known, message: Message, report: ServerReport): void {
    const { lab, ties, clientId, username, answer, codeLifetime = LONGEST } = report
    for (const tie of ties) this.#ties.set(`${lab} ${tie}`, known)
    this.#entries.set(message.recorded.entry, known)
    if (username !== undefined) known.user = username
    const { response } = message.recorded.exchange
    const isGranted = message.kind === 'token_request' && (response?.status ?? 0) < 400
    if (answer) known.isOpen = false
    if (answer?.some(([name]) => name === 'code')) known.codeUntil = message.recorded.sent + codeLifetime
    if (isGranted) {
      known.isOpen = false
      delete known.codeUntil
    }
    if (isGranted || answer) this.#users.set(`${lab} ${clientId} ${username ?? known.user}`, known)
    const user = `${lab} ${clientId} ${username}`
    if (message.kind === 'logout_request') {
      if (response?.status === 200) this.#logouts.set(user, known)
      else this.#logouts.delete(user)
    }
    this.#await(known)
  }
}
