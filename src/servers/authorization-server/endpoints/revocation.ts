import { cut } from '../../../protocol/events.js'
import { type HttpRequest, type HttpResponse, header, jsonResponse } from '../../../protocol/http/message.js'
import type { Route } from '../../../protocol/http/site.js'
import { CREDENTIAL_PARAMETERS } from '../../../protocol/oauth/client-auth.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { Publish } from '../events.js'
import { invalidGrant, required } from '../grants/grant.js'
import type { AuthenticatedClient } from '../model.js'
import { type Call, clientEndpoint, NOT_STORED, readClientForm, readOnce } from './client-endpoint.js'
import type { ServerParts } from './parts.js'

const RULE = 'RFC 7009 §2.1'

/**
 * `/revocation` (RFC 7009): a client revokes its own token. With a refresh token, all tokens of the same authorization
 * are revoked. An invalid token is answered like a revoked one (§2.2). A token whose request named no client
 * (RFC 7521 §4.1) is revoked by anyone who shows it, because its request showed no credentials either.
 */
export function revocationEndpoint(parts: ServerParts): Route {
  const {
    authenticateClient,
    clientless,
    readShownToken: readAccessToken,
    issuedTokens,
    refreshTokens,
  } = parts

  async function revoke(token: string, client: AuthenticatedClient, publish: Publish): Promise<void> {
    const refreshToken = refreshTokens.find(token)
    if (refreshToken !== undefined) {
      const { client_id, username, family } = refreshToken.authorization
      refuseForeign(client_id, client)
      if (refreshToken.state === 'revoked') return
      const reason = 'its client revoked it'
      const revoked = issuedTokens.revokeFamily(family)
      publish({ type: 'refresh_token.revoked', client_id, username, refresh_token: cut(token), reason })
      for (const jti of revoked) {
        publish({ type: 'token.revoked', client_id, username, jti, reason: 'its refresh token was revoked' })
      }
      return
    }
    const accessToken = await readable(token)
    if (accessToken === undefined) return
    const { jti, clientId, subject, expiresAt } = accessToken
    refuseForeign(clientId, client)
    issuedTokens.revoke(jti, clientId, expiresAt * 1000)
    const reason = 'its client revoked it'
    publish({ type: 'token.revoked', client_id: clientId, username: subject, jti, reason })
  }

  /** Returns the access token; undefined when it is not valid anyway. */
  async function readable(token: string) {
    try {
      return await readAccessToken(token)
    } catch (error) {
      if (error instanceof OAuthError) return undefined
      throw error
    }
  }

  /** Returns the client of a token that was issued without one; undefined where the request names or proves a client. */
  async function ownerWithout(
    http: HttpRequest,
    values: Partial<Record<(typeof CREDENTIAL_PARAMETERS)[number] | 'token', string>>,
  ): Promise<AuthenticatedClient | undefined> {
    const named =
      header(http, 'authorization') ?? CREDENTIAL_PARAMETERS.find(each => values[each] !== undefined)
    if (named !== undefined || values.token === undefined) return undefined
    const accessToken = await readable(values.token)
    return accessToken && clientless.named(accessToken.clientId)
  }

  async function answer(http: HttpRequest, call: Call): Promise<HttpResponse> {
    // token_type_hint may be wrong (RFC 7009 §2.1), and we look in both stores anyway.
    const values = readOnce(readClientForm(http), ['token', 'token_type_hint', ...CREDENTIAL_PARAMETERS])
    const client =
      (await ownerWithout(http, values)) ?? (await authenticateClient(http, values, call.publish))
    call.clientId = client.client_id
    await revoke(required(values.token, 'token', RULE), client, call.publish)
    // The body has no meaning (RFC 7009 §2.2), but simple-oauth2 and other clients require JSON.
    return jsonResponse(200, {}, NOT_STORED)
  }

  return clientEndpoint({
    path: '/revocation',
    name: 'the revocation endpoint',
    rule: RULE,
    errors: ['invalid_request', 'invalid_client', 'invalid_grant', 'temporarily_unavailable'],
    answer,
    refused: 'revocation.refused',
  })
}

function refuseForeign(owner: string, client: AuthenticatedClient): void {
  if (owner === client.client_id) return
  throw invalidGrant('the token was issued to another client', RULE, `issued to ${owner}`)
}
