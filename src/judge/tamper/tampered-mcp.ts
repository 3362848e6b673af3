import { answerMembers } from '../../flows/answers/answer-members.js'
import { mcpFlow } from '../../flows/mcp/flow.js'
import type { McpOptions, McpPorts } from '../../flows/mcp/options.js'
import { mcpPlan } from '../../flows/mcp/plan.js'
import type { McpClient } from '../../flows/mcp/register.js'
import { type Middleware, outgoing, type TamperingMiddleware } from '../../flows/middleware/middleware.js'
import type { NetworkPorts } from '../../flows/ports.js'
import type { FlowRecord, Outcome, PlannedStep, Step } from '../../flows/step.js'
import { get } from '../../flows/walk.js'
import type { Exchange, Send, SendOptions } from '../../protocol/http/exchange.js'
import type { FormPairs } from '../../protocol/http/form.js'
import { bytes, type HttpRequest, header, mediaType, text } from '../../protocol/http/message.js'
import type { AuthorizationServerMetadata, PublishedMetadata } from '../../protocol/oauth/metadata.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { JwkSet } from '../../protocol/tokens/keys.js'
import { readKeySet } from '../../protocol/tokens/keys.js'
import { defined, isJsonObject, type JsonObject, unless } from '../../protocol/values.js'
import { moveFor, walkTampered } from './driver.js'
import { without, withoutHeader } from './messages.js'
import type { Move, NotMade, PresentationMove, RegistrationMove } from './move.js'
import { whyNotHere } from './moves.js'
import { type Made, observeClient, observeStep } from './observe.js'
import { tamperedPlan } from './plan.js'
import { mcpShape } from './shape.js'
import { announcedIn, keysIn, type Situation } from './situation.js'
import { type Here, type Tampering, tamperWith } from './tampering.js'
import { type Observed, observeResource, observeToken } from './verdict.js'

/** The facts about a run that the flow does not learn by itself. */
export type McpFacts = Pick<Situation, 'credentials' | 'ownBrowser' | 'documentAsked'>

/** The circumstances of a move before the flow has found its authorization server. */
export function earlySituation(wanted: McpOptions, facts: McpFacts): Situation {
  return {
    ...facts,
    flow: mcpShape(wanted),
    client: { clientId: '', auth: 'none' },
    redirectUri: wanted.redirectUri,
    pkce: true,
    challengeMethods: [],
    issPromised: false,
    ...keysIn(wanted),
    presentAt: wanted.url,
    resourceServer: true,
  }
}

/** The circumstances of a move at an authorization server. */
function situationAt(
  metadata: PublishedMetadata,
  { clientId, clientSecret, auth }: McpClient,
  early: Situation,
): Situation {
  const announced = announcedIn(metadata)
  const proof = early.key && 'key'
  return defined({
    ...early,
    ...announced,
    client: defined({ clientId, auth, clientSecret, proof }),
    pushed: announced.pushRequired,
    knownScopes: metadata.scopes_supported,
  })
}

/** The steps of the MCP flow with a wrong move, before they happen. */
export function tamperedMcpPlan(wanted: McpOptions, move: Move): PlannedStep[] {
  return tamperedPlan(mcpPlan(wanted), move, earlySituation(wanted, {}))
}

/** True for a move that shows the MCP server a token which it must not take. */
function showsToken(move: Move): move is PresentationMove {
  return move.at === 'userinfo_request'
}

/** True for a move whose token is what the flow got, by requests that were wrong. */
export function getsOtherToken(move: Move): boolean {
  return showsToken(move) && (move.ask !== undefined || move.leavesOut !== undefined)
}

/** The token of a request; undefined without one. */
function tokenOf(request: HttpRequest): string | undefined {
  return /^(?:Bearer|DPoP) (.+)$/i.exec(header(request, 'authorization') ?? '')?.[1]
}

/** Returns the move as a change of both requests for the token, where the wrong token comes from them. */
function ofTokenRequests(move: Move): Move {
  if (!showsToken(move) || !getsOtherToken(move)) return move
  const { ask = [], leavesOut = [], name, does, risk, expects, rule } = move
  // The client of this flow names its resource itself, so a further one would be a second resource.
  const names = [...leavesOut, ...ask.map(([each]) => each)]
  const change = (pairs: FormPairs) => [...without(pairs, ...names), ...ask]
  return {
    name,
    does,
    risk,
    expects,
    rule,
    at: 'token_request',
    authorize: change,
    change: message => ({ ...message, pairs: change(message.pairs) }),
  }
}

