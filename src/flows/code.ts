import { MAC_DRAFT } from '../protocol/oauth/mac.js'
import type { TokenResponse } from '../protocol/oauth/token.js'
import type { FlowOptions } from './options.js'
import { afterwards, codeSteps, type PlanOptions, resourceSteps, tokenStep } from './plans/plan-parts.js'
import type { FlowPorts } from './ports.js'
import type { PlannedStep } from './step.js'
import { obtainByCode } from './steps/obtain-by-code.js'
import { callOrStepUp } from './steps/step-up.js'
import { flowOf, type Steps, type Walk } from './walk.js'

const macTokenWords: Partial<PlannedStep> = {
  rfc: `${MAC_DRAFT} §5.1`,
  why: 'The client exchanges the code for a token of type mac: a name, and a key that never travels again.',
}

/** The steps of a request with a MAC, and of an attacker's use of the captured request. */
function macResourceSteps(options: PlanOptions): PlannedStep[] {
  return resourceSteps(options).flatMap(step => [
    {
      ...step,
      rfc: `${MAC_DRAFT} §3.1`,
      why: 'The client signs method, path, host and body with the key; the token only names the key.',
    },
    {
      ...step,
      name: 'replay_request' as const,
      rfc: `${MAC_DRAFT} §4`,
      why: 'Somebody who read the request sends it again. A Bearer token would be taken as often as it comes; the nonce of a MAC is used up.',
    },
    {
      ...step,
      name: 'bearer_request' as const,
      rfc: '6750 §5.2',
      why: 'The same token alone, as a Bearer token is sent: all that is needed there, and nothing here without the key.',
    },
  ])
}

/** The steps of the code grant before they happen (RFC 6749 §4.1, figure 3). */
export function codePlan(options: PlanOptions): PlannedStep[] {
  const before = codeSteps(options)
  if (options.tokenType !== 'mac') return [...before, tokenStep(options), ...afterwards(options)]
  const { resource: _, ...verified } = options
  return [...before, tokenStep(options, macTokenWords), ...afterwards(verified), ...macResourceSteps(options)]
}

/** The authorization code grant (RFC 6749 §4.1). The last record is always the outcome. */
export const codeFlow = flowOf(codePlan, steps)

async function* steps(walk: Walk, ports: FlowPorts, wanted: FlowOptions): Steps<TokenResponse> {
  const { tokens } = yield* obtainByCode(walk, ports, wanted)
  return yield* callOrStepUp(walk, ports, wanted, tokens)
}
