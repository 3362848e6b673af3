import type { FormPairs } from '../../../../protocol/http/form.js'
import { AUTHORIZATION_PARAMETERS } from '../../../../protocol/oauth/authorization-request.js'
import type { AuthorizationErrorCode } from '../../../../protocol/oauth/oauth-error.js'
import { OAuthError } from '../../../../protocol/oauth/oauth-error.js'
import { type ModeRequest, responseModeError } from '../../parameters/response-mode.js'

/** The parameters of an authorization request that the endpoint reads. */
export const PARAMETERS = [
  ...AUTHORIZATION_PARAMETERS,
  'response_mode',
  'prompt',
  'max_age',
  'acr_values',
  'login_hint',
  'id_token_hint',
  'ui_locales',
  'dpop_jkt',
  'claims',
  'authorization_details',
  'request',
  'request_uri',
  'registration',
] as const

/** Values by parameter. A missing or empty parameter is absent. */
export type RequestValues = { readonly [Name in (typeof PARAMETERS)[number]]?: string }

const MAX_NONCE = 512

/** Most names of ignored parameters that are reported. */
const MAX_IGNORED = 20

/**
 * Returns the names of parameters that have no effect, without duplicates: those that the server does not know, and
 * those of OpenID Connect in a request without the scope openid.
 */
export function ignoredNames(pairs: FormPairs, scope: readonly string[]): readonly string[] {
  const known = new Set<string>([...PARAMETERS, 'resource'])
  if (!scope.includes('openid')) known.delete('claims')
  const names = new Set(pairs.map(([name]) => name).filter(name => !known.has(name)))
  return [...names].slice(0, MAX_IGNORED)
}

/** Returns the error for an unsupported parameter that changes the meaning of the whole request. */
export function unsupportedParameter(values: RequestValues): OAuthError<AuthorizationErrorCode> | undefined {
  if (values.registration === undefined) return undefined
  return new OAuthError('registration_not_supported', {
    description: 'registration is not supported; clients are registered before they send requests',
    rule: 'OpenID Connect Core §3.1.2.6',
  })
}

/** Refuses values that the server does not support. @throws OAuthError `invalid_request` */
export function refuseValues(values: RequestValues, mode: ModeRequest): void {
  const modeError = responseModeError(mode)
  if (modeError) throw modeError
  if (values.nonce !== undefined && values.nonce.length > MAX_NONCE) {
    throw new OAuthError('invalid_request', {
      description: `nonce is longer than ${MAX_NONCE} characters`,
      rule: 'RFC 6749 §4.1.2.1',
    })
  }
}

/** @throws OAuthError `invalid_request` for a value that is not a SHA-256 thumbprint (RFC 9449 §10) */
export function readThumbprint(dpopJkt: string | undefined): string | undefined {
  if (dpopJkt === undefined || /^[A-Za-z0-9_-]{43}$/.test(dpopJkt)) return dpopJkt
  throw new OAuthError('invalid_request', {
    description: 'dpop_jkt is not the SHA-256 thumbprint of a key',
    rule: 'RFC 9449 §10',
  })
}