/** Returns a message to an MCP server with the token that a move shows, or why there is none. */
async function withShownToken(
  { present }: PresentationMove,
  request: HttpRequest,
  own: string,
  facts: { readonly keys: JwkSet | undefined; readonly now: () => number },
): Promise<HttpRequest | NotMade> {
  const made = await present(defined({ endpoint: request.url, tokens: { access_token: own }, ...facts }))
  if ('problem' in made) return made
  // A token that is shown as it is keeps its scheme and its proof.
  if (tokenOf(made) === own) return { ...request, url: made.url }
  const headers = withoutHeader(request.headers, 'authorization')
  const authorization = header(made, 'authorization')
  return {
    ...request,
    url: made.url,
    headers: authorization === undefined ? headers : [...headers, ['authorization', authorization]],
  }
}

/** The metadata in a registration request (RFC 7591 §3.1); undefined for any other request. */
function registrationIn({ method, headers, body }: HttpRequest): JsonObject | undefined {
  if (method !== 'POST' || mediaType({ headers }) !== 'application/json') return undefined
  const value: unknown = JSON.parse(text(body))
  return isJsonObject(value) && 'redirect_uris' in value ? value : undefined
}

/** Fetches the published keys of a server. Returns undefined where they cannot be read. */
async function publishedKeys(
  url: string | undefined,
  send: Send,
  { signal }: SendOptions = {},
): Promise<JwkSet | undefined> {
  if (url === undefined) return undefined
  const exchange = await send(get(url), signal && { signal })
  return unless(OAuthError, () => readKeySet(exchange))
}

/** Adds the messages that only an MCP client sends, and the answers that only such a client reads, to what a move changes. */
function mcpLayers(move: Move, { layers, noted }: Tampering, here: Here, url: string, now: () => number) {
  /** The exchanges with the move in them: a changed message or answer, or a token that must not be taken. */
  const carriers = new WeakSet<Exchange>()
  let keys: Promise<JwkSet | undefined> | undefined

  async function changed(request: HttpRequest, send: Send, options?: SendOptions): Promise<HttpRequest> {
    if (move.at === 'client_registration') {
      const members = registrationIn(request)
      return members ? { ...request, body: bytes(JSON.stringify(await move.register(members))) } : request
    }
    const own = request.url === url ? tokenOf(request) : undefined
    if (!showsToken(move) || own === undefined || here.metadata === undefined) return request
    if (!getsOtherToken(move)) keys ??= publishedKeys(here.metadata.jwks_uri, send, options)
    const shown = await withShownToken(move, request, own, { keys: await keys, now })
    if (!('problem' in shown)) return shown
    noted.problem = shown.problem
    return request
  }

  /** Changes messages as they are sent, and answers as the client reads them. */
  const change: Middleware = next => {
    const further = layers.change(next)
    return async (request, options) => {
      const exchange = await further(await changed(request, next, options), options)
      if (!('lie' in move)) return exchange
      const isOurs = move.at !== 'tools_request' || (request.url === url && tokenOf(request) !== undefined)
      const response = isOurs ? move.lie(exchange) : undefined
      if (response === undefined) return exchange
      const size = bytes(response.body).length
      const wireBytes = { ...exchange.wireBytes, response: size }
      const lied = { ...exchange, response, wireBytes, bodyBytes: size }
      carriers.add(lied)
      return lied
    }
  }

  const watch: Middleware = next => {
    const further = layers.watch(next)
    return async (request, options) => {
      const exchange = await further(request, options)
      const isRegistration = move.at === 'client_registration' && registrationIn(request) !== undefined
      const isShown = showsToken(move) && request.url === url && tokenOf(request) !== undefined
      if (isRegistration || isShown) carriers.add(exchange)
      return exchange
    }
  }
  const all: TamperingMiddleware = { watch, change, browse: layers.browse }
  return { layers: all, carries: ({ exchange }: Step) => exchange !== undefined && carriers.has(exchange) }
}

/** Errors of an authorization request without a resource (RFC 8707 §2). */
const TARGET_ERRORS = new Set(['invalid_target', 'invalid_request'])

