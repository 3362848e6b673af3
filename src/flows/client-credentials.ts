import { advice } from '../protocol/oauth/check.js'
import type { TokenResponse } from '../protocol/oauth/token.js'
import { detailsParameters, type FlowOptions } from './options.js'
import { afterwards, type PlanOptions, tokenStep } from './plans/plan-parts.js'
import type { FlowPorts } from './ports.js'
import type { FlowRecord, PlannedStep } from './step.js'
import { checkTokens } from './steps/check-step.js'
import { callResource } from './steps/resource-step.js'
import { trade } from './steps/token-step.js'
import { concluded, createWalk, type Steps } from './walk.js'

/** The steps of the client credentials grant before they happen (RFC 6749 §4.4, figure 6). */
export function clientCredentialsPlan(options: PlanOptions): PlannedStep[] {
  const first = tokenStep(options, {
    rfc: '6749 §4.4.2',
    why: 'The client asks in its own name: no resource owner takes part, and its secret is all it shows.',
  })
  return [first, ...afterwards(options).filter(({ name }) => name !== 'userinfo_request')]
}

/** The client credentials grant (RFC 6749 §4.4). */
export function clientCredentialsFlow(
  ports: FlowPorts,
  wanted: FlowOptions,
): AsyncGenerator<FlowRecord, void, void> {
  return concluded(steps(ports, wanted), ports.signal)
}

async function* steps(ports: FlowPorts, wanted: FlowOptions): Steps<TokenResponse> {
  const { scope } = wanted
  const walk = createWalk(ports, clientCredentialsPlan(wanted))
  const tokens = yield* trade(walk, wanted, {
    grantType: 'client_credentials',
    parameters: [['scope', scope], ...detailsParameters(wanted)],
    scope,
    details: wanted.authorizationDetails,
    check: ({ refresh_token: refreshToken }) => {
      const none = refreshToken === undefined
      const detail = none
        ? 'none, as it should be: the client can ask again'
        : 'one came, which should not be'
      return [advice('refresh_token', none, 'RFC 6749 §4.4.3', detail)]
    },
  })
  yield* checkTokens(walk, ports, wanted, tokens, { login: false })
  yield* callResource(walk, wanted, tokens.access_token)
  return tokens
}
