import { encodeForm, FormError, parseForm, readParameters } from '../http/form.js'
import { splitUrl } from '../http/message.js'
import type { Check } from './check.js'
import { check } from './check.js'
import { OAuthError } from './oauth-error.js'
import { codeChallenge } from './pkce.js'

/** Parameters of the authorization request that this server reads; all others are ignored (RFC 6749 §3.1). */
export const AUTHORIZATION_PARAMETERS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'nonce',
] as const

/** Values of an authorization request by parameter; a missing or empty one is absent. */
export type AuthorizationParameters = { readonly [N in (typeof AUTHORIZATION_PARAMETERS)[number]]?: string }

/** What a client asks for. */
export interface AuthorizationRequestOptions {
  /** The authorization endpoint; its own query is kept. */
  readonly endpoint: string
  readonly issuer: string
  readonly responseType: string
  readonly clientId: string
  readonly redirectUri: string
  readonly scope?: string
  readonly state: string
  readonly nonce?: string
  /** Absent: no PKCE. */
  readonly codeVerifier?: string
  /** Whether the server's metadata promises `iss` in the response (RFC 9207 §3). */
  readonly issPromised: boolean
}

/** An authorization request as its client keeps it until the answer comes. */
export interface AuthorizationRequest extends AuthorizationRequestOptions {
  /** Where to send the user agent. */
  readonly url: string
}

/** Builds an authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3). */
export function authorizationRequest(options: AuthorizationRequestOptions): AuthorizationRequest {
  const { endpoint, codeVerifier } = options
  const query = encodeForm([
    ['response_type', options.responseType],
    ['client_id', options.clientId],
    ['redirect_uri', options.redirectUri],
    ['scope', options.scope],
    ['state', options.state],
    ['nonce', options.nonce],
    ['code_challenge', codeVerifier && codeChallenge(codeVerifier)],
    ['code_challenge_method', codeVerifier && 'S256'],
  ])
  return { ...options, url: `${endpoint}${endpoint.includes('?') ? '&' : '?'}${query}` }
}

/** An authorization response that passed its checks. */
export interface AuthorizationResponse {
  readonly code: string
  readonly checks: readonly Check[]
}

const RESPONSE_PARAMETERS = [
  'code',
  'state',
  'iss',
  'error',
  'error_description',
  'error_uri',
  'scope',
] as const

/**
 * Checks the response of the code grant, state and iss before anything else in it is believed (RFC 6749 §4.1.2,
 * §10.12; RFC 9207 §2.4).
 * @param landed the URL the user agent was sent to
 * @throws OAuthError with the rule that was broken, or with the error the server sent
 */
export function authorizationResponse(landed: string, request: AuthorizationRequest): AuthorizationResponse {
  const { values, repeated } = readResponse(splitUrl(landed).query)
  if (repeated.length > 0) {
    throw new OAuthError('invalid_response', {
      description: `the parameter ${repeated[0]} is repeated`,
      rule: 'RFC 6749 §3.1',
    })
  }
  const checks: Check[] = []
  const stateRule = 'RFC 6749 §10.12'
  if (values.state !== request.state) {
    throw new OAuthError('state_mismatch', {
      description: values.state === undefined ? 'the answer has no state' : 'the answer has another state',
      rule: stateRule,
      evidence: `sent ${request.state}, got ${values.state ?? 'none'}`,
    })
  }
  checks.push(check('state', true, stateRule, 'the value that was sent'))
  const issRule = 'RFC 9207 §2.4'
  if (values.iss !== undefined || request.issPromised) {
    if (values.iss !== request.issuer) {
      throw new OAuthError('issuer_mismatch', {
        description:
          values.iss === undefined
            ? 'the server promises iss in its metadata, and the answer has none'
            : 'the answer names another issuer',
        rule: issRule,
        evidence: `expected ${request.issuer}, got ${values.iss ?? 'none'}`,
      })
    }
    checks.push(check('iss', true, issRule, values.iss))
  }
  if (values.error !== undefined) {
    throw new OAuthError(values.error, {
      description: values.error_description ?? 'the authorization server refused the request',
      rule: 'RFC 6749 §4.1.2.1',
      ...(values.error_uri === undefined ? {} : { uri: values.error_uri }),
    })
  }
  if (values.code === undefined) {
    throw new OAuthError('invalid_response', {
      description: 'the answer has neither code nor error',
      rule: 'RFC 6749 §4.1.2',
    })
  }
  return { code: values.code, checks }
}

function readResponse(query: string) {
  try {
    return readParameters(parseForm(query), RESPONSE_PARAMETERS)
  } catch (error) {
    if (!(error instanceof FormError)) throw error
    throw new OAuthError('invalid_response', {
      description: `the answer cannot be decoded: ${error.message}`,
      rule: 'RFC 6749 §4.1.2',
    })
  }
}
