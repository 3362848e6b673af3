import type { PlannedStep } from '../../flows/step.js'
import { planned } from './model.js'

/** A step in which the answer of the authorization server comes to the attacker. */
export function codeArrival(why: string): PlannedStep {
  return planned('code_arrival', ['user_agent', 'attacker'], 'GET /catch', '6749 §4.1.2', why)
}

/** The redirect that brings a code to the attacker. */
export const CODE_ARRIVAL = codeArrival(
  'Her browser follows the redirect and brings the code to the attacker.',
)

/** A step in which the attacker reads the records of alice. */
export function recordsRead(why: string): PlannedStep {
  return planned('resource_request', ['attacker', 'resource_server'], 'GET /records', '6750 §2.1', why)
}

/** The last two steps of an attacker who has a code, and the token that it brings. */
function theftByCode(redemption: string, reading: string): readonly PlannedStep[] {
  return [
    planned('token_request', ['attacker', 'authorization_server'], 'POST /token', '6749 §4.1.3', redemption),
    recordsRead(reading),
  ]
}

/** The theft with a code for a public client that is not the attacker's. */
export const THEFT_BY_PUBLIC_CLIENT = theftByCode(
  'The attacker redeems the code with the verifier of the link, as the public client.',
  'The attacker reads the records with the token of alice.',
)

/** The theft with a code for the attacker's own client. */
export const THEFT_BY_OWN_CLIENT = theftByCode(
  'The attacker redeems the code as their own client.',
  'The attacker reads the records of alice.',
)

/** The first step of an attack on a login at the demo client. */
export const CLIENT_LOGIN = planned(
  'honest_login',
  ['user_agent', 'client'],
  'GET /login',
  '6749 §4.1',
  'Alice starts a login at the demo client.',
)
