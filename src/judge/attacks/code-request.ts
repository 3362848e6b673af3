import type { HttpRequest } from '../../protocol/http/message.js'
import { codeChallenge } from '../../protocol/oauth/pkce.js'
import { authorizationUrl, grantRequest } from './moves.js'
import type { Scene } from './scene.js'

/** An authorization request that the attacker makes for alice, and the token request that follows it. */
export interface CodeRequest {
  /** The parameters of the request. */
  readonly parameters: Readonly<Record<string, string>>
  readonly url: string
  /** Makes the token request for a code. The verifier is the attacker's. */
  redeem(code: string): HttpRequest
}

/**
 * Makes an authorization request whose challenge is the attacker's.
 * @param client in whose name the attacker asks
 * @param redirectUri the address that the code goes to
 * @param more further parameters
 */
export function codeRequest(
  scene: Pick<Scene, 'urls' | 'client' | 'random'>,
  client: string,
  redirectUri: string,
  more: Readonly<Record<string, string>> = {},
): CodeRequest {
  const verifier = Buffer.from(scene.random(32)).toString('base64url')
  const parameters = {
    response_type: 'code',
    client_id: client,
    redirect_uri: redirectUri,
    scope: 'records:read',
    state: 'anything',
    ...more,
    code_challenge: codeChallenge(verifier),
    code_challenge_method: 'S256',
  }
  return {
    parameters,
    url: authorizationUrl(scene, parameters),
    redeem: code =>
      grantRequest(scene, client, 'authorization_code', {
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      }),
  }
}
