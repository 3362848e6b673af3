import { invalidToken } from './refusal.js'

/**
 * Checks that a token sent as Bearer is bound to no key: anyone who stole a bound token could send it so.
 * @param jkt thumbprint of the key that the token is bound to; undefined for an unbound token
 * @throws OAuthError `invalid_token` (RFC 9449 §7.2)
 */
export function checkBearer(jkt: string | undefined): void {
  if (jkt === undefined) return
  throw invalidToken(
    'this token is bound to a key: send it as Authorization: DPoP, with a proof in the DPoP header',
    'RFC 9449 §7.2',
  )
}
