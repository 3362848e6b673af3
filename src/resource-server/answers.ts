import type { HeaderList, HttpResponse } from '../http/message.js'
import { jsonResponse } from '../http/message.js'
import { challenge } from '../oauth/bearer.js'
import { describable, errorParameters, type OAuthError } from '../oauth/oauth-error.js'
import { ASYMMETRIC_ALGORITHMS } from '../tokens/verify.js'
import type { Scheme } from './events.js'
import { RETRY_PAUSE } from './fetched-keys.js'
import { ruleUri } from './refusal.js'

const REALM = 'oauth-lab'
const ALGORITHMS = ASYMMETRIC_ALGORITHMS.join(' ')
const noStore: HeaderList[number] = ['cache-control', 'no-store']

/** RFC 6750 §3.1; RFC 9449 §7.1 */
const statusOf: Readonly<Record<string, number>> = {
  invalid_request: 400,
  invalid_token: 401,
  invalid_dpop_proof: 401,
  insufficient_scope: 403,
  content_too_large: 413,
  temporarily_unavailable: 503,
  server_error: 500,
}

/** The settings that all refusals of this server share. */
export interface AnswerSettings {
  /** The address of its metadata (RFC 9728 §5.1). */
  readonly metadataUrl: string
  /** True when tokens of type mac are accepted. */
  readonly mac: boolean
}

/** The rule behind `unauthenticated`. */
export const NO_TOKEN = { description: 'this resource needs an access token', rule: 'RFC 6750 §3.1' } as const

/**
 * The answer where no token came: every scheme that would do, and no error code, for nothing was wrong
 * (RFC 6750 §3.1).
 */
export function unauthenticated({ metadataUrl, mac }: AnswerSettings, scope?: string): HttpResponse {
  const challenges = [
    challenge('Bearer', [
      ['realm', REALM],
      ['scope', scope],
      ['resource_metadata', metadataUrl],
    ]),
    challenge('DPoP', [
      ['realm', REALM],
      ['algs', ALGORITHMS],
    ]),
    ...(mac ? ['MAC'] : []),
  ]
  const body = { error_description: NO_TOKEN.description, error_uri: ruleUri(NO_TOKEN.rule) }
  return jsonResponse(401, body, [...challenges.map(each => ['www-authenticate', each] as const), noStore])
}

/** The circumstances of a refusal. */
export interface RefusedRequest {
  /** The scheme that was used; Bearer answers for none. */
  readonly scheme: Scheme | undefined
  /** The scope that the route needs. */
  readonly scope?: string | undefined
}

function challengeOf(error: OAuthError, { scheme, scope }: RefusedRequest, metadataUrl: string): string {
  // The draft knows one attribute, a text for people (§4.1).
  if (scheme === 'MAC') return challenge('MAC', [['error', describable(error.description)]])
  const parameters: [name: string, value: string | undefined][] = [
    ['realm', REALM],
    ...errorParameters(error),
    ['scope', error.code === 'insufficient_scope' ? scope : undefined],
    ['resource_metadata', metadataUrl],
  ]
  // A bound token that came as Bearer is asked for again with a proof (RFC 9449 §7.2).
  const proof = scheme === 'DPoP' || error.rule.startsWith('RFC 9449')
  return proof ? challenge('DPoP', [...parameters, ['algs', ALGORITHMS]]) : challenge('Bearer', parameters)
}

/** The status of a refusal. */
export function refusalStatus(error: OAuthError): number {
  return statusOf[error.code] ?? 400
}

/** A refusal with its challenge (RFC 6750 §3), or without one where no other token would help. */
export function refusalAnswer(
  error: OAuthError,
  request: RefusedRequest,
  { metadataUrl }: AnswerSettings,
): HttpResponse {
  const status = refusalStatus(error)
  const body = Object.fromEntries(errorParameters(error))
  if (status === 503) {
    return jsonResponse(status, body, [['retry-after', String(RETRY_PAUSE / 1000)], noStore])
  }
  if (status === 413 || status >= 500) return jsonResponse(status, body, [noStore])
  return jsonResponse(status, body, [['www-authenticate', challengeOf(error, request, metadataUrl)], noStore])
}
