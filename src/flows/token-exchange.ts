import type { Exchange } from '../protocol/http/exchange.js'
import type { FormPairs } from '../protocol/http/form.js'
import { jsonObject } from '../protocol/oauth/answers.js'
import { advice, type Check, check } from '../protocol/oauth/check.js'
import { OAuthError } from '../protocol/oauth/oauth-error.js'
import { tokenTypeUri } from '../protocol/oauth/scope.js'
import type { TokenResponse } from '../protocol/oauth/token.js'
import { decodeIfJwt } from '../protocol/tokens/decode.js'
import { grantedScope } from './answers/granted-scope.js'
import { sameSubject } from './answers/verify-tokens.js'
import { detailsParameters, type FlowOptions } from './options.js'
import { afterwards, firstSteps, type PlanOptions, tokenStep } from './plans/plan-parts.js'
import type { AllPorts } from './ports.js'
import type { PlannedStep } from './step.js'
import { checkTokens } from './steps/check-step.js'
import { obtainFirst } from './steps/first.js'
import { callResource } from './steps/resource-step.js'
import { trade } from './steps/token-step.js'
import { flowOf, type Steps, type Walk } from './walk.js'

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN_TYPE = tokenTypeUri('access_token')

/** The steps of a token exchange before they happen (RFC 8693 §2). */
export function tokenExchangePlan(options: PlanOptions): PlannedStep[] {
  return [
    ...firstSteps(options),
    tokenStep(options, {
      name: 'exchange_request',
      rfc: '8693 §2.1',
      why: 'The client trades the token for one that is good elsewhere and for less: it passes on no more than it must.',
    }),
    ...afterwards(options).filter(({ name }) => name !== 'userinfo_request'),
  ]
}

/** Token exchange (RFC 8693): an access token for another one about the same subject. */
export const tokenExchangeFlow = flowOf(tokenExchangePlan, steps)

async function* steps(walk: Walk, ports: AllPorts, wanted: FlowOptions): Steps<TokenResponse> {
  const { exchangeFor } = wanted
  // Only the request for a given token can narrow it.
  const given = wanted.accessToken !== undefined
  const first = yield* obtainFirst(walk, ports, wanted)
  const tokens = yield* trade(walk, wanted, {
    name: 'exchange_request',
    grantType: GRANT_TYPE,
    parameters: [
      ['subject_token', first.access_token],
      ['subject_token_type', wanted.subjectTokenType ?? ACCESS_TOKEN_TYPE],
      ['audience', exchangeFor],
      ...actorParameters(wanted),
      ...(given ? [['scope', wanted.scope] as const, ...detailsParameters(wanted)] : []),
    ],
    scope: given ? wanted.scope : grantedScope(wanted.scope, first.scope),
    details: given ? wanted.authorizationDetails : undefined,
    check: (after, exchange) => [
      issuedType(exchange),
      ...sameSubject(onlyAccess(first), onlyAccess(after), 'RFC 8693 §1.1'),
      ...notLonger(first, after),
    ],
  })
  const { audience: _before, ...others } = wanted
  const expected = exchangeFor === undefined ? wanted : { ...others, audience: exchangeFor }
  yield* checkTokens(walk, ports, expected, tokens, { login: false })
  yield* callResource(walk, wanted, tokens.access_token)
  return tokens
}

/** RFC 8693 §2.1. */
function actorParameters({ actorToken, actorTokenType = ACCESS_TOKEN_TYPE }: FlowOptions): FormPairs {
  if (actorToken === undefined) return []
  return [
    ['actor_token', actorToken],
    ['actor_token_type', actorTokenType],
  ]
}

/** The id_token of the first response is not exchanged. */
function onlyAccess({ access_token, token_type }: TokenResponse): TokenResponse {
  return { access_token, token_type }
}

/** RFC 8693 §2.2.1. */
function issuedType(exchange: Exchange): Check {
  const rule = 'RFC 8693 §2.2.1'
  const { issued_token_type: type } = jsonObject(exchange, 'the token endpoint', rule)
  if (typeof type === 'string' && type !== '') return check('issued_token_type', true, rule, type)
  throw new OAuthError('invalid_response', { description: 'issued_token_type is missing', rule })
}

/** A longer life than that of the exchanged token would make its theft more valuable. */
function notLonger(before: TokenResponse, after: TokenResponse): Check[] {
  const [was, is] = [before, after].map(({ access_token: token }) => decodeIfJwt(token)?.claims.exp)
  if (typeof was !== 'number' || typeof is !== 'number') return []
  const ok = is <= was
  const detail = ok ? 'not later than that of the first token' : 'later than that of the first token'
  return [advice('exp', ok, 'RFC 8693 §5', detail)]
}
