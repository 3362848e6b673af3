import { cut } from '../../protocol/events.js'
import type { HttpRequest, HttpResponse } from '../../protocol/http/message.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { defined } from '../../protocol/values.js'
import { type AnswerSettings, NO_TOKEN, refusalAnswer, refusalStatus, unauthenticated } from './answers.js'
import type { Access, Authenticate } from './authenticator.js'
import { refused, requireDetails, requireLogin } from './claim-checks.js'
import type { Defences } from './defences.js'
import type { Context, RpcCall, Scheme } from './events.js'
import { usedScheme } from './presented.js'
import { MAX_BODY_BYTES, type ResourceRoute } from './settings.js'

/** The parts that a guard uses. */
export interface GuardParts {
  readonly authenticate: Authenticate
  readonly defences: Defences
  /** The base URL of the resource server. */
  readonly baseUrl: string
  readonly now: () => number
}

/** A request to a protected path, and the way to answer it. */
export interface Guarded {
  readonly route: ResourceRoute
  /** The scope that a challenge suggests where the route needs none. Absent: none. */
  readonly suggestedScope?: string
  /** The settings of error responses for this path. */
  readonly answers: AnswerSettings
  /** The audiences that tokens must name one of. Absent: those of the resource server. */
  readonly audiences?: readonly string[]
  /** The MCP call that the events name. */
  readonly call?: RpcCall
  /** Answers a request whose token is accepted. */
  readonly answer: (access: Access) => HttpResponse | Promise<HttpResponse>
}

/** Answers one request to a protected path, with an error response unless its token allows the request. */
export type Guard = (request: HttpRequest, context: Context, guarded: Guarded) => Promise<HttpResponse>

/** Makes the function that checks the token of a request before anything else answers it. */
export function createGuard({ authenticate, defences, baseUrl, now }: GuardParts): Guard {
  return async (request, context, { route, suggestedScope, answers, audiences, call, answer }) => {
    const { path, scope } = route
    const { publish } = context
    const about = { method: request.method, path, ...call }
    const scheme = usedScheme(request)
    try {
      if (request.body.length > MAX_BODY_BYTES) {
        throw refused('content_too_large', `a body has at most ${MAX_BODY_BYTES} bytes`, 'RFC 9110 §15.5.14')
      }
      const presented = await authenticate(request, context, audiences)
      if (presented === undefined) {
        publish({ type: 'resource.refused', ...about, status: 401, ...NO_TOKEN })
        return unauthenticated(answers, scope ?? suggestedScope)
      }
      const login = requireLogin(presented, route, now())
      const access = { ...presented, checks: [...presented.checks, ...login] }
      defences.requireScope(access, scope)
      requireDetails(access, route, baseUrl)
      const response = await answer(access)
      publish({ type: 'resource.accepted', ...about, ...accepted(access) })
      return response
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      publish({ type: 'resource.refused', ...about, ...refusedFor(error, scheme) })
      return refusalAnswer(error, { scheme, scope: scope ?? suggestedScope, login: route }, answers)
    }
  }
}

/** Returns the members of an event about an accepted token, besides the request. */
function accepted({ scheme, token, claims, scope, checks, alg, keys }: Access) {
  const owner: { sub?: string; client_id?: string } = {}
  if (typeof claims.sub === 'string') owner.sub = claims.sub
  if (typeof claims.client_id === 'string') owner.client_id = claims.client_id
  const source = keys === undefined ? undefined : keys === 'configured' ? keys : ('published' as const)
  const key = defined({ alg, keys: source })
  return { scheme, access_token: cut(token), ...owner, scope: scope.join(' '), ...key, checks }
}

/** Returns the members of an event about an error response, besides the request. */
function refusedFor(error: OAuthError, scheme: Scheme | undefined) {
  const { code, description, rule, evidence } = error
  const known: { scheme?: Scheme; evidence?: string } = {}
  if (scheme !== undefined) known.scheme = scheme
  if (evidence !== undefined) known.evidence = evidence
  return { status: refusalStatus(error), error: code, description, rule, ...known }
}