/** Reads what the MCP server does with a token. A token without enough scope was taken as such (RFC 6750 §3.1). */
function observeShown(exchange: Exchange, repeats: true | undefined): Observed | undefined {
  const status = exchange.response?.status
  const observed = observeResource(exchange)
  const isAboutToken = status === 401 || status === 403 || (observed.kind === 'refused' && observed.error)
  // The server does not speak this revision, and the client goes on with another one.
  if (repeats && !isAboutToken) return undefined
  const taken = observed.kind === 'refused' && observed.error === 'insufficient_scope'
  return taken ? { kind: 'accepted', what: `the token, with too little scope (${status})` } : observed
}

/** Reads the refusal of the authorization server to issue a token without a resource. */
function observeTarget({ name, exchange }: Step, ended: Outcome | undefined): Observed | undefined {
  const { error, error_description: description } = ended?.error ?? {}
  if (name === 'authorization_response' && error !== undefined && TARGET_ERRORS.has(error))
    return { kind: 'refused', by: 'redirect', error, description }
  return name === 'token_request' && ended?.outcome === 'refused' && exchange
    ? observeToken(exchange)
    : undefined
}

/** Reads the answer to a registration. */
export function observeRegistration(exchange: Exchange, { kept }: RegistrationMove): Observed {
  const observed = observeToken(exchange)
  const members = answerMembers(exchange)
  if (observed.kind !== 'accepted' || members.client_id === undefined || kept(members)) return observed
  return { kind: 'ignored', what: 'the client is registered without the wrong value' }
}

/** Reads the answer to the move from a step of the MCP flow. Returns undefined while there is none. */
function observeMcp(step: Step, move: Move, isCarrier: boolean, facts: Made): Observed | undefined {
  const { exchange, repeats } = step
  switch (move.at) {
    case 'resource_metadata_request':
    case 'discovery_request':
    case 'tools_request':
      return isCarrier && !repeats ? observeClient(facts.ended) : undefined
    case 'client_registration':
      return isCarrier && exchange ? observeRegistration(exchange, move) : undefined
    case 'userinfo_request':
      if (isCarrier && exchange) return observeShown(exchange, repeats)
      return move.leavesOut === undefined ? undefined : observeTarget(step, facts.ended)
    default:
      return observeStep(step, move, facts)
  }
}

/** The MCP flow with one wrong move in it. @param ports `become` gets what the flow learns about its server and its client */
export function tamperedMcpFlow(
  ports: NetworkPorts & Pick<McpPorts, 'become'>,
  wanted: McpOptions,
  asked: Move,
  facts: McpFacts,
): AsyncGenerator<FlowRecord, void, void> {
  const { signal, now, random } = ports
  const early = earlySituation(wanted, facts)
  const here: Here = { situation: early }
  const tampering = tamperWith(ofTokenRequests(asked), here)
  const { layers, carries } = mcpLayers(asked, tampering, here, wanted.url, now)
  const { client, browser } = outgoing(ports.send, { ...ports.layers, tampering: layers })
  const wrong = asked.at === 'authorization_request' ? asked.does : undefined
  const whole = mcpPlan(wanted)

  /** Takes note of the authorization server, unless the move cannot be made there. */
  function meet(metadata: AuthorizationServerMetadata, situation: Situation): void {
    if (here.metadata !== undefined) return
    tampering.noted.problem = whyNotHere(asked, situation)
    if (tampering.noted.problem === undefined) Object.assign(here, { metadata, situation })
  }

  const records = mcpFlow(
    {
      send: client,
      userAgent: tampering.follow(ports.agentWith(browser, wrong)),
      now,
      random,
      signal,
      become(metadata, extras, own) {
        meet(metadata, situationAt(metadata, own, early))
        ports.become(metadata, extras, own)
      },
    },
    wanted,
  )
  return walkTampered({
    signal,
    tampering,
    records,
    plan: whole,
    longer: tamperedMcpPlan(wanted, asked).length - whole.length,
    here: () => ({ move: moveFor(asked, here.situation), situation: here.situation }),
    asSent(step) {
      if (step.token?.kind === 'access_token') {
        here.situation = { ...here.situation, issued: step.token.value }
      }
      if (here.metadata === undefined || step.name !== 'authorization_request' || step.url === undefined) {
        return step
      }
      return { ...step, url: tampering.changedUrl(step.url), note: `tamper ${asked.name}: ${asked.does}` }
    },
    observe: (step, made) => observeMcp(step, moveFor(asked, here.situation), carries(step), made),
  })
}
