import { OAuthError, REGISTRATION_ERRORS } from '../../../protocol/oauth/oauth-error.js'
import type { MetadataFault } from './client-metadata.js'

/** The errors of registration requests: those about metadata, about tokens (RFC 6750 §3.1), and about limits. */
export const REQUEST_ERRORS = [
  ...REGISTRATION_ERRORS,
  'invalid_request',
  'invalid_token',
  'temporarily_unavailable',
] as const
export type RegistrationErrorCode = (typeof REQUEST_ERRORS)[number]

/** Most faults that one description names. */
const NAMED_FAULTS = 5

/** Returns the error for faulty metadata. It names the faults, the first one with its rule. */
export function metadataError(
  faults: readonly [MetadataFault, ...MetadataFault[]],
): OAuthError<RegistrationErrorCode> {
  const [{ error, rule }] = faults
  const named = faults.slice(0, NAMED_FAULTS).map(({ member, problem }) => `${member}: ${problem}`)
  const more = faults.length > NAMED_FAULTS ? [`and ${faults.length - NAMED_FAULTS} more`] : []
  return new OAuthError(error, { description: [...named, ...more].join('; '), rule })
}

/** Returns the error for a body that is no metadata at all. */
export function bodyError(description: string): OAuthError<RegistrationErrorCode> {
  return new OAuthError('invalid_client_metadata', { description, rule: 'RFC 7591 §3' })
}

/** Returns the error for a client that the server has no place for. */
export function storeFull(): OAuthError<RegistrationErrorCode> {
  return new OAuthError('temporarily_unavailable', {
    description: 'this server holds as many registered clients as it can; delete one, or try again later',
    rule: 'RFC 9110 §15.6.4',
  })
}
