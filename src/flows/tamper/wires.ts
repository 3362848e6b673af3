import type { Errand, UserAgent, Visit } from '../../client/user-agent.js'
import type { Exchange, Send } from '../../http/exchange.js'
import { type FormPairs, parseForm } from '../../http/form.js'
import { type HttpRequest, header, splitUrl, text } from '../../http/message.js'
import type { AuthorizationServerMetadata } from '../../oauth/metadata.js'
import type { FlowPorts } from '../ports.js'
import { answerMembers } from './answer-members.js'
import {
  changeAnswer,
  changeBody,
  changeQuery,
  isLure,
  readTokenMessage,
  writeTokenMessage,
} from './messages.js'
import { EXPIRY_MARGIN, type Move, type PresentationMove, type Seen, type Situation } from './move.js'
import { grantFor } from './moves.js'
import { codeShape, type Grant, grantNamed } from './shape.js'

/** What a tampered flow needs from the world: a user agent can be made that sends through something else. */
export interface TamperPorts extends Omit<FlowPorts, 'userAgent'> {
  readonly agentWith: (send: Send) => UserAgent
  /** What the client adds to its requests before they travel: proofs, assertions. Absent: nothing. */
  readonly dress?: (travel: Send) => Send
}

/** Ports between which somebody changes the messages. */
export interface Wires {
  readonly ports: FlowPorts
  /** The address that the user agent is really sent to. */
  changedUrl(url: string): string
  /** The address at which the browser brought the answer. */
  landedAt(): string | undefined
  /** Where the server sent the browser though nobody registered it; undefined where it did not. */
  luredTo(): string | undefined
  /** The exchange of the token request, once it was sent. */
  tokenExchange(): Exchange | undefined
  /** The scope that a token request asks for and must not get. */
  forbidden(): string | undefined
  /** Sends the token request a second time. @returns why that would prove nothing, as text */
  sendAgain(): Promise<Exchange | string>
  /** Shows a token, when it is time. */
  show(request: HttpRequest, how: PresentationMove['how']): Promise<Exchange>
}

function sameAddress(url: string, other: string): boolean {
  const [a, b] = [splitUrl(url), splitUrl(other)]
  return a.origin === b.origin && a.path === b.path
}

/** The redirect_uris of a request, beside the one that was registered. */
function lures(asked: FormPairs, registered: string): string[] {
  return asked.flatMap(([name, value]) => (name === 'redirect_uri' && value !== registered ? [value] : []))
}

/**
 * Wraps the ports of a flow so that one message is the move's. The flow itself stays as it is, and knows nothing.
 * What the client adds to its requests is added before they are changed.
 */
