import { hash, timingSafeEqual } from 'node:crypto'

/** The way a code_challenge is made from the code_verifier (RFC 7636 §4.2). */
export type ChallengeMethod = 'S256' | 'plain'

/** Returns the code_challenge: BASE64URL(SHA256(ASCII(code_verifier))) for S256, the verifier for plain (RFC 7636 §4.2). */
export function codeChallenge(verifier: string, method: ChallengeMethod = 'S256'): string {
  return method === 'plain' ? verifier : hash('sha256', verifier, 'base64url')
}

/**
 * Returns the problem of a code_challenge; undefined when it is valid. An S256 challenge has 43 base64url characters.
 * A plain challenge has 43 to 128 characters.
 */
export function challengeProblem(challenge: string, method: string): string | undefined {
  if (method !== 'S256' && method !== 'plain') return 'code_challenge_method must be S256'
  if (method === 'S256') {
    return /^[A-Za-z0-9_-]{43}$/.test(challenge)
      ? undefined
      : 'an S256 code_challenge has 43 base64url characters'
  }
  return verifierProblem(challenge) && 'a plain code_challenge has 43 to 128 characters'
}

/**
 * Returns the problem of a code_verifier; undefined when it is valid. It has 43 to 128 characters. Besides the
 * unreserved characters of RFC 7636 §4.1 we accept standard base64, because git-credential-oauth sends it.
 */
export function verifierProblem(verifier: string): string | undefined {
  return /^[A-Za-z0-9\-._~+/=]{43,128}$/.test(verifier)
    ? undefined
    : 'a code_verifier has 43 to 128 unreserved characters'
}

/** True when a verifier belongs to a challenge, compared in constant time (RFC 7636 §4.6). */
export function verifierMatches(verifier: string, challenge: string, method: ChallengeMethod): boolean {
  const made = Buffer.from(codeChallenge(verifier, method))
  const wanted = Buffer.from(challenge)
  return made.length === wanted.length && timingSafeEqual(made, wanted)
}
