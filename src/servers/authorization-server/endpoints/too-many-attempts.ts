import { OAuthError, type OAuthErrorDetail } from '../../../protocol/oauth/oauth-error.js'

/**
 * `error` of a 429. RFC 6749 §5.2 has no code for a rate limit. `temporarily_unavailable` is a code of §4.1.2.1, for
 * redirects, which carry no status. The status of this response says enough.
 */
const TOO_MANY = 'invalid_request'

/** The error for an attempt beyond a rate limit, answered 429 with Retry-After (RFC 6585 §4). */
export class TooManyAttempts extends OAuthError<typeof TOO_MANY> {
  override name = 'TooManyAttempts'
  constructor(
    detail: OAuthErrorDetail,
    readonly retryAfterSeconds: number,
  ) {
    super(TOO_MANY, detail)
  }
}
