import {
  encodeForm,
  FormError,
  type FormPairs,
  type Parameters,
  parseForm,
  readParameters,
} from '../http/form.js'
import { answerIn } from './answer-place.js'
import type { Check } from './check.js'
import { advice, check, NO_ISSUER } from './check.js'
import { receivedCode } from './error-codes.js'
import { OAuthError } from './oauth-error.js'
import { codeChallenge } from './pkce.js'
import { type Delivery, deliveryOf, type ResponseMode } from './response-mode.js'

/** The parameters of an authorization request that this server reads. All others are ignored (RFC 6749 §3.1). */
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

/** Returns the way that the response to a request travels. The default of a type with a token is the fragment. */
export function deliveryTo({
  responseType,
  responseMode,
}: Pick<AuthorizationRequestOptions, 'responseType' | 'responseMode'>): Delivery {
  const usual = responseType === 'code' || responseType === 'none' ? 'query' : 'fragment'
  return deliveryOf(responseMode, usual)
}

/** The parameters of an authorization request. */
export interface AuthorizationRequestOptions {
  /** URL of the authorization endpoint. Its query is kept. */
  readonly endpoint: string
  /** Absent where it is not known: `iss` in the answer is then compared with nothing. */
  readonly issuer?: string
  readonly responseType: string
  /** The way the response is to travel. Absent: the default of the response type. */
  readonly responseMode?: ResponseMode
  readonly clientId: string
  readonly redirectUri: string
  readonly scope?: string
  /** Absent only in a client that is weak on purpose. */
  readonly state?: string
  readonly nonce?: string
  /** Absent: no PKCE. */
  readonly codeVerifier?: string
  /** True when the server's metadata promises `iss` in the response (RFC 9207 §3). */
  readonly issPromised: boolean
  /** Further parameters, none of the above. */
  readonly extra?: FormPairs
  /** The request object that the parameters are sent in (RFC 9101 §5). */
  readonly object?: string
}

/** The client's copy of an authorization request, kept until the response arrives. */
export interface AuthorizationRequest extends AuthorizationRequestOptions {
  /** The address to send the user agent to. */
  readonly url: string
}

/** Returns the parameters of an authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3). */
export function requestParameters(options: AuthorizationRequestOptions): FormPairs {
  const { codeVerifier, extra = [] } = options
  const pairs = [
    ['response_type', options.responseType],
    ['response_mode', options.responseMode],
    ['client_id', options.clientId],
    ['redirect_uri', options.redirectUri],
    ['scope', options.scope],
    ['state', options.state],
    ['nonce', options.nonce],
    ['code_challenge', codeVerifier && codeChallenge(codeVerifier)],
    ['code_challenge_method', codeVerifier && 'S256'],
    ...extra,
  ] as const
  return pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
}

/**
 * Returns the parameters as they are sent. Beside a request object stand client_id, and in a browser what OpenID Connect asks
 * for (Core §6.1): response_type and scope. A pushed object stands alone (RFC 9126 §3).
 */
export function sentParameters(
  request: AuthorizationRequestOptions,
  channel: 'browser' | 'pushed',
): FormPairs {
  const { object, scope } = request
  const pairs = requestParameters(request)
  if (object === undefined) return pairs
  const login = channel === 'browser' && scope?.split(' ').includes('openid')
  const beside = login ? ['response_type', 'client_id', 'scope'] : ['client_id']
  return [...pairs.filter(([name]) => beside.includes(name)), ['request', object]]
}

/** Puts a request object in place of the parameters of a request. */
export function withObject(request: AuthorizationRequest, object: string): AuthorizationRequest {
  const made = { ...request, object }
  return { ...made, url: requestUrl(request.endpoint, sentParameters(made, 'browser')) }
}

function requestUrl(endpoint: string, pairs: FormPairs): string {
  return `${endpoint}${endpoint.includes('?') ? '&' : '?'}${encodeForm(pairs)}`
}

/** Builds an authorization request. */
export function authorizationRequest(options: AuthorizationRequestOptions): AuthorizationRequest {
  return { ...options, url: requestUrl(options.endpoint, requestParameters(options)) }
}

/** Builds the request for a pushed request: its URL contains only client_id and request_uri (RFC 9126 §4). */
export function pushedRequest(request: AuthorizationRequest, requestUri: string): AuthorizationRequest {
  const { endpoint, clientId } = request
  return {
    ...request,
    url: requestUrl(endpoint, [
      ['client_id', clientId],
      ['request_uri', requestUri],
    ]),
  }
}

/** An authorization response that passed its checks. */
export interface AuthorizationResponse {
  readonly code: string
  readonly checks: readonly Check[]
}

