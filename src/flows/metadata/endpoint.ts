import { isUrl } from '../../protocol/http/address.js'
import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { Rule } from '../../protocol/rules/rule.js'
import { isProtectedAddress } from './resource-metadata.js'

const WITHOUT_FRAGMENT: Readonly<Partial<Record<string, Rule>>> = {
  authorization_endpoint: 'RFC 6749 §3.1',
  token_endpoint: 'RFC 6749 §3.2',
}

/** @throws OAuthError for a missing endpoint, and for one with a fragment, where parameters never reach the server */
export function endpoint(
  metadata: AuthorizationServerMetadata,
  name:
    | 'authorization_endpoint'
    | 'token_endpoint'
    | 'device_authorization_endpoint'
    | 'backchannel_authentication_endpoint'
    | 'pushed_authorization_request_endpoint'
    | 'end_session_endpoint',
): string {
  const url = metadata[name]
  if (url === undefined) {
    throw new OAuthError('invalid_metadata', { description: `${name} is missing`, rule: 'RFC 8414 §2' })
  }
  const rule = WITHOUT_FRAGMENT[name]
  if (rule === undefined || !url.includes('#')) return url
  throw new OAuthError('invalid_metadata', { description: `${name} has a fragment`, rule, evidence: url })
}

export type TokenPlace =
  | 'introspection_endpoint'
  | 'revocation_endpoint'
  | 'userinfo_endpoint'
  | 'registration_endpoint'
  | 'end_session_endpoint'

/** @throws OAuthError where the server announces none, or one at which tokens would travel in the clear */
export function tokenPlace(metadata: AuthorizationServerMetadata, name: TokenPlace): string {
  const url = metadata[name]
  if (typeof url !== 'string' || !isUrl(url)) {
    const description = `the server announces no ${name}, so that it has none for its clients`
    throw new OAuthError('invalid_metadata', { description, rule: 'RFC 8414 §2' })
  }
  if (isProtectedAddress(url)) return url
  const description = `${name} is not https: a token would travel in the clear, and was not sent`
  throw new OAuthError('invalid_metadata', { description, rule: 'RFC 6750 §5.3', evidence: url })
}
