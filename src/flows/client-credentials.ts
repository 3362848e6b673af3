import { advice } from '../protocol/oauth/check.js'
import type { TokenResponse } from '../protocol/oauth/token.js'
import { detailsParameters, type FlowOptions } from './options.js'
import { afterwards, type PlanOptions, tokenStep } from './plans/plan-parts.js'
import type { FlowPorts } from './ports.js'
import type { PlannedStep } from './step.js'
import { spendTokens } from './steps/check-step.js'
import { trade } from './steps/token-step.js'
import { flowOf, type Steps, type Walk } from './walk.js'

/** The steps of the client credentials grant before they happen (RFC 6749 §4.4, figure 6). */
export function clientCredentialsPlan(options: PlanOptions): PlannedStep[] {
  const first = tokenStep(options, {
    rfc: '6749 §4.4.2',
    why: 'The client asks in its own name: no resource owner takes part, and its secret is all it shows.',
  })
  return [first, ...afterwards(options).filter(({ name }) => name !== 'userinfo_request')]
}

/** The client credentials grant (RFC 6749 §4.4). */
export const clientCredentialsFlow = flowOf(clientCredentialsPlan, steps)

async function* steps(walk: Walk, ports: FlowPorts, wanted: FlowOptions): Steps<TokenResponse> {
  const { scope } = wanted
  const tokens = yield* trade(walk, wanted, {
    grantType: 'client_credentials',
    parameters: [['scope', scope], ...detailsParameters(wanted)],
    check: ({ refresh_token: refreshToken }) => {
      const none = refreshToken === undefined
      const detail = none
        ? 'none, as it should be: the client can ask again'
        : 'one came, which should not be'
      return [advice('refresh_token', none, 'RFC 6749 §4.4.3', detail)]
    },
  })
  return yield* spendTokens(walk, ports, wanted, tokens, { login: false })
}
