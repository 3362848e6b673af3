import type { Errand, UserAgent, Visit } from '../../client/user-agent.js'
import type { Exchange, Send } from '../../http/exchange.js'
import { encodeForm, parseForm } from '../../http/form.js'
import { bytes, type HttpRequest, header, splitUrl, text } from '../../http/message.js'
import type { FlowPorts } from '../ports.js'
import { changeQuery, isLure, readTokenMessage, writeTokenMessage } from './messages.js'
import type { Move, Situation } from './move.js'
import { EXPIRY_MARGIN } from './token-moves.js'

/** What a tampered flow needs from the world: a user agent can be made that sends through something else. */
export interface TamperPorts extends Omit<FlowPorts, 'userAgent'> {
  readonly agentWith: (send: Send) => UserAgent
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
  /** Sends the token request a second time. */
  sendAgain(): Promise<Exchange>
}

function sameAddress(url: string, other: string): boolean {
  const [a, b] = [splitUrl(url), splitUrl(other)]
  return a.origin === b.origin && a.path === b.path
}

/** The redirect_uris of a request, beside the one that was registered. */
function lures(url: string, registered: string): string[] {
  return parseForm(splitUrl(url).query).flatMap(([name, value]) =>
    name === 'redirect_uri' && value !== registered ? [value] : [],
  )
}

/**
 * Wraps the ports of a flow so that one message is the move's. The flow itself stays as it is, and knows nothing.
 * @param tokenEndpoint where token requests go
 */
export function tamperWires(
  ports: TamperPorts,
  move: Move,
  situation: Situation,
  tokenEndpoint: string | undefined,
): Wires {
  const extra = move.ask ?? []
  let errand: Errand['request'] | undefined
  let tokenRequest: HttpRequest | undefined
  let exchange: Exchange | undefined
  let lure: string | undefined
  let arrival: string | undefined

  const changedUrl = (url: string): string =>
    changeQuery(url, pairs => {
      const asked = [...pairs, ...extra]
      return move.at === 'authorization_request' ? move.change(asked, situation) : asked
    })

  const landing = (url: string): string =>
    move.at === 'authorization_response' ? changeQuery(url, move.change) : url

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
    const made = lures(changedUrl(errand.url), errand.redirectUri)
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
    async *authorize(asked) {
      errand = asked.request
      for await (const visit of ports.agentWith(agentSend).authorize(asked)) yield landed(visit)
    },
  }

  const landed = (visit: Visit): Visit => {
    if (visit.landed === undefined) return visit
    arrival = landing(visit.landed)
    return { ...visit, landed: arrival }
  }

  const send: Send = async (request, options) => {
    const isTokenRequest = request.method === 'POST' && request.url === tokenEndpoint
    if (!isTokenRequest) return ports.send(request, options)
    tokenRequest = { ...request, body: bytes(withExtra(text(request.body))) }
    if (move.wait === 'code') situation.advance?.((situation.lifetimes?.code ?? 0) + EXPIRY_MARGIN)
    const sent =
      move.at === 'token_request' && !move.again
        ? writeTokenMessage(move.change(readTokenMessage(tokenRequest), situation))
        : tokenRequest
    exchange = await ports.send(sent, options)
    return exchange
  }

  const withExtra = (body: string): string => (extra.length === 0 ? body : `${body}&${encodeForm(extra)}`)

  return {
    ports: { send, userAgent, now: ports.now, random: ports.random, signal: ports.signal },
    changedUrl,
    landedAt: () => arrival,
    luredTo: () => lure,
    tokenExchange: () => exchange,
    sendAgain: () => {
      if (!tokenRequest) throw new Error('no token request was sent yet')
      return ports.send(tokenRequest, { signal: ports.signal })
    },
  }
}
