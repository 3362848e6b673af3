import { encodeForm, type FormPairs, pairsIfForm, readParameters } from '../http/form.js'
import { splitUrl } from '../http/message.js'
import { type Check, check } from './check.js'
import { OAuthError } from './oauth-error.js'

/** The parameters of a logout request (OpenID Connect RP-Initiated Logout §2). */
export interface LogoutRequestOptions {
  /** URL of the logout endpoint. Its query is kept. */
  readonly endpoint: string
  /** `POST`: the browser sends the parameters in a form. */
  readonly method: 'GET' | 'POST'
  readonly clientId?: string
  /** An ID token of the session that is to end. */
  readonly idTokenHint?: string
  /** The person who logs out, in a form that the server knows. */
  readonly logoutHint?: string
  readonly postLogoutRedirectUri?: string
  readonly state?: string
  /** Languages of the pages, the preferred one first (RFC 5646 tags with spaces between them). */
  readonly uiLocales?: string
}

/** The client's copy of a logout request, kept until the browser comes back. */
export interface LogoutRequest extends LogoutRequestOptions {
  readonly pairs: FormPairs
  /** The address to send the browser to: with the parameters of a GET request. */
  readonly url: string
}

const RULE = 'OpenID Connect RP-Initiated Logout §2'

/** Builds a logout request (RP-Initiated Logout §2). */
export function logoutRequest(options: LogoutRequestOptions): LogoutRequest {
  const { endpoint } = options
  const all = [
    ['id_token_hint', options.idTokenHint],
    ['logout_hint', options.logoutHint],
    ['client_id', options.clientId],
    ['post_logout_redirect_uri', options.postLogoutRedirectUri],
    ['state', options.state],
    ['ui_locales', options.uiLocales],
  ] as const
  const pairs = all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return withPairs({ ...options, pairs, url: endpoint }, pairs)
}

/** Returns the request with other parameters. What the client keeps of it stays. */
export function withPairs(request: LogoutRequest, pairs: FormPairs): LogoutRequest {
  const { endpoint, method } = request
  if (method === 'POST' || pairs.length === 0) return { ...request, pairs, url: endpoint }
  const url = `${endpoint}${endpoint.includes('?') ? '&' : '?'}${encodeForm(pairs)}`
  return { ...request, pairs, url }
}

function stateOf(landed: string): string | undefined {
  const pairs = pairsIfForm(splitUrl(landed).query)
  const read = pairs && readParameters(pairs, ['state'])
  if (read?.repeated.length === 0) return read.values.state
  throw new OAuthError('invalid_response', {
    description: 'the query of the return address is no form with one state',
    rule: RULE,
  })
}

/**
 * Checks the address that a browser came back to after a logout (RP-Initiated Logout §2).
 * @throws OAuthError for another state than the one that was sent
 */
export function logoutResponse(landed: string, { state }: LogoutRequest): readonly Check[] {
  const found = stateOf(landed)
  if (found === state) return [check('state', true, RULE, 'the value that was sent')]
  throw new OAuthError('state_mismatch', {
    description: `the browser came back with ${found === undefined ? 'no state' : 'another state'}`,
    rule: RULE,
    evidence: `sent ${state ?? 'none'}, got ${found ?? 'none'}`,
  })
}
