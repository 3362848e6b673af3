import type { Errand, UserAgent, Visit } from '../../client/user-agent.js'
import type { Middleware, TamperingMiddleware } from '../../flows/middleware/middleware.js'
import { type MakeObject, makeObject } from '../../flows/requests/object-draft.js'
import { get } from '../../flows/walk.js'
import type { Exchange, Send } from '../../protocol/http/exchange.js'
import { encodeForm, type FormPairs, parseForm } from '../../protocol/http/form.js'
import { bytes, type HttpRequest, header, text } from '../../protocol/http/message.js'
import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'
import { readKeySet } from '../../protocol/tokens/keys.js'
import { tamperWithLogout } from './logout-tampering.js'
import {
  changeAnswer,
  changeBody,
  changeQuery,
  isLure,
  leadsToLure,
  lures,
  readPairs,
  readTokenMessage,
  STRANGER,
  sameAddress,
  sameBytes,
  writeTokenMessage,
} from './messages.js'
import type { AnswerFacts, Move, NotMade, PresentationMove, Situation } from './move.js'
import { grantFor } from './moves.js'
import { type Seen, seenIn } from './seen.js'
import { codeShape, type Grant, grantNamed } from './shape.js'

/** Milliseconds to wait beyond an expiry, for servers that tolerate clocks that differ. */
const EXPIRY_MARGIN = 61_000

/** One wrong move between a flow and its servers: it changes one message, and remembers what came of it. */
export interface Tampering {
  readonly layers: TamperingMiddleware
  /** Watches a user agent: the address that it was sent to, and the address where it landed. */
  follow(agent: UserAgent, earlier?: UserAgent): UserAgent
  /** Makes the request object of the flow, with the move in it. */
  readonly makeObject: MakeObject
  /** Returns the address that the user agent is really sent to. */
  changedUrl(url: string): string
  /** Returns the address at which the browser brought the answer. */
  landedAt(): string | undefined
  /** Returns the unregistered address that the server sent the browser to; undefined where it did not. */
  luredTo(): string | undefined
  /** Returns the address at which the browser came back from the logout. */
  returnedTo(): string | undefined
  /** Returns why the answer could not be changed; undefined where it could. */
  notMade(): string | undefined
  /** Returns the exchange of the token request, once it was sent. */
  tokenExchange(): Exchange | undefined
  /** Returns the scope that a token request asks for and must not get. */
  forbidden(): string | undefined
  /** Sends the token request a second time. Returns why that would prove nothing, as text. */
  sendAgain(signal: AbortSignal): Promise<Exchange | NotMade>
  /** Presents a token at the end of the flow. */
  present(request: HttpRequest, how: PresentationMove['how'], signal: AbortSignal): Promise<Exchange>
}

