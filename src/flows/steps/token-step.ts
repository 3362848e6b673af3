import type { Exchange } from '../../protocol/http/exchange.js'
import type { HttpRequest } from '../../protocol/http/message.js'
import type { AuthorizationDetails } from '../../protocol/oauth/authorization-details.js'
import type { Check } from '../../protocol/oauth/check.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { TokenResponse } from '../../protocol/oauth/token.js'
import { tokenRequest, tokenResponse } from '../../protocol/oauth/token.js'
import { defined } from '../../protocol/values.js'
import { detailsCheck } from '../answers/granted-details.js'
import { missingScope, scopeCheck } from '../answers/granted-scope.js'
import { stepTokens } from '../answers/verify-tokens.js'
import { endpoint } from '../metadata/endpoint.js'
import type { FlowOptions } from '../options.js'
import type { StepName } from '../step.js'
import type { Shown, Steps, Walk } from '../walk.js'

export interface TokenTrade {
  /** Default `token_request`. */
  readonly name?: StepName
  readonly grantType: string
  /** In order; undefined ones are left out. */
  readonly parameters: ReadonlyArray<readonly [name: string, value: string | undefined]>
  /** Of this request or of an earlier one. */
  readonly scope?: string | undefined
  readonly details?: AuthorizationDetails | undefined
  /** Beside the checks of every token response. */
  readonly checks?: readonly Check[]
  /** @throws OAuthError */
  readonly check?: (tokens: TokenResponse, exchange: Exchange) => readonly Check[]
}

/** The token request of a trade. */
export function tradeRequest(
  { grantType, parameters }: Pick<TokenTrade, 'grantType' | 'parameters'>,
  { metadata, clientId, clientSecret, auth }: FlowOptions,
): HttpRequest {
  return tokenRequest(
    defined({
      endpoint: endpoint(metadata, 'token_endpoint'),
      clientId,
      auth,
      clientSecret,
      grantType,
      parameters,
    }),
  )
}

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
  { requiresDpop }: Pick<FlowOptions, 'requiresDpop'>,
  trade: TokenTrade,
  exchange: Exchange,
): Steps<TokenResponse> {
  const { name = 'token_request', scope } = trade
  const { tokens, checks } = yield* walk.orRefused(name, exchange, () => {
    const answer = tokenResponse(exchange)
    if (requiresDpop) requireDpop(answer.tokens)
    const more = trade.check?.(answer.tokens, exchange) ?? []
    const { scope: named, authorization_details: details } = answer.tokens
    const granted = [scopeCheck(scope, named), ...detailsCheck(trade.details, details)]
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
