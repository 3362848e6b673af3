import type { Client } from '../../../protocol/oauth/client.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import {
  type ChallengeMethod,
  challengeProblem,
  verifierMatches,
  verifierProblem,
} from '../../../protocol/oauth/pkce.js'
import { formOfChallenge, otherChallenge, otherMethod } from '../../../protocol/second-reading.js'
import { invalidGrant } from '../grants/grant.js'
import { clauseOf } from '../profiles/profiles.js'

/** The PKCE challenge that a code_verifier must match. */
export interface Challenge {
  readonly value: string
  readonly method: ChallengeMethod
}

interface ChallengeValues {
  readonly code_challenge?: string
  readonly code_challenge_method?: string
}

/**
 * Reads the challenge of a request for a code.
 * @throws OAuthError `invalid_request` (RFC 7636 §4.4.1)
 */
export function readChallenge(values: ChallengeValues, client: Client): Challenge | undefined {
  const rule = clauseOf(client, 'pkce', 'RFC 7636 §4.4.1')
  const invalid = (description: string) => new OAuthError('invalid_request', { description, rule })
  const { code_challenge: value, code_challenge_method: method = 'plain' } = values
  if (value === undefined) {
    if (values.code_challenge_method !== undefined) {
      throw invalid('code_challenge_method is sent without code_challenge')
    }
    if (client.require_pkce) throw invalid('code_challenge is missing; this client must use PKCE')
    return undefined
  }
  const known = client.code_challenge_methods.find(each => each === method)
  if (known === undefined) {
    const meant = otherMethod(method)
    const other = meant === undefined || meant === method ? '' : `; ${meant} is written so, to the letter`
    throw invalid(
      `code_challenge_method must be ${client.code_challenge_methods.join(' or ')}; plain is meant when it is missing${other}`,
    )
  }
  const problem = challengeProblem(value, known)
  if (problem !== undefined) {
    const form = known === 'S256' ? formOfChallenge(value) : undefined
    throw invalid(form === undefined ? problem : `${problem}; ${form}`)
  }
  return { value, method: known }
}

/**
 * Checks that the code_verifier belongs to the code_challenge of the authorization request (RFC 7636 §4.6).
 * @throws OAuthError `invalid_grant`
 */
export function checkVerifier(
  { challenge }: { readonly challenge?: Challenge | undefined },
  verifier: string | undefined,
): void {
  if (challenge === undefined) {
    if (verifier === undefined) return
    // Otherwise an attacker could remove the challenge from the authorization request unnoticed.
    throw invalidGrant(
      'code_verifier is sent, but the authorization request had no code_challenge',
      'RFC 9700 §2.1.1',
    )
  }
  if (verifier === undefined) throw invalidGrant('code_verifier is missing', 'RFC 7636 §4.6')
  const problem = verifierProblem(verifier)
  if (problem !== undefined) throw invalidGrant(problem, 'RFC 7636 §4.1')
  if (!verifierMatches(verifier, challenge.value, challenge.method)) {
    const made = otherChallenge(verifier, challenge.value)
    const other = made === undefined ? '' : `; the code_challenge is made of it, but ${made}`
    throw invalidGrant(`code_verifier does not belong to the code_challenge${other}`, 'RFC 7636 §4.6')
  }
}