/** Parameters that the response to any response type may have. */
const COMMON_PARAMETERS = ['state', 'iss', 'error', 'error_description', 'error_uri', 'scope'] as const

/** A response that is not an error, with a valid state and iss. */
export interface CheckedAnswer<Name extends string> {
  readonly values: Parameters<Name>['values']
  readonly checks: readonly Check[]
}

/**
 * Reads an authorization response. State and iss are checked before all other parameters (RFC 6749 §4.1.2, §10.12;
 * RFC 9207 §2.4).
 * @param form the query or the fragment of the redirect
 * @param names the parameters of this response type
 * @throws OAuthError with the broken rule, or with the error that the server sent
 */
export function readAnswer<Name extends string>(
  form: string,
  names: readonly Name[],
  request: AuthorizationRequest,
): CheckedAnswer<Name | (typeof COMMON_PARAMETERS)[number]> {
  const values = answerPairs(form, [...names, ...COMMON_PARAMETERS])
  const common: Parameters<(typeof COMMON_PARAMETERS)[number]>['values'] = values
  const checks: Check[] = []
  const stateRule = 'RFC 6749 §10.12'
  if (common.state !== request.state) {
    throw new OAuthError('state_mismatch', {
      description: common.state === undefined ? 'the answer has no state' : 'the answer has another state',
      rule: stateRule,
      evidence: `sent ${request.state ?? 'none'}, got ${common.state ?? 'none'}`,
    })
  }
  checks.push(check('state', true, stateRule, 'the value that was sent'))
  const issRule = 'RFC 9207 §2.4'
  const answered: Readonly<Record<string, string | undefined>> = values
  if (common.iss === undefined && request.issPromised && answered.id_token !== undefined) {
    // The client verifies the iss of the id_token later, which is the same protection.
    checks.push(check('iss', true, 'RFC 9207 §4', 'left out: the id_token names the issuer'))
  } else if (common.iss !== undefined && request.issuer === undefined) {
    checks.push(advice('iss', false, issRule, `${common.iss}; ${NO_ISSUER}`))
  } else if (common.iss !== undefined || request.issPromised) {
    if (common.iss === undefined || common.iss !== request.issuer) {
      throw new OAuthError('issuer_mismatch', {
        description:
          common.iss === undefined
            ? 'the server promises iss in its metadata, and the answer has none'
            : 'the answer names another issuer',
        rule: issRule,
        evidence: `expected ${request.issuer}, got ${common.iss ?? 'none'}`,
      })
    }
    checks.push(check('iss', true, issRule, common.iss))
  }
  if (common.error !== undefined) {
    throw new OAuthError(receivedCode(common.error), {
      description: common.error_description ?? 'the authorization server refused the request',
      rule: 'RFC 6749 §4.1.2.1',
      uri: common.error_uri,
    })
  }
  return { values, checks }
}

/** Returns the part of an address that the response to a request is in. A form is in the query of its address. */
export function answerTo(request: AuthorizationRequest, landed: string): string {
  return answerIn(landed, deliveryTo(request) === 'fragment' ? 'fragment' : 'query')
}

/**
 * Checks the response of the code grant (RFC 6749 §4.1.2).
 * @param landed the URL that the user agent was redirected to
 * @throws OAuthError with the broken rule, or with the error that the server sent
 */
export function authorizationResponse(landed: string, request: AuthorizationRequest): AuthorizationResponse {
  const { values, checks } = readAnswer(answerTo(request, landed), ['code'], request)
  if (values.code === undefined) {
    throw new OAuthError('invalid_response', {
      description: 'the answer has neither code nor error',
      rule: 'RFC 6749 §4.1.2',
    })
  }
  return { code: values.code, checks }
}

/** Reads parameters of an answer, once each. @throws OAuthError */
export function answerPairs<Name extends string>(
  form: string,
  names: readonly Name[],
): Parameters<Name>['values'] {
  const { values, repeated } = decodeAnswer(form, names)
  if (repeated.length === 0) return values
  const description = `the parameter ${repeated[0]} is repeated`
  throw new OAuthError('invalid_response', { description, rule: 'RFC 6749 §3.1' })
}

function decodeAnswer<Name extends string>(form: string, names: readonly Name[]): Parameters<Name> {
  try {
    return readParameters(parseForm(form), names)
  } catch (error) {
    if (!(error instanceof FormError)) throw error
    throw new OAuthError('invalid_response', {
      description: `the answer cannot be decoded: ${error.message}`,
      rule: 'RFC 6749 §4.1.2',
    })
  }
}
