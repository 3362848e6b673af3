import { type HttpRequest, headerValues } from '../../../protocol/http/message.js'
import { parseBearer } from '../../../protocol/oauth/bearer.js'
import { secretsEqual } from '../../../protocol/oauth/client-auth.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import type { RegistrationErrorCode } from './registration-error.js'
import type { RegistrationSettings } from './settings.js'

/** The error for a request without the token that it needs, answered 401. It has no error code (RFC 6750 §3.1). */
export class TokenMissing extends OAuthError<'invalid_token'> {
  override name = 'TokenMissing'
}

/**
 * Returns the token in the Authorization header of a request.
 * @param name of the token in messages
 * @throws OAuthError for a header without a token
 */
export function requiredToken(http: HttpRequest, name: string, rule: Citation): string {
  const presented = parseBearer(headerValues(http, 'authorization'))
  if (presented.kind === 'bearer') return presented.token
  if (presented.kind === 'malformed') {
    const detail = { description: presented.problem, rule: 'RFC 6750 §2.1' } as const
    throw new OAuthError<RegistrationErrorCode>('invalid_request', detail)
  }
  throw new TokenMissing('invalid_token', { description: `${name} is needed here`, rule })
}

/**
 * Checks that a request may register a client.
 * @throws OAuthError where an initial access token is needed, and is missing or wrong (RFC 7591 §3)
 */
export function checkInitialAccess(
  http: HttpRequest,
  { mode, tokens }: Pick<RegistrationSettings, 'mode' | 'tokens'>,
): void {
  if (mode === 'open') return
  const token = requiredToken(http, 'an initial access token', 'RFC 7591 §3')
  // Every token is compared, so that the time does not reveal which one comes close.
  const equal = tokens.map(each => secretsEqual(token, each))
  if (equal.includes(true)) return
  const description = 'this is no initial access token of this server'
  throw new OAuthError<RegistrationErrorCode>('invalid_token', { description, rule: 'RFC 7591 §3' })
}
