import { cut } from '../../events/outside-text.js'
import { type HttpRequest, type HttpResponse, jsonResponse } from '../../http/message.js'
import type { Route } from '../../http/routes.js'
import { CREDENTIAL_PARAMETERS } from '../../oauth/client-auth.js'
import { OAuthError } from '../../oauth/oauth-error.js'
import { type Publish, refusal } from '../events.js'
import { invalidGrant, required } from '../grants/refusals.js'
import type { AuthenticatedClient } from '../model.js'
import type { IssuedTokens } from '../stores/issued-tokens.js'
import type { RefreshTokens } from '../stores/refresh-tokens.js'
import type { ReadAccessToken } from '../tokens/access-tokens.js'
import type { AuthenticateClient } from './client-authentication.js'
import { type Call, clientEndpoint, NOT_STORED, readClientForm, readOnce } from './client-endpoint.js'

/** The parts that the endpoint uses. */
export interface RevocationParts {
  readonly authenticateClient: AuthenticateClient
  readonly readAccessToken: ReadAccessToken
  readonly issuedTokens: IssuedTokens
  readonly refreshTokens: RefreshTokens
}

const RULE = 'RFC 7009 §2.1'

/**
 * `/revocation` (RFC 7009): a client gives back its own token. A refresh token takes everything issued from the same
 * authorization with it. A token that is good for nothing is answered like one that was revoked (§2.2).
 */
export function revocationEndpoint(parts: RevocationParts): Route {
  const { authenticateClient, readAccessToken, issuedTokens, refreshTokens } = parts

  async function revoke(token: string, client: AuthenticatedClient, publish: Publish): Promise<void> {
    const found = refreshTokens.find(token)
    if (found !== undefined) {
      const { client_id, username, family } = found.authorization
      refuseForeign(client_id, client)
      if (found.state === 'revoked') return
      const reason = 'its client revoked it'
      publish({ type: 'refresh_token.revoked', client_id, username, refresh_token: cut(token), reason })
      for (const jti of issuedTokens.revokeFamily(family)) {
        publish({ type: 'token.revoked', client_id, username, jti, reason: 'its refresh token was revoked' })
      }
      return
    }
    const accessToken = await readable(token)
    if (accessToken === undefined) return
    const { jti, clientId, subject } = accessToken
    refuseForeign(clientId, client)
    issuedTokens.revoke(jti)
    const reason = 'its client revoked it'
    publish({ type: 'token.revoked', client_id: clientId, username: subject, jti, reason })
  }

  /** The access token, unless it is good for nothing anyway. */
  async function readable(token: string) {
    try {
      return await readAccessToken(token)
    } catch (error) {
      if (error instanceof OAuthError) return undefined
      throw error
    }
  }

  async function answer(http: HttpRequest, call: Call): Promise<HttpResponse> {
    // token_type_hint may be wrong, and nothing here needs it (RFC 7009 §2.1).
    const values = readOnce(readClientForm(http), ['token', 'token_type_hint', ...CREDENTIAL_PARAMETERS])
    const client = await authenticateClient(http, values)
    call.clientId = client.client_id
    await revoke(required(values.token, 'token', RULE), client, call.publish)
    // The body means nothing (RFC 7009 §2.2), but simple-oauth2 and others refuse what is not JSON.
    return jsonResponse(200, {}, NOT_STORED)
  }

  return clientEndpoint({
    path: '/revocation',
    name: 'the revocation endpoint',
    rule: RULE,
    errors: ['invalid_request', 'invalid_client', 'invalid_grant'],
    answer,
    refused(error, status, { publish, clientId }) {
      const about = clientId === undefined ? {} : { client_id: clientId }
      publish({ type: 'revocation.refused', ...about, status, ...refusal(error) })
    },
  })
}

function refuseForeign(owner: string, client: AuthenticatedClient): void {
  if (owner === client.client_id) return
  throw invalidGrant('the token was issued to another client', RULE, `issued to ${owner}`)
}