/** Prepares one wrong move in one run of a flow. The flow stays as it is. */
export function tamperWith(
  move: Move,
  situation: Situation,
  metadata: Pick<
    AuthorizationServerMetadata,
    | 'token_endpoint'
    | 'pushed_authorization_request_endpoint'
    | 'jwks_uri'
    | 'backchannel_authentication_endpoint'
  >,
): Tampering {
  const { token_endpoint: tokenEndpoint, pushed_authorization_request_endpoint: pushEndpoint } = metadata
  const { jwks_uri: jwksUri, backchannel_authentication_endpoint: backchannelEndpoint } = metadata
  const { pushed = false } = situation
  const grant = grantFor(move, situation.flow ?? codeShape)
  const extra = move.ask ?? []
  const usedBefore = move.at === 'authorization_request' && move.usedBefore === true
  const sentBefore = move.at === 'authorization_request' && move.sentBefore === true
  let errand: Errand | undefined
  let problem: string | undefined
  let tokenRequest: HttpRequest | undefined
  let sentLast: HttpRequest | undefined
  let exchange: Exchange | undefined
  let lure: string | undefined
  let arrival: string | undefined
  let asked: FormPairs = []
  let seen: Seen = {}
  /** The ways from here to the network: through the client's own middleware, and past it. */
  let throughClient: Send | undefined
  let pastClient: Send | undefined

  const leaving = tamperWithLogout(move, situation)

  const changedRequest = (pairs: FormPairs): FormPairs => {
    if (move.at === 'token_request') return move.authorize?.(pairs) ?? pairs
    return move.at === 'authorization_request' && !move.afterPush ? move.change(pairs, situation, []) : pairs
  }

  const changedParameters = (pairs: FormPairs): FormPairs => {
    const all = [...pairs, ...extra]
    asked = changedRequest(all)
    return asked
  }

  /** Changes the request as it is sent. The parameters of a request object changed before it was signed. */
  const changedPairs = (pairs: FormPairs): FormPairs => {
    if (!pairs.some(([name]) => name === 'request')) return changedParameters(pairs)
    if (move.at === 'authorization_request' && move.beside) return move.beside(pairs, situation)
    return changedRequest(pairs).filter(([name]) => pairs.some(([each]) => each === name))
  }

  const changedObject: MakeObject = draft =>
    move.at === 'authorization_request' && move.object
      ? move.object(draft, situation)
      : makeObject({ ...draft, parameters: changedParameters(draft.parameters) })

  const changedUrl = (url: string): string => {
    if (!pushed) return changeQuery(url, changedPairs)
    const later = move.at === 'authorization_request' && move.afterPush
    return later ? changeQuery(url, pairs => move.change(pairs, situation, asked)) : url
  }

  let keys: ReturnType<AnswerFacts['keys']> | undefined
  /** Fetches the published keys, past the middleware of the client. */
  const publishedKeys = async (signal: AbortSignal) =>
    jwksUri === undefined ? undefined : readKeySet(await ways().pastClient(get(jwksUri), { signal }))

  /** Changes the pairs of an answer, wherever they travel. */
  const changedAnswer = async (pairs: FormPairs, { signal }: Errand): Promise<FormPairs> => {
    if (move.at !== 'authorization_response') return pairs
    if (move.jwt && !pairs.some(([name]) => name === 'response')) {
      if (pairs.some(([name]) => name === 'state')) problem = 'the answer is no JWT'
      return pairs
    }
    // The browser sends no fragment, so a visit without the parts is no answer.
    if (move.holds?.some(part => !pairs.some(([name]) => name === part))) return pairs
    const facts = { situation, keys: () => (keys ??= publishedKeys(signal)) }
    const changed = await move.change(pairs, facts)
    if (!('problem' in changed)) return changed
    problem = changed.problem
    return pairs
  }

  const landing = async (url: string, to: Errand): Promise<string> =>
    move.at === 'authorization_response' ? changeAnswer(url, pairs => changedAnswer(pairs, to)) : url

  const changedVisit = async (request: HttpRequest): Promise<HttpRequest> => {
    if (!errand) return request
    const { request: asks } = errand
    const { url, method } = request
    // Redirects and pages may lead back to the address that the flow wrote.
    if (method === 'GET' && url === asks.url) return { ...request, url: changedUrl(url) }
    if (sameAddress(url, asks.redirectUri)) {
      const { body } = request
      if (move.at !== 'authorization_response') return request
      if (method !== 'POST') return { ...request, url: await landing(url, errand) }
      const posted = await changedAnswer(readPairs(text(body)), errand)
      return { ...request, body: bytes(encodeForm(posted)) }
    }
    return move.at === 'login' && method === 'POST'
      ? move.change(request, situation, changedUrl(asks.url))
      : request
  }

  /** Remembers a redirect to an address that the move made up. */
  const noteLure = ({ response }: Exchange): void => {
    const location = response && response.status < 400 ? header(response, 'location') : undefined
    if (move.at === 'logout_request' && response && leadsToLure(response)) lure = `https://${STRANGER}/`
    if (!errand || location === undefined) return
    const made = lures(asked, errand.request.redirectUri)
    if (isLure(location) || made.some(each => location.startsWith(each))) lure = location
  }

  const browse: Middleware = next => async (request, options) => {
    const sent = await changedVisit(request)
    // Nothing is ever sent to a stranger; the flow ends before.
    if (isLure(sent.url)) throw new Error('the user agent follows a lure')
    const exchanged = await next(sent, options)
    noteLure(exchanged)
    return exchanged
  }

  const landed = async (visit: Visit, to: Errand): Promise<Visit> => {
    if (visit.landed === undefined) return visit
    arrival = await landing(visit.landed, to)
    return { ...visit, landed: arrival }
  }

  const grantOf = ({ method, url, body }: HttpRequest): Grant | undefined => {
    if (method !== 'POST' || url !== tokenEndpoint) return undefined
    return grantNamed(parseForm(text(body)).find(([name]) => name === 'grant_type')?.[1])
  }

  let waited = false
  /** Sets the clock forward, once: a request may be asked for a second time with a nonce. */
  const waitFirst = (): void => {
    if (move.wait === undefined || waited) return
    waited = true
    const { wait } = move
    const lifetime =
      wait === 'deviceCode' || wait === 'authReqId' || wait === 'requestUri'
        ? seen.statedLifetime
        : situation.lifetimes?.[wait]
    situation.advance?.((lifetime ?? 0) + EXPIRY_MARGIN)
  }

  const changedToken = async (request: HttpRequest): Promise<HttpRequest> => {
    if (move.at !== 'token_request' || move.again) return request
    const changed = await move.change(readTokenMessage(request), situation, seen)
    // A request may be sent again with a nonce, and be possible only then.
    problem = 'problem' in changed ? changed.problem : undefined
    return 'problem' in changed ? request : writeTokenMessage(changed)
  }

  const changedBackchannel = (request: HttpRequest): HttpRequest =>
    move.at === 'backchannel_authentication_request'
      ? writeTokenMessage(move.change(readTokenMessage(request), situation.client))
      : request

  const change: Middleware = next => {
    pastClient = next
    return async (request, options) => {
      const isPush = request.method === 'POST' && request.url === pushEndpoint
      if (isPush) return next(changeBody(request, changedPairs), options)
      if (request.method === 'POST' && request.url === backchannelEndpoint)
        return next(changedBackchannel(request), options)
      const of = grantOf(request)
      if (of === undefined) return next(request, options)
      // An exchanged token names its audience itself.
      const more = of === 'token-exchange' ? [] : extra
      const whole = more.length === 0 ? request : changeBody(request, pairs => [...pairs, ...more])
      if (of !== grant) return next(whole, options)
      sentLast = await changedToken(whole)
      return next(sentLast, options)
    }
  }

  const watch: Middleware = next => {
    throughClient = next
    return async (request, options) => {
      if (sentBefore && request.method === 'POST' && request.url === pushEndpoint)
        await next(request, options)
      const aimed = grant !== undefined && grantOf(request) === grant
      if (aimed) tokenRequest = request
      // Before the client signs the request: its proofs must not expire too.
      if (aimed && move.at === 'token_request') waitFirst()
      const exchanged = await next(request, options)
      if (aimed) exchange = exchanged
      else seen = { ...seen, ...seenIn(exchanged) }
      return exchanged
    }
  }

  /** The two ways to the network, which exist once the middleware is composed. */
  const ways = (): { throughClient: Send; pastClient: Send } => {
    if (!throughClient || !pastClient) throw new Error('the middleware of the move is not composed yet')
    return { throughClient, pastClient }
  }

  return {
    layers: { watch, change, browse },
    follow: (agent, earlier) => ({
      logout: errand => leaving.follow(agent, errand),
      async *authorize(sentTo) {
        errand = sentTo
        // Every user agent opens the changed address, so that the person's own browser does too.
        if (move.wait === 'requestUri') waitFirst()
        const request = { ...sentTo.request, url: changedUrl(sentTo.request.url) }
        if (usedBefore && earlier) for await (const _ of earlier.authorize({ ...sentTo, request }));
        if (sentBefore && !pushed) await ways().pastClient(get(request.url), { signal: sentTo.signal })
        for await (const visit of agent.authorize({ ...sentTo, request })) yield await landed(visit, sentTo)
      },
    }),
    changedUrl,
    makeObject: changedObject,
    landedAt: () => arrival,
    returnedTo: leaving.returnedTo,
    luredTo: () => lure,
    notMade: () => problem ?? leaving.notMade(),
    tokenExchange: () => exchange,
    forbidden: () => (move.at === 'token_request' ? move.forbids?.(situation, seen) : undefined),
    sendAgain: async signal => {
      if (!tokenRequest || !sentLast || !exchange) throw new Error('no token request was sent yet')
      const why = move.at === 'token_request' ? move.notAgain?.(tokenRequest, exchange, situation) : undefined
      if (why !== undefined) return { problem: why }
      return move.at === 'token_request' && move.again === 'same'
        ? ways().pastClient(sentLast, { signal })
        : ways().throughClient(tokenRequest, { signal })
    },
    present: async (request, how, signal) => {
      waitFirst()
      if (how === 'bare') return ways().pastClient(request, { signal })
      const first = await ways().throughClient(request, { signal })
      return how === 'twice' ? ways().pastClient(sameBytes(first, request.body), { signal }) : first
    },
  }
}
