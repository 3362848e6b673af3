import { cut } from '../../../protocol/events.js'
import { formatScope } from '../../../protocol/oauth/scope.js'
import type { Publish } from '../events.js'
import type { Entitlement } from '../model.js'
import type { RefreshTokens } from '../stores/refresh-tokens.js'
import { rotates } from '../switches/refresh-rotation.js'

/** A refresh token that passed all checks, and the tokens that it is used for. */
export interface RefreshTokenUse {
  readonly token: string
  readonly entitlement: Entitlement
  readonly publish: Publish
}

/** Replaces a used refresh token, and returns the new one (RFC 9700 §4.14.2). Without rotation it returns the used one. */
export function rotateRefreshToken(
  refreshTokens: RefreshTokens,
  { token, entitlement, publish }: RefreshTokenUse,
): string {
  const { client, subject, scope } = entitlement
  const found = refreshTokens.find(token)
  if (found !== undefined && !rotates(client, found.authorization.binding)) {
    refreshTokens.renew(token)
    return token
  }
  const replaced = refreshTokens.rotate(token, entitlement)
  publish({
    type: 'refresh_token.rotated',
    client_id: client.client_id,
    username: subject,
    refresh_token: cut(token),
    replaced_by: cut(replaced),
    scope: formatScope(scope),
  })
  return replaced
}
