import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'

/** The values of a response type in one order: `token id_token` is `id_token token` (OAuth 2.0 Multiple Response Types §3). */
function inOrder(responseType: string): string {
  return responseType.split(' ').sort().join(' ')
}

/**
 * Returns a response type as the server announces it, or unchanged when the server announces none.
 * @throws OAuthError `unsupported_response_type` when the server announces only others (RFC 8414 §2)
 */
export function announcedType(
  { response_types_supported: announced }: AuthorizationServerMetadata,
  responseType: string,
): string {
  const found = (wanted: string) => announced?.find(each => inOrder(each) === inOrder(wanted))
  if (announced === undefined) return responseType
  const type = found(responseType)
  if (type !== undefined) return type
  const [other, advice] =
    responseType === 'token'
      ? ['id_token token', 'name --scope openid to ask for id_token token']
      : ['token', 'leave openid out of --scope to ask for token']
  throw new OAuthError('unsupported_response_type', {
    description: `the server announces ${announced.join(', ')}, and not ${responseType}; ${
      found(other) === undefined ? 'flow code is the better choice' : advice
    }`,
    rule: 'RFC 8414 §2',
  })
}
