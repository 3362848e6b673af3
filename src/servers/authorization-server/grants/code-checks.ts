import { verifierMatches, verifierProblem } from '../../../protocol/oauth/pkce.js'
import type { CodeRecord, Codes } from '../stores/codes.js'
import type { Family } from '../stores/issued-tokens.js'
import { invalidGrant } from './refusals.js'

/** True when a code that was issued to one client may be redeemed by another: they must be the same (RFC 6749 §4.1.3). */
export function isCodeOf(issuedTo: string, clientId: string): boolean {
  return issuedTo === clientId
}

/** Marks a code as redeemed, so that it is good once (RFC 6749 §4.1.2). */
export function spendCode(codes: Codes, code: string, record: CodeRecord, family: Family): void {
  codes.redeem(code, record, family)
}

/**
 * Checks that the code_verifier belongs to the code_challenge of the authorization request (RFC 7636 §4.6).
 * @throws OAuthError `invalid_grant`
 */
export function checkVerifier({ challenge }: CodeRecord, verifier: string | undefined): void {
  const rule = 'RFC 7636 §4.6'
  if (challenge === undefined) {
    if (verifier === undefined) return
    // Otherwise an attacker could remove the challenge from the authorization request unnoticed.
    throw invalidGrant(
      'code_verifier is sent, but the authorization request had no code_challenge',
      'RFC 9700 §2.1.1',
    )
  }
  if (verifier === undefined) throw invalidGrant('code_verifier is missing', rule)
  const problem = verifierProblem(verifier)
  if (problem !== undefined) throw invalidGrant(problem, 'RFC 7636 §4.1')
  if (!verifierMatches(verifier, challenge.value, challenge.method)) {
    throw invalidGrant('code_verifier does not belong to the code_challenge', rule)
  }
}
