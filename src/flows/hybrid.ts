import { type HybridResponse, hybridResponse } from '../protocol/oauth/authorization-response.js'
import { type Check, check } from '../protocol/oauth/check.js'
import { OAuthError } from '../protocol/oauth/oauth-error.js'
import type { TokenResponse } from '../protocol/oauth/token.js'
import { decodeIfJwt } from '../protocol/tokens/decode.js'
import { defined } from '../protocol/values.js'
import { announcedType } from './answers/announced-type.js'
import { stepToken } from './answers/verify-tokens.js'
import { type FlowOptions, HYBRID_TYPE } from './options.js'
import { afterwards, hybridSteps, type PlanOptions, path, tokenStep } from './plans/plan-parts.js'
import type { FlowPorts } from './ports.js'
import { loginDemand } from './requests/login-demand.js'
import type { PlannedStep, StepToken } from './step.js'
import { checkBrowserIdToken, spendTokens } from './steps/check-step.js'
import { authorize, newRequest } from './steps/front-channel.js'
import { trade } from './steps/token-step.js'
import { flowOf, type Steps, type Walk } from './walk.js'

/** The steps of a hybrid login before they happen (OpenID Connect Core §3.3.1). */
export function hybridPlan(options: PlanOptions): PlannedStep[] {
  const { responseType = HYBRID_TYPE } = options
  const verified = responseType.split(' ').includes('id_token') ? [verification(options)] : []
  return [...hybridSteps(options), ...verified, tokenStep(options), ...afterwards(options)]
}

function verification({ metadata }: PlanOptions): PlannedStep {
  return {
    name: 'id_token_verification',
    from: 'client',
    to: 'authorization_server',
    title: `GET ${path(metadata.jwks_uri, '/jwks')}`,
    rfc: 'OpenID Connect Core §3.3.2.12',
    why: 'The client verifies the id_token from the browser before it redeems the code: c_hash in it says that both belong together.',
  }
}

/** The hybrid flow (OpenID Connect Core §3.3): the code is redeemed only when the id_token beside it names it. */
export const hybridFlow = flowOf(hybridPlan, steps)

async function* steps(walk: Walk, ports: FlowPorts, wanted: FlowOptions): Steps<TokenResponse> {
  const responseType = announcedType(wanted.metadata, wanted.responseType ?? HYBRID_TYPE)
  const request = newRequest(ports, wanted, responseType)
  const demand = loginDemand(wanted, ports.now())
  const answer = yield* authorize(
    walk,
    ports,
    request,
    wanted,
    landed => hybridResponse(landed, request),
    answered => defined({ tokens: tokensOf(answered), note: `${responseType} came through the browser` }),
  )
  const { code, idToken, tokens: beside } = answer
  if (idToken !== undefined) {
    yield* checkBrowserIdToken(
      walk,
      ports,
      wanted,
      defined({
        name: 'id_token_verification',
        idToken,
        nonce: request.nonce,
        demand,
        code,
        accessToken: beside?.access_token,
      } as const),
    )
  }
  const tokens = yield* trade(walk, wanted, {
    grantType: 'authorization_code',
    parameters: [
      ['code', code],
      ['redirect_uri', request.redirectUri],
      ['code_verifier', request.codeVerifier],
    ],
    check: ({ id_token: second }) => sameLogin(idToken, second),
  })
  return yield* spendTokens(
    walk,
    ports,
    wanted,
    tokens,
    defined({ login: true, demand, nonce: request.nonce }),
  )
}

function tokensOf({ tokens, idToken }: HybridResponse): StepToken[] {
  return [
    ...(tokens === undefined ? [] : [stepToken('access_token', tokens.access_token)]),
    ...(idToken === undefined ? [] : [stepToken('id_token', idToken)]),
  ]
}

/** Both id_tokens must name one issuer and one subject (OpenID Connect Core §3.3.3.6). */
function sameLogin(first: string | undefined, second: string | undefined): Check[] {
  if (first === undefined || second === undefined) return []
  const [a, b] = [decodeIfJwt(first)?.claims, decodeIfJwt(second)?.claims]
  if (a === undefined || b === undefined) return []
  const rule = 'OpenID Connect Core §3.3.3.6'
  const differs = (['iss', 'sub'] as const).find(name => a[name] !== b[name])
  if (differs === undefined) return [check('same_login', true, rule, 'both id_tokens name one user')]
  throw new OAuthError('subject_mismatch', {
    description: `the id_token of the token endpoint has another ${differs} than the one from the browser`,
    rule,
  })
}
