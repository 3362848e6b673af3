import type { UserAgent } from '../../../client/user-agent.js'
import type { Middleware, TamperingMiddleware } from '../../../flows/middleware/middleware.js'
import { get } from '../../../flows/walk.js'
import type { Exchange, Send, SendOptions } from '../../../protocol/http/exchange.js'
import { bytes, type HttpRequest, mediaType, text } from '../../../protocol/http/message.js'
import type { AuthorizationServerMetadata } from '../../../protocol/oauth/metadata.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { JwkSet } from '../../../protocol/tokens/keys.js'
import { readKeySet } from '../../../protocol/tokens/keys.js'
import { isJsonObject, type JsonObject } from '../../../protocol/values.js'
import { moveFor } from '../judged-step.js'
import type { Move, Situation } from '../move.js'
import { whyNotHere } from '../moves.js'
import { type Tampering, tamperWith } from '../tampering.js'
import { getsOtherToken, ofTokenRequests, showsToken, tokenOf, withShownToken } from './shown-token.js'

/** The server that a flow has found, and the move there. */
export interface Met {
  /** The move, with the refusals that are good at this server. */
  readonly move: Move
  readonly situation: Situation
  readonly tampering: Tampering
}

/** One wrong move in a flow that finds its authorization server on the way. */
export interface McpTampering {
  readonly layers: TamperingMiddleware
  /** Watches a user agent, and changes what it carries. */
  follow(agent: UserAgent): UserAgent
  /** Takes note of the authorization server, and of the circumstances there. */
  meet(metadata: AuthorizationServerMetadata, situation: Situation): void
  /** Returns the server that the flow has found; undefined before, and where the move cannot be made at it. */
  met(): Met | undefined
  /** Returns why the move cannot be made; undefined where it can. */
  notMade(): string | undefined
  /** True for an exchange that carries the move: a changed message, or a token that must not be taken. */
  carries(exchange: Exchange | undefined): boolean
}

/** The metadata in a registration request (RFC 7591 §3.1); undefined for any other request. */
function registrationIn({ method, headers, body }: HttpRequest): JsonObject | undefined {
  if (method !== 'POST' || mediaType({ headers }) !== 'application/json') return undefined
  const value: unknown = JSON.parse(text(body))
  return isJsonObject(value) && 'redirect_uris' in value ? value : undefined
}

/** Fetches the published keys of a server. Returns undefined where they cannot be read. */
async function publishedKeys(
  { jwks_uri: url }: AuthorizationServerMetadata,
  send: Send,
  options: SendOptions | undefined,
): Promise<JwkSet | undefined> {
  if (url === undefined) return undefined
  const exchange = await send(get(url), options?.signal && { signal: options.signal })
  try {
    return readKeySet(exchange)
  } catch (error) {
    if (error instanceof OAuthError) return undefined
    throw error
  }
}

/** Prepares one wrong move in one run of the MCP flow. @param url the address of the MCP server */
export function tamperWithMcp(move: Move, url: string, now: () => number): McpTampering {
  const carriers = new WeakSet<Exchange>()
  let met: (Met & { readonly metadata: AuthorizationServerMetadata }) | undefined
  let problem: string | undefined
  let keys: Promise<JwkSet | undefined> | undefined

  /** A layer of the move that begins where the flow has found its server. */
  const late =
    (pick: (layers: TamperingMiddleware) => Middleware): Middleware =>
    next => {
      let of: Tampering | undefined
      let send = next
      return (request, options) => {
        if (met !== undefined && met.tampering !== of) {
          of = met.tampering
          send = pick(of.layers)(next)
        }
        return send(request, options)
      }
    }

  /** True for a message to the MCP server with a token. */
  const hasToken = (request: HttpRequest): boolean => request.url === url && tokenOf(request) !== undefined

  async function changed(
    request: HttpRequest,
    send: Send,
    options: SendOptions | undefined,
  ): Promise<HttpRequest> {
    if (move.at === 'client_registration') {
      const members = registrationIn(request)
      if (members === undefined) return request
      return { ...request, body: bytes(JSON.stringify(await move.register(members))) }
    }
    if (!showsToken(move) || !hasToken(request) || met === undefined) return request
    if (!getsOtherToken(move)) keys ??= publishedKeys(met.metadata, send, options)
    const shown = await withShownToken(move, request, await keys, now)
    if (!('problem' in shown)) return shown
    problem = shown.problem
    return request
  }

  /** Changes messages as they are sent, and answers as the client reads them. */
  const change: Middleware = next => {
    const further = late(layers => layers.change)(next)
    return async (request, options) => {
      const exchange = await further(await changed(request, next, options), options)
      if (!('lie' in move)) return exchange
      const response = move.lie(exchange)
      if (response === undefined || (move.at === 'tools_request' && !hasToken(request))) return exchange
      const size = bytes(response.body).length
      const wireBytes = { ...exchange.wireBytes, response: size }
      const lied = { ...exchange, response, wireBytes, bodyBytes: size }
      carriers.add(lied)
      return lied
    }
  }

  const watch: Middleware = next => {
    const further = late(layers => layers.watch)(next)
    return async (request, options) => {
      const exchange = await further(request, options)
      const isRegistration = move.at === 'client_registration' && registrationIn(request) !== undefined
      if (isRegistration || (showsToken(move) && hasToken(request))) carriers.add(exchange)
      return exchange
    }
  }

  return {
    layers: { watch, change, browse: late(layers => layers.browse) },
    follow: agent => ({
      authorize: errand => (met?.tampering.follow(agent) ?? agent).authorize(errand),
    }),
    meet(metadata, situation) {
      if (met !== undefined) return
      problem = whyNotHere(move, situation)
      if (problem !== undefined) return
      const own = moveFor(move, situation)
      met = {
        metadata,
        move: own,
        situation,
        tampering: tamperWith(ofTokenRequests(own), situation, metadata),
      }
    },
    met: () => met,
    notMade: () => problem ?? met?.tampering.notMade(),
    carries: exchange => exchange !== undefined && carriers.has(exchange),
  }
}
