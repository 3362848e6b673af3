import type { Fields } from '../../protocol/http/form.js'
import { verifierMatches } from '../../protocol/oauth/pkce.js'

/** The method of a code_challenge; without one it is plain (RFC 7636 §4.3). */
export function challengeMethod(asked: Fields): 'S256' | 'plain' {
  return asked.get('code_challenge_method') === 'S256' ? 'S256' : 'plain'
}

/** True when a token request has the code_verifier of the code_challenge that was asked with. */
export function verifierBelongs(token: Fields, asked: Fields): boolean {
  const verifier = token.get('code_verifier')
  const challenge = asked.get('code_challenge')
  if (verifier === undefined || challenge === undefined) return false
  return verifierMatches(verifier, challenge, challengeMethod(asked))
}
