import { implicitResponse } from '../protocol/oauth/authorization-response.js'
import type { TokenResponse } from '../protocol/oauth/token.js'
import { announcedType } from './answers/announced-type.js'
import { scopeCheck } from './answers/granted-scope.js'
import { stepTokens } from './answers/verify-tokens.js'
import { asksForOpenId, type FlowOptions } from './options.js'
import { afterwards, implicitSteps, type PlanOptions } from './plans/plan-parts.js'
import type { FlowPorts } from './ports.js'
import { loginDemand } from './requests/login-demand.js'
import type { PlannedStep } from './step.js'
import { spendTokens } from './steps/check-step.js'
import { authorize, newRequest } from './steps/front-channel.js'
import { flowOf, type Steps, type Walk } from './walk.js'

/** The steps of the implicit grant before they happen (RFC 6749 §4.2, figure 4). */
export function implicitPlan(options: PlanOptions): PlannedStep[] {
  return [...implicitSteps(options), ...afterwards(options)]
}

/** The implicit grant (RFC 6749 §4.2, OpenID Connect Core §3.2). RFC 9700 §2.1.2 says not to use it. */
export const implicitFlow = flowOf(implicitPlan, steps)

async function* steps(walk: Walk, ports: FlowPorts, wanted: FlowOptions): Steps<TokenResponse> {
  const { scope, metadata } = wanted
  const responseType = announcedType(metadata, asksForOpenId(scope) ? 'id_token token' : 'token')
  const request = newRequest(ports, wanted, responseType)
  const demand = loginDemand(wanted, ports.now())
  const { tokens } = yield* authorize(
    walk,
    ports,
    request,
    wanted,
    landed => {
      const answer = implicitResponse(landed, request)
      return { ...answer, checks: [...answer.checks, scopeCheck(scope, answer.tokens.scope)] }
    },
    answer => ({
      ...stepTokens(answer.tokens),
      note: 'the token came through the browser; RFC 9700 says to use a code',
    }),
  )
  const nonce = request.nonce === undefined ? {} : { nonce: request.nonce }
  return yield* spendTokens(walk, ports, wanted, tokens, { login: true, fromBrowser: true, demand, ...nonce })
}
