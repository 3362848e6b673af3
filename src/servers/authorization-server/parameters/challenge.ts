import type { Client } from '../../../protocol/oauth/client.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { type ChallengeMethod, challengeProblem } from '../../../protocol/oauth/pkce.js'
import { clauseOf } from '../profiles/profiles.js'

/** The PKCE challenge that a code_verifier must match. */
export interface Challenge {
  readonly value: string
  readonly method: ChallengeMethod
}

/** The parameters of a challenge. A missing or empty parameter is absent. */
export interface ChallengeValues {
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
    throw invalid(
      `code_challenge_method must be ${client.code_challenge_methods.join(' or ')}; plain is meant when it is missing`,
    )
  }
  const problem = challengeProblem(value, known)
  if (problem !== undefined) throw invalid(problem)
  return { value, method: known }
}
