import { MAC_DRAFT } from '../../protocol/oauth/mac.js'
import type { PlannedStep } from '../step.js'
import { type PlanOptions, resourceSteps } from './plan-parts.js'

export const macTokenWords: Partial<PlannedStep> = {
  rfc: `${MAC_DRAFT} §5.1`,
  why: 'The client exchanges the code for a token of type mac: a name, and a key that never travels again.',
}

/** The steps of a request with a MAC, and of an attacker's use of the captured request. */
export function macResourceSteps(options: PlanOptions): PlannedStep[] {
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
