import { implicitResponse } from '../protocol/oauth/authorization-response.js'
import type { TokenResponse } from '../protocol/oauth/token.js'
import { defined } from '../protocol/values.js'
import { announcedType } from './answers/announced-type.js'
import { scopeCheck } from './answers/granted-scope.js'
import { stepToken, stepTokens } from './answers/verify-tokens.js'
import { asksForOpenId, type FlowOptions } from './options.js'
import { afterwards, implicitSteps, keysStep, type PlanOptions } from './plans/plan-parts.js'
import type { FlowPorts } from './ports.js'
import { loginDemand } from './requests/login-demand.js'
import type { PlannedStep } from './step.js'
import { checkBrowserIdToken, spendTokens } from './steps/check-step.js'
import { authorize, newRequest } from './steps/front-channel.js'
import { flowOf, type Steps, type Walk } from './walk.js'

/** The steps of the implicit grant before they happen (RFC 6749 §4.2, figure 4). */
export function implicitPlan(options: PlanOptions): PlannedStep[] {
  const hasToken = implicitType(options).split(' ').includes('token')
  return [...implicitSteps(options), ...(hasToken ? afterwards(options) : [keysStep(options)])]
}

function implicitType({ responseType, scope }: Pick<PlanOptions, 'responseType' | 'scope'>): string {
  return responseType ?? (asksForOpenId(scope) ? 'id_token token' : 'token')
}

/** The implicit grant (RFC 6749 §4.2, OpenID Connect Core §3.2). RFC 9700 §2.1.2 says not to use it. */
export const implicitFlow = flowOf(implicitPlan, steps)

async function* steps(walk: Walk, ports: FlowPorts, wanted: FlowOptions): Steps<Partial<TokenResponse>> {
  const { scope, metadata } = wanted
  const responseType = announcedType(metadata, implicitType(wanted))
  const request = newRequest(ports, wanted, responseType)
  const demand = loginDemand(wanted, ports.now())
  const { tokens, idToken = '' } = yield* authorize(
    walk,
    ports,
    request,
    wanted,
    landed => {
      const answer = implicitResponse(landed, request)
      const granted = answer.tokens === undefined ? [] : [scopeCheck(scope, answer.tokens.scope)]
      return { ...answer, checks: [...answer.checks, ...granted] }
    },
    answer =>
      answer.tokens === undefined
        ? {
            token: stepToken('id_token', answer.idToken ?? ''),
            note: 'the id_token came through the browser',
          }
        : {
            ...stepTokens(answer.tokens),
            note: 'the token came through the browser; RFC 9700 says to use a code',
          },
  )
  const known = defined({ demand, nonce: request.nonce })
  if (tokens !== undefined) {
    const login = responseType.includes('id_token')
    return yield* spendTokens(walk, ports, wanted, tokens, { login, fromBrowser: true, ...known })
  }
  yield* checkBrowserIdToken(walk, ports, wanted, { name: 'keys_request', idToken, ...known })
  return { id_token: idToken }
}
