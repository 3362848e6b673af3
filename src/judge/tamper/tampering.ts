import type { AgentTask, LogoutTask, LogoutVisit, UserAgent } from '../../client/user-agent.js'
import { answerMembers } from '../../flows/answers/answer-members.js'
import type { Middleware, TamperingMiddleware } from '../../flows/middleware/middleware.js'
import { type MakeObject, makeObject } from '../../flows/requests/object-draft.js'
import { get } from '../../flows/walk.js'
import type { Exchange, Send } from '../../protocol/http/exchange.js'
import { encodeForm, type FormPairs, parseForm, readPairs } from '../../protocol/http/form.js'
import { bytes, type HttpRequest, header, text } from '../../protocol/http/message.js'
import { withPairs } from '../../protocol/oauth/logout-request.js'
import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'
import { readKeySet } from '../../protocol/tokens/keys.js'
import { defined } from '../../protocol/values.js'
import {
  changeAnswer,
  changeBody,
  changeQuery,
  isLure,
  leadsToLure,
  lures,
  readTokenMessage,
  STRANGER,
  sameAddress,
  sameBytes,
  type TokenMessage,
  valueIn,
  writeTokenMessage,
} from './messages.js'
import type { AnswerFacts, Limits, Move, NotMade, PresentationMove } from './move.js'
import { grantFor } from './moves.js'
import { codeShape, type Grant, grantNamed } from './shape.js'
import type { Situation } from './situation.js'

/** Milliseconds to wait beyond an expiry, for servers that tolerate clocks that differ. */
const EXPIRY_MARGIN = 61_000

/** The place of a move: its circumstances, and the addresses of the server. A client may learn both on its way. */
export interface Here {
  situation: Situation
  /** Absent until the server is known. Nothing is changed before. */
  metadata?: Pick<
    AuthorizationServerMetadata,
    | 'token_endpoint'
    | 'pushed_authorization_request_endpoint'
    | 'jwks_uri'
    | 'backchannel_authentication_endpoint'
  >
}

/** The observations of a move on its way. */
export interface Noted {
  /** The address at which the browser brought the answer. */
  landed?: string
  /** The unregistered address that the server sent the browser to. */
  lure?: string
  /** The address at which the browser came back from the logout. */
  returned?: string
  /** Why the message of the move cannot be made. */
  problem?: string | undefined
  /** The exchange of the token request, once it was sent. */
  exchange?: Exchange
}

/** One wrong move between a flow and its servers: it changes one message, and notes what came of it. */
export interface Tampering {
  readonly layers: TamperingMiddleware
  readonly noted: Noted
  /** Watches a user agent, and changes what it carries. @param earlier the user agent of a second person */
  follow(agent: UserAgent, earlier?: UserAgent): UserAgent
  /** Makes the request object of the flow, with the move in it. */
  readonly makeObject: MakeObject
  /** Returns the address that the user agent is really sent to. */
  changedUrl(url: string): string
  /** Returns the scope that a token request asks for and must not get. */
  forbidden(): string | undefined
  /** Sends the token request a second time. Returns why that would prove nothing, as text. */
  sendAgain(signal: AbortSignal): Promise<Exchange | NotMade>
  /** Presents a token at the end of the flow. */
  present(request: HttpRequest, how: PresentationMove['how'], signal: AbortSignal): Promise<Exchange>
}

/** The limits in an answer that a later request may exceed: its scope, and the lifetime of what it names. */
export function limitsIn(exchange: Exchange): Limits {
  const members = answerMembers(exchange)
  const { scope, expires_in: seconds } = members
  const isNamed = ['device_code', 'auth_req_id', 'request_uri'].some(name => members[name] !== undefined)
  return defined({
    scope: typeof scope === 'string' ? scope : undefined,
    statedLifetime: isNamed && typeof seconds === 'number' ? seconds * 1000 : undefined,
  })
}

/** The changes of the authorization request, as it travels: in an address, in a request object, or pushed. */
function requestChanges(move: Move, here: Here) {
  let asked: FormPairs = []
  const isLater = move.at === 'authorization_request' && move.afterPush === true

  const changed = (pairs: FormPairs): FormPairs => {
    if (move.at === 'token_request') return move.authorize?.(pairs) ?? pairs
    return move.at === 'authorization_request' && !isLater ? move.change(pairs, here.situation, []) : pairs
  }
  const parameters = (pairs: FormPairs): FormPairs => {
    asked = changed([...pairs, ...(move.ask ?? [])])
    return asked
  }
  /** Changes the request as it is sent. The parameters of a request object changed before it was signed. */
  const sent = (pairs: FormPairs): FormPairs => {
    if (!pairs.some(([name]) => name === 'request')) return parameters(pairs)
    if (move.at === 'authorization_request' && move.beside) return move.beside(pairs, here.situation)
    return changed(pairs).filter(([name]) => pairs.some(([each]) => each === name))
  }
  const makeChanged: MakeObject = draft =>
    move.at === 'authorization_request' && move.object
      ? move.object(draft, here.situation)
      : makeObject({ ...draft, parameters: parameters(draft.parameters) })
  const url = (address: string): string => {
    if (!here.situation.pushed) return changeQuery(address, sent)
    if (move.at !== 'authorization_request' || !isLater) return address
    return changeQuery(address, pairs => move.change(pairs, here.situation, asked))
  }
  /** The addresses that the move made up for the answer. */
  const madeUp = (registered: string) => lures(asked, registered)
  return { sent, makeObject: makeChanged, url, madeUp }
}

