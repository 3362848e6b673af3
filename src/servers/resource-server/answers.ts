import { type HeaderList, type HttpResponse, jsonResponse } from '../../protocol/http/message.js'
import { challenge } from '../../protocol/oauth/bearer.js'
import { describable, errorParameters, type OAuthError, ruleUri } from '../../protocol/oauth/oauth-error.js'
import type { LoginDemand } from './claim-checks.js'
import type { Scheme } from './events.js'
import { RETRY_PAUSE } from './fetched-keys.js'

const REALM = 'oauth-lab'
const noStore: HeaderList[number] = ['cache-control', 'no-store']

/** The HTTP status of each error code (RFC 6750 §3.1, RFC 9449 §7.1). */
const statusOf: Readonly<Record<string, number>> = {
  invalid_request: 400,
  invalid_token: 401,
  invalid_dpop_proof: 401,
  use_dpop_nonce: 401,
  insufficient_scope: 403,
  insufficient_user_authentication: 401,
  content_too_large: 413,
  temporarily_unavailable: 503,
  server_error: 500,
}

/** The settings that all error responses of this server share. */
export interface AnswerSettings {
  /** URL of the resource server's metadata (RFC 9728 §5.1). */
  readonly metadataUrl: string
  /** True when tokens of type mac are accepted. */
  readonly mac: boolean
  /** The algorithms of accepted DPoP proofs, separated by spaces (RFC 9449 §7.1). */
  readonly algs: string
}

/** The description and the rule of the `unauthenticated` response. */
export const NO_TOKEN = { description: 'this resource needs an access token', rule: 'RFC 6750 §3.1' } as const

/**
 * Returns the response to a request without a token: a challenge for every accepted scheme.
 * It carries no error code, because nothing in the request was wrong (RFC 6750 §3.1).
 */
export function unauthenticated({ metadataUrl, mac, algs }: AnswerSettings, scope?: string): HttpResponse {
  const challenges = [
    challenge('Bearer', [
      ['realm', REALM],
      ['scope', scope],
      ['resource_metadata', metadataUrl],
    ]),
    challenge('DPoP', [
      ['realm', REALM],
      ['algs', algs],
    ]),
    ...(mac ? ['MAC'] : []),
  ]
  const body = { error_description: NO_TOKEN.description, error_uri: ruleUri(NO_TOKEN.rule) }
  return jsonResponse(401, body, [...challenges.map(each => ['www-authenticate', each] as const), noStore])
}

/** The parts of a rejected request that its response depends on. */
interface RefusedRequest {
  /** The scheme of the Authorization header. Without one, the challenge is for Bearer. */
  readonly scheme: Scheme | undefined
  /** The scope that the route needs. */
  readonly scope?: string | undefined
  /** The login that the route needs. */
  readonly login?: LoginDemand | undefined
}

function challengeOf(
  error: OAuthError,
  { scheme, scope, login }: RefusedRequest,
  { metadataUrl, algs }: AnswerSettings,
): string {
  // The MAC draft defines one attribute, `error`, whose value is text for people (§4.1).
  if (scheme === 'MAC') return challenge('MAC', [['error', describable(error.description)]])
  const stepsUp = error.code === 'insufficient_user_authentication'
  const parameters: [name: string, value: string | undefined][] = [
    ['realm', REALM],
    ...errorParameters(error),
    // The next token must have the login and the scope (RFC 9470 §3).
    ['scope', stepsUp || error.code === 'insufficient_scope' ? scope : undefined],
    ['acr_values', stepsUp ? login?.acr_values : undefined],
    ['max_age', stepsUp ? login?.max_age?.toString() : undefined],
    ['resource_metadata', metadataUrl],
  ]
  // A bound token that came as Bearer has to come again with a proof (RFC 9449 §7.2).
  const proof = scheme === 'DPoP' || error.rule.startsWith('RFC 9449')
  return proof ? challenge('DPoP', [...parameters, ['algs', algs]]) : challenge('Bearer', parameters)
}

/** Returns the HTTP status for an error; 400 for a code without its own status. */
export function refusalStatus(error: OAuthError): number {
  return statusOf[error.code] ?? 400
}

/** Returns an error response. It has a challenge (RFC 6750 §3) when another token could help. */
export function refusalAnswer(
  error: OAuthError,
  request: RefusedRequest,
  answers: AnswerSettings,
): HttpResponse {
  const status = refusalStatus(error)
  const body = Object.fromEntries(errorParameters(error))
  if (status === 503) {
    return jsonResponse(status, body, [['retry-after', String(RETRY_PAUSE / 1000)], noStore])
  }
  if (status === 413 || status >= 500) return jsonResponse(status, body, [noStore])
  return jsonResponse(status, body, [['www-authenticate', challengeOf(error, request, answers)], noStore])
}