export function tamperWires(
  ports: TamperPorts,
  move: Move,
  situation: Situation,
  metadata: Pick<AuthorizationServerMetadata, 'token_endpoint' | 'pushed_authorization_request_endpoint'>,
): Wires {
  const { token_endpoint: tokenEndpoint, pushed_authorization_request_endpoint: pushEndpoint } = metadata
  const { pushed = false } = situation
  const grant = grantFor(move, situation.flow ?? codeShape)
  const extra = move.ask ?? []
  let errand: Errand['request'] | undefined
  let tokenRequest: HttpRequest | undefined
  let sentLast: HttpRequest | undefined
  let exchange: Exchange | undefined
  let lure: string | undefined
  let arrival: string | undefined
  let asked: FormPairs = []
  let seen: Seen = {}

  const changedPairs = (pairs: FormPairs): FormPairs => {
    const all = [...pairs, ...extra]
    asked = move.at === 'authorization_request' && !move.afterPush ? move.change(all, situation) : all
    return asked
  }

  const changedUrl = (url: string): string => {
    if (!pushed) return changeQuery(url, changedPairs)
    const later = move.at === 'authorization_request' && move.afterPush
    return later ? changeQuery(url, pairs => move.change(pairs, situation)) : url
  }

  const landing = (url: string): string =>
    move.at === 'authorization_response' ? changeAnswer(url, move.change) : url

  const changed = (request: HttpRequest): HttpRequest => {
    if (!errand) return request
    const { url, method } = request
    if (method === 'GET' && url === errand.url) return { ...request, url: changedUrl(url) }
    if (sameAddress(url, errand.redirectUri)) return { ...request, url: landing(url) }
    return move.at === 'login' && method === 'POST' ? move.change(request, situation) : request
  }

  /** Notes a redirect to an address that the move made up. */
  const watch = ({ response }: Exchange): void => {
    const location = response && response.status < 400 ? header(response, 'location') : undefined
    if (!errand || location === undefined) return
    const made = lures(asked, errand.redirectUri)
    if (isLure(location) || made.some(each => location.startsWith(each))) lure = location
  }

  const agentSend: Send = async (request, options) => {
    const sent = changed(request)
    // Nothing is ever sent to a stranger; the flow ends before.
    if (isLure(sent.url)) throw new Error('the user agent follows a lure')
    const exchanged = await ports.send(sent, options)
    watch(exchanged)
    return exchanged
  }

  const userAgent: UserAgent = {
    async *authorize(sentTo) {
      errand = sentTo.request
      for await (const visit of ports.agentWith(agentSend).authorize(sentTo)) yield landed(visit)
    },
  }

  const landed = (visit: Visit): Visit => {
    if (visit.landed === undefined) return visit
    arrival = landing(visit.landed)
    return { ...visit, landed: arrival }
  }

  const grantOf = ({ method, url, body }: HttpRequest): Grant | undefined => {
    if (method !== 'POST' || url !== tokenEndpoint) return undefined
    return grantNamed(parseForm(text(body)).find(([name]) => name === 'grant_type')?.[1])
  }

  /** Sets the clock forward, once: a request may be asked for a second time with a nonce. */
  let waited = false
  const waitFirst = (): void => {
    if (move.wait === undefined || waited) return
    waited = true
    const lifetime = move.wait === 'deviceCode' ? seen.deviceLifetime : situation.lifetimes?.[move.wait]
    situation.advance?.((lifetime ?? 0) + EXPIRY_MARGIN)
  }

  const changedToken = async (request: HttpRequest): Promise<HttpRequest> => {
    if (move.at !== 'token_request' || move.again) return request
    waitFirst()
    return writeTokenMessage(await move.change(readTokenMessage(request), situation, seen))
  }

  /** The way to the server, where somebody sits. */
  const travel: Send = async (request, options) => {
    const isPush = request.method === 'POST' && request.url === pushEndpoint
    if (isPush) return ports.send(changeBody(request, changedPairs), options)
    const of = grantOf(request)
    if (of === undefined) return ports.send(request, options)
    // An exchanged token names its audience itself.
    const more = of === 'token-exchange' ? [] : extra
    const whole = more.length === 0 ? request : changeBody(request, pairs => [...pairs, ...more])
    if (of !== grant) return ports.send(whole, options)
    sentLast = await changedToken(whole)
    return ports.send(sentLast, options)
  }

  const dressed = ports.dress?.(travel) ?? travel

  const send: Send = async (request, options) => {
    const aimed = grant !== undefined && grantOf(request) === grant
    if (aimed) tokenRequest = request
    const exchanged = await dressed(request, options)
    if (aimed) exchange = exchanged
    else seen = { ...seen, ...seenIn(exchanged) }
    return exchanged
  }

  return {
    ports: { send, userAgent, now: ports.now, random: ports.random, signal: ports.signal },
    changedUrl,
    landedAt: () => arrival,
    luredTo: () => lure,
    tokenExchange: () => exchange,
    forbidden: () => (move.at === 'token_request' ? move.forbids?.(situation, seen) : undefined),
    sendAgain: () => {
      if (!tokenRequest || !sentLast || !exchange) throw new Error('no token request was sent yet')
      const why = move.at === 'token_request' ? move.notAgain?.(tokenRequest, exchange) : undefined
      if (why !== undefined) return Promise.resolve(why)
      const { signal } = ports
      return move.at === 'token_request' && move.again === 'same'
        ? ports.send(sentLast, { signal })
        : dressed(tokenRequest, { signal })
    },
    show: async (request, how) => {
      const { signal } = ports
      waitFirst()
      if (how === 'bare') return ports.send(request, { signal })
      const first = await dressed(request, { signal })
      return how === 'twice' ? ports.send(sentAgain(first, request.body), { signal }) : first
    },
  }
}

/** What an answer says that a later request may go beyond. */
function seenIn(exchange: Exchange): Seen {
  const { scope, device_code: device, expires_in: seconds } = answerMembers(exchange)
  return {
    ...(typeof scope === 'string' && { scope }),
    ...(device !== undefined && typeof seconds === 'number' && { deviceLifetime: seconds * 1000 }),
  }
}

/** Headers that belong to a connection, and not to the message. */
const ofConnection = /^(host|connection|content-length|transfer-encoding|accept-encoding|user-agent)$/i

/** The bytes of a request that was sent. */
function sentAgain({ request }: Exchange, body: Uint8Array): HttpRequest {
  const { method, url, headers } = request
  return { method, url, headers: headers.filter(([name]) => !ofConnection.test(name)), body }
}
