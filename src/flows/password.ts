import { OAuthError } from '../protocol/oauth/oauth-error.js'
import type { TokenResponse } from '../protocol/oauth/token.js'
import { defined } from '../protocol/values.js'
import { detailsParameters, type FlowOptions } from './options.js'
import { afterwards, type PlanOptions, passwordWords, tokenStep } from './plans/plan-parts.js'
import type { AllPorts } from './ports.js'
import type { PlannedStep } from './step.js'
import { spendTokens } from './steps/check-step.js'
import { trade } from './steps/token-step.js'
import { flowOf, type Steps, type Walk } from './walk.js'

/** The steps of the password grant before they happen (RFC 6749 §4.3, figure 5). */
export function passwordPlan(options: PlanOptions): PlannedStep[] {
  return [tokenStep(options, passwordWords), ...afterwards(options)]
}

/** The resource owner password credentials grant (RFC 6749 §4.3). RFC 9700 §2.4 forbids it. */
export const passwordFlow = flowOf(passwordPlan, steps)

async function* steps(walk: Walk, ports: AllPorts, wanted: FlowOptions): Steps<TokenResponse> {
  const tokens = yield* obtainByPassword(walk, ports, wanted)
  // This grant gives openid no meaning, so an id_token may be missing. A received one is verified.
  return yield* spendTokens(walk, ports, wanted, tokens, { login: tokens.id_token !== undefined })
}

export async function* obtainByPassword(
  walk: Walk,
  ports: AllPorts,
  wanted: FlowOptions,
): Steps<TokenResponse> {
  const { scope, clientId } = wanted
  const answer = await ports.askLogin(defined({ clientId, toClient: true, scope }))
  ports.signal.throwIfAborted()
  if (answer.kind !== 'credentials') {
    throw new OAuthError('login_cancelled', {
      description:
        answer.kind === 'browser'
          ? 'this grant knows no browser: the client itself sends the password'
          : 'nobody gave a password',
      rule: 'RFC 6749 §4.3.1',
    })
  }
  return yield* trade(walk, wanted, {
    grantType: 'password',
    parameters: [
      ['username', answer.username],
      ['password', answer.password],
      ['scope', scope],
      ...detailsParameters(wanted),
    ],
  })
}
