import { isConfidential } from '../../../protocol/oauth/client.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { scopeBeside } from '../parameters/scopes.js'
import type { BaseParts } from '../parts.js'
import type { Grant } from './grant.js'

const USER_SCOPES = ['openid', 'offline_access']

/**
 * The client credentials grant (RFC 6749 §4.4). The subject is the client itself (RFC 9068 §2.2). Scopes that need a
 * user are dropped. When no scope remains, the request is refused with `invalid_scope`.
 */
export function clientCredentialsGrant({ settings }: BaseParts): Grant {
  return {
    grantType: 'client_credentials',
    parameters: ['scope'],
    async decide(client, { scope: requested }, { details }) {
      const rule = 'RFC 6749 §4.4'
      if (!isConfidential(client)) {
        throw new OAuthError('unauthorized_client', {
          description: 'client_credentials is for clients that authenticate',
          rule,
        })
      }
      const scope = scopeBeside(details, requested, client, settings).filter(
        token => !USER_SCOPES.includes(token),
      )
      if (scope.length === 0 && !details?.length) {
        const description = `${USER_SCOPES.join(' and ')} need a user, and client_credentials has none`
        throw new OAuthError('invalid_scope', { description, rule })
      }
      return { subject: client.client_id, scope }
    },
  }
}
