import type { Exchange } from '../../protocol/http/exchange.js'
import type { HttpRequest } from '../../protocol/http/message.js'
import {
  type AuthorizationDetail,
  type AuthorizationDetails,
  coversDetail,
} from '../../protocol/oauth/authorization-details.js'
import { advice, type Check, check } from '../../protocol/oauth/check.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { clientRequest, type TokenResponse, tokenResponse } from '../../protocol/oauth/token.js'
import { defined } from '../../protocol/values.js'
import { missingScope, scopeCheck } from '../answers/granted-scope.js'
import { stepTokens } from '../answers/verify-tokens.js'
import { endpoint } from '../metadata/endpoint.js'
import type { FlowOptions } from '../options.js'
import type { StepName } from '../step.js'
import type { Shown, Steps, Walk } from '../walk.js'

const RULE = 'RFC 9396 §7'

/** Compares the authorization details asked for with the granted ones. A server may add members (RFC 9396 §7.1). */
export function detailsCheck(
  asked: AuthorizationDetails | undefined,
  answered: AuthorizationDetails | undefined,
): Check[] {
  const name = 'authorization_details'
  if (asked === undefined && answered === undefined) return []
  if (answered === undefined) {
    const problem = 'missing: the server granted none of them, or does not know the parameter'
    return [advice(name, false, RULE, problem)]
  }
  const beyond = answered.filter(each => !(asked ?? []).some(other => isWithin(each, other)))
  if (beyond.length > 0) {
    return [advice(name, false, RULE, `beyond what was asked for: ${beyond.map(shownDetail).join(', ')}`)]
  }
  const types = answered.map(({ type }) => type).join(', ') || 'none'
  const whole = (asked ?? []).every(each =>
    answered.some(other => isWithin(other, each) && isWithin(each, other)),
  )
  return [check(name, true, RULE, `${whole ? 'as asked' : 'not more than asked'}: ${types}`)]
}

function isWithin(granted: AuthorizationDetail, asked: AuthorizationDetail): boolean {
  if (granted.type !== asked.type) return false
  const names = Object.keys(asked).filter(name => Object.hasOwn(granted, name))
  const [had, wanted] = [granted, asked].map(detail => ({
    ...Object.fromEntries(names.map(name => [name, detail[name]])),
    type: asked.type,
  }))
  // A limit that is gone would give more; an added member is no right (RFC 9396 §7.1).
  return names.length === Object.keys(asked).length && coversDetail(wanted!, had!)
}

const shownDetail = (detail: AuthorizationDetail): string => {
  const text = JSON.stringify(detail)
  return text.length > 120 ? `${text.slice(0, 119)}…` : text
}

export interface TokenTrade {
  /** Default `token_request`. */
  readonly name?: StepName
  readonly grantType: string
  /** In order; undefined ones are left out. */
  readonly parameters: ReadonlyArray<readonly [name: string, value: string | undefined]>
  /** The scope that was asked for, here or earlier. Default: that of the options, as for the details. */
  readonly scope?: string | undefined
  readonly details?: AuthorizationDetails | undefined
  /** Beside the checks of every token response. */
  readonly checks?: readonly Check[]
  /** @throws OAuthError */
  readonly check?: (tokens: TokenResponse, exchange: Exchange) => readonly Check[]
}

/** A form request of the client to an endpoint of its server. */
export const formRequest = (
  name: Parameters<typeof endpoint>[1],
  { metadata, clientId, clientSecret, auth }: FlowOptions,
  parameters: TokenTrade['parameters'],
): HttpRequest =>
  clientRequest(defined({ endpoint: endpoint(metadata, name), clientId, auth, clientSecret, parameters }))

/** The token request of a trade. */
export const tradeRequest = (
  { grantType, parameters }: Pick<TokenTrade, 'grantType' | 'parameters'>,
  wanted: FlowOptions,
): HttpRequest => formRequest('token_endpoint', wanted, [['grant_type', grantType], ...parameters])

function tokensShown(tokens: TokenResponse, asked: string | undefined): Shown {
  const { token_type: type, expires_in: seconds, scope, authorization_details: details = [] } = tokens
  const parts = [
    type,
    seconds === undefined ? undefined : `${seconds} s`,
    ...details.map(detail => detail.type),
    missingScope(asked, scope),
  ]
  return { ...stepTokens(tokens), note: parts.filter(each => each !== undefined).join(', ') }
}

/** RFC 9449 §5. */
function requireDpop({ token_type: type }: TokenResponse): void {
  if (type.toLowerCase() === 'dpop') return
  throw new OAuthError('invalid_response', {
    description: `the access token is bound to no key: token_type is ${type}; the client discards it`,
    rule: 'FAPI 2.0 Security Profile §5.3.3.1-1',
  })
}

/** Reads the answer to a trade, and shows its step. */
export async function* readTrade(
  walk: Walk,
  { requiresDpop, scope: wantedScope, authorizationDetails }: FlowOptions,
  trade: TokenTrade,
  exchange: Exchange,
): Steps<TokenResponse> {
  const asked = { scope: wantedScope, details: authorizationDetails, ...trade }
  const { name = 'token_request', scope } = asked
  const { tokens, checks } = yield* walk.orRefused(name, exchange, () => {
    const answer = tokenResponse(exchange)
    if (requiresDpop) requireDpop(answer.tokens)
    const more = trade.check?.(answer.tokens, exchange) ?? []
    const { scope: named, authorization_details: details } = answer.tokens
    const granted = [scopeCheck(scope, named), ...detailsCheck(asked.details, details)]
    return { ...answer, checks: [...answer.checks, ...granted, ...more] }
  })
  yield walk.step(name, {
    exchange,
    checks: [...(trade.checks ?? []), ...checks],
    ...tokensShown(tokens, scope),
  })
  return tokens
}

/** Trades something for tokens at the token endpoint (RFC 6749 §3.2). */
export async function* trade(walk: Walk, wanted: FlowOptions, what: TokenTrade): Steps<TokenResponse> {
  return yield* readTrade(walk, wanted, what, await walk.send(tradeRequest(what, wanted)))
}
