import { SignJWT } from 'jose'
import { cut } from '../../../protocol/events.js'
import type { Publish } from '../events.js'
import type { AuthorizationServerPorts, AuthorizationServerSettings } from '../settings.js'

/** Lifetime that token responses state, in seconds. */
export const EXPIRES_IN = 3600

/** The parts that make the tokens of the reference. */
export interface ReferenceTokenParts {
  readonly settings: Pick<AuthorizationServerSettings, 'issuer'>
  readonly ports: Pick<AuthorizationServerPorts, 'now' | 'keyring'>
}

/** Makes an access token. The client may be unknown. */
export type IssueReferenceToken = (
  username: string,
  clientId: string,
  grantType: 'authorization_code' | 'implicit',
  publish: Publish,
) => Promise<string>

/**
 * Makes access tokens of the reference: six claims, with times in milliseconds, and `exp` 3600 milliseconds after
 * `iat`. A verifier that reads seconds (RFC 7519 §2) sees an expiry tens of thousands of years ahead.
 */
export function createReferenceTokens({ settings, ports }: ReferenceTokenParts): IssueReferenceToken {
  return async (username, clientId, grantType, publish) => {
    const now = ports.now()
    const claims = {
      sub: username,
      nbf: now - 30,
      iat: now,
      exp: now + EXPIRES_IN,
      iss: settings.issuer,
      aud: clientId,
    }
    const key = ports.keyring.current()
    // No kid: the keys are not published, so a kid would name nothing.
    const token = await new SignJWT(claims)
      .setProtectedHeader({ typ: 'JWT', alg: key.alg })
      .sign(key.alg === 'HS256' ? key.secret : key.privateKey)
    publish({
      type: 'token.issued',
      client_id: clientId,
      sub: username,
      grant_type: grantType,
      scope: '',
      token_type: 'Bearer',
      aud: clientId,
      access_token: cut(token),
      jti: '',
      expires_in: EXPIRES_IN,
      id_token: false,
    })
    return token
  }
}