/** Prepares one wrong move in one run of a flow. The flow stays as it is. */
export function tamperWith(move: Move, here: Here): Tampering {
  const noted: Noted = {}
  const request = requestChanges(move, here)
  const grant = grantFor(move, here.situation.flow ?? codeShape)
  const usedBefore = move.at === 'authorization_request' && move.usedBefore === true
  const sentBefore = move.at === 'authorization_request' && move.sentBefore === true
  let task: AgentTask | undefined
  let tokenRequest: HttpRequest | undefined
  let sentLast: HttpRequest | undefined
  let limits: Limits = {}
  /** The ways from here to the network: through the client's own middleware, and past it. */
  let throughClient: Send | undefined
  let pastClient: Send | undefined
  const ways = (): { throughClient: Send; pastClient: Send } => {
    if (!throughClient || !pastClient) throw new Error('the middleware of the move is not composed yet')
    return { throughClient, pastClient }
  }

  const isPostTo = ({ method, url }: HttpRequest, endpoint: keyof NonNullable<Here['metadata']>): boolean =>
    method === 'POST' && url === here.metadata?.[endpoint]

  /** Notes the reason where a message cannot be made; the honest one is sent then. */
  const made = <Message extends object>(changed: Message | NotMade, honest: Message): Message => {
    // A request may be sent again with a nonce, and be possible only then.
    noted.problem = 'problem' in changed ? changed.problem : undefined
    return 'problem' in changed ? honest : changed
  }

  let keys: ReturnType<AnswerFacts['keys']> | undefined
  /** Fetches the published keys, past the middleware of the client. */
  const publishedKeys = async (signal: AbortSignal) => {
    const url = here.metadata?.jwks_uri
    return url === undefined ? undefined : readKeySet(await ways().pastClient(get(url), { signal }))
  }

  /** Changes the pairs of an answer, wherever they travel. */
  const changedAnswer = async (pairs: FormPairs, { signal }: AgentTask): Promise<FormPairs> => {
    if (move.at !== 'authorization_response') return pairs
    const lacks = (part: string) => !pairs.some(([name]) => name === part)
    if (move.jwt && lacks('response')) {
      if (!lacks('state')) noted.problem = 'the answer is no JWT'
      return pairs
    }
    // The browser sends no fragment, so a visit without the parts is no answer.
    if (move.holds?.some(lacks)) return pairs
    const facts = { situation: here.situation, keys: () => (keys ??= publishedKeys(signal)) }
    return made(await move.change(pairs, facts), pairs)
  }

  const landing = async (url: string, to: AgentTask): Promise<string> =>
    move.at === 'authorization_response' ? changeAnswer(url, pairs => changedAnswer(pairs, to)) : url

  const changedVisit = async (visit: HttpRequest): Promise<HttpRequest> => {
    if (!task) return visit
    const { request: asks } = task
    const { url, method, body } = visit
    // Redirects and pages may lead back to the address that the flow wrote.
    if (method === 'GET' && url === asks.url) return { ...visit, url: request.url(url) }
    if (sameAddress(url, asks.redirectUri)) {
      if (move.at !== 'authorization_response') return visit
      if (method !== 'POST') return { ...visit, url: await landing(url, task) }
      return { ...visit, body: bytes(encodeForm(await changedAnswer(readPairs(text(body)), task))) }
    }
    return move.at === 'login' && method === 'POST'
      ? move.change(visit, here.situation, request.url(asks.url))
      : visit
  }

  /** Notes a redirect to an address that the move made up. */
  const noteLure = ({ response }: Exchange): void => {
    const location = response && response.status < 400 ? header(response, 'location') : undefined
    if (move.at === 'logout_request' && response && leadsToLure(response)) noted.lure = `https://${STRANGER}/`
    if (!task || location === undefined) return
    const madeUp = request.madeUp(task.request.redirectUri)
    if (isLure(location) || madeUp.some(each => location.startsWith(each))) noted.lure = location
  }

  const browse: Middleware = next => async (visit, options) => {
    const sent = await changedVisit(visit)
    // Nothing is ever sent to a stranger; the flow ends before.
    if (isLure(sent.url)) throw new Error('the user agent follows a lure')
    const exchanged = await next(sent, options)
    noteLure(exchanged)
    return exchanged
  }

  let waited = false
  /** Sets the clock forward, once: a request may be asked for a second time with a nonce. */
  const waitFirst = (): void => {
    const { wait } = move
    if (wait === undefined || waited) return
    waited = true
    const { lifetimes, advance } = here.situation
    const isStated = wait === 'deviceCode' || wait === 'authReqId' || wait === 'requestUri'
    const lifetime = isStated ? limits.statedLifetime : lifetimes?.[wait]
    advance?.((lifetime ?? 0) + EXPIRY_MARGIN)
  }

  const grantOf = (sent: HttpRequest): Grant | undefined =>
    isPostTo(sent, 'token_endpoint')
      ? grantNamed(valueIn(parseForm(text(sent.body)), 'grant_type'))
      : undefined

  const changedToken = async (honest: HttpRequest): Promise<HttpRequest> => {
    if (move.at !== 'token_request' || move.again) return honest
    const message = readTokenMessage(honest)
    const changed = made<TokenMessage>(await move.change(message, here.situation, limits), message)
    return changed === message ? honest : writeTokenMessage(changed)
  }

  const change: Middleware = next => {
    pastClient = next
    return async (sent, options) => {
      if (isPostTo(sent, 'pushed_authorization_request_endpoint')) {
        return next(changeBody(sent, request.sent), options)
      }
      if (
        move.at === 'backchannel_authentication_request' &&
        isPostTo(sent, 'backchannel_authentication_endpoint')
      ) {
        const changed = move.change(readTokenMessage(sent), here.situation.client)
        return next(writeTokenMessage(changed), options)
      }
      const of = grantOf(sent)
      if (of === undefined) return next(sent, options)
      const { ask } = move
      // An exchanged token names its audience itself.
      const whole = ask && of !== 'token-exchange' ? changeBody(sent, pairs => [...pairs, ...ask]) : sent
      if (of !== grant) return next(whole, options)
      sentLast = await changedToken(whole)
      return next(sentLast, options)
    }
  }

  const watch: Middleware = next => {
    throughClient = next
    return async (sent, options) => {
      if (sentBefore && isPostTo(sent, 'pushed_authorization_request_endpoint')) await next(sent, options)
      const aimed = grant !== undefined && grantOf(sent) === grant
      if (aimed) tokenRequest = sent
      // Before the client signs the request: its proofs must not expire too.
      if (aimed && move.at === 'token_request') waitFirst()
      const exchanged = await next(sent, options)
      if (aimed) noted.exchange = exchanged
      else limits = { ...limits, ...limitsIn(exchanged) }
      return exchanged
    }
  }

  /** Logs out by a user agent, with the move in the request or in the return. */
  async function* leave(agent: UserAgent, to: LogoutTask): AsyncGenerator<LogoutVisit, void, void> {
    if (!agent.logout) throw new Error('this user agent cannot log out')
    const { pairs } = to.request
    const wrong = move.at === 'logout_request' ? made(await move.change(pairs, here.situation), pairs) : pairs
    const asks = wrong === pairs ? to.request : withPairs(to.request, wrong)
    for await (const visit of agent.logout({ ...to, request: asks })) {
      const { landed } = visit
      if (landed === undefined) {
        yield visit
        continue
      }
      noted.returned = move.at === 'logout_response' ? changeQuery(landed, move.change) : landed
      yield { ...visit, landed: noted.returned }
    }
  }

  return {
    layers: { watch, change, browse },
    noted,
    follow: (agent, earlier) => ({
      logout: to => leave(agent, to),
      async *authorize(to) {
        task = to
        // Every user agent opens the changed address, so that the person's own browser does too.
        if (move.wait === 'requestUri') waitFirst()
        const asks = { ...to.request, url: request.url(to.request.url) }
        if (usedBefore && earlier) for await (const _ of earlier.authorize({ ...to, request: asks }));
        if (sentBefore && !here.situation.pushed)
          await ways().pastClient(get(asks.url), { signal: to.signal })
        for await (const visit of agent.authorize({ ...to, request: asks })) {
          if (visit.landed !== undefined) noted.landed = await landing(visit.landed, to)
          yield visit.landed === undefined ? visit : { ...visit, landed: noted.landed! }
        }
      },
    }),
    changedUrl: request.url,
    makeObject: request.makeObject,
    forbidden: () => (move.at === 'token_request' ? move.forbids?.(here.situation, limits) : undefined),
    sendAgain: async signal => {
      if (!tokenRequest || !sentLast || !noted.exchange) throw new Error('no token request was sent yet')
      if (move.at !== 'token_request') throw new Error('the move sends no token request again')
      const problem = move.notAgain?.(tokenRequest, noted.exchange, here.situation)
      if (problem !== undefined) return { problem }
      return move.again === 'same'
        ? ways().pastClient(sentLast, { signal })
        : ways().throughClient(tokenRequest, { signal })
    },
    present: async (shown, how, signal) => {
      waitFirst()
      if (how === 'bare') return ways().pastClient(shown, { signal })
      const first = await ways().throughClient(shown, { signal })
      return how === 'twice' ? ways().pastClient(sameBytes(first, shown.body), { signal }) : first
    },
  }
}
