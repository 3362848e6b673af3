import { OAuthError } from '../../../protocol/oauth/oauth-error.js'

/** Returns the error for a request that needs a place in a full store (RFC 6749 §4.1.2.1, RFC 7009 §2.2.1). */
export function tooFull(): OAuthError<'temporarily_unavailable'> {
  return new OAuthError('temporarily_unavailable', {
    description: 'this server holds as many codes and revocations as it can; try again later',
    rule: 'RFC 9110 §15.6.4',
  })
}
