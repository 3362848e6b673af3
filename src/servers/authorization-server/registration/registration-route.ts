import {
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  headerValues,
  jsonResponse,
} from '../../../protocol/http/message.js'
import { networkOf } from '../../../protocol/http/network.js'
import type { PathParameters, Route } from '../../../protocol/http/site.js'
import { challenge, parseBearer } from '../../../protocol/oauth/bearer.js'
import {
  errorParameters,
  isRefusal,
  OAuthError,
  REGISTRATION_ERRORS,
} from '../../../protocol/oauth/oauth-error.js'
import type { RateLimit } from '../../../protocol/rate-limit.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import { secretsEqual } from '../../../protocol/secrets.js'
import { defined } from '../../../protocol/values.js'
import { NOT_STORED, TooManyAttempts } from '../endpoints/client-endpoint.js'
import { type Context, type Publish, refusal } from '../events.js'
import { retryAfter } from '../pages/page.js'
import { FormTooLarge } from '../parameters/form-body.js'
import type { RegistrationSettings } from '../settings.js'
import type { MetadataFault } from './client-metadata.js'

/** Answers a registration request. @throws OAuthError with one of REQUEST_ERRORS */
type Answer = (
  http: HttpRequest,
  publish: Publish,
  parameters: PathParameters,
) => Promise<HttpResponse> | HttpResponse

function statusOf(error: OAuthError<RegistrationErrorCode>): number {
  if (error instanceof FormTooLarge) return 413
  if (error instanceof TooManyAttempts) return 429
  if (error.code === 'invalid_token') return 401
  return error.code === 'temporarily_unavailable' ? 503 : 400
}

/** Pause that a full server asks for, in seconds. */
const FULL_PAUSE = 60

/** Returns a refusal in JSON (RFC 7591 §3.2.2). A 401 names the scheme of the token (RFC 6750 §3). */
function refused(error: OAuthError<RegistrationErrorCode>, status: number): HttpResponse {
  const about = errorParameters(error)
  const shown = error instanceof TokenMissing ? [] : about
  const challenged: HeaderList =
    status === 401 ? [['www-authenticate', challenge('Bearer', [['realm', 'oauth-lab'], ...shown])]] : []
  const seconds =
    error instanceof TooManyAttempts ? error.retryAfterSeconds : status === 503 ? FULL_PAUSE : undefined
  const headers = [...NOT_STORED, ...challenged, ...retryAfter(seconds)]
  return jsonResponse(status, Object.fromEntries(about), headers)
}

/** Makes a route of registrations, which answers every error in JSON. `:id` in the path is the client. */
export function registrationRoute(path: string, answers: Readonly<Record<string, Answer>>): Route {
  const handler =
    (answer: Answer) =>
    async (http: HttpRequest, { publish }: Context, parameters: PathParameters): Promise<HttpResponse> => {
      try {
        return await answer(http, publish, parameters)
      } catch (error) {
        if (!isRefusal(error, REQUEST_ERRORS)) throw error
        const status = statusOf(error)
        publish(
          defined({ type: 'registration.refused', status, client_id: parameters.id, ...refusal(error) }),
        )
        return refused(error, status)
      }
    }
  return {
    path,
    methods: Object.fromEntries(Object.entries(answers).map(([method, each]) => [method, handler(each)])),
    otherMethod: (_http, allow) => {
      const description = `this address is used with ${allow}`
      const error = new OAuthError('invalid_request', { description, rule: 'RFC 7591 §3' })
      return jsonResponse(405, Object.fromEntries(errorParameters(error)), [...NOT_STORED, ['allow', allow]])
    },
  }
}

/** Counts a registration or update of a source. @throws TooManyAttempts beyond the rate */
export function countRequest(http: HttpRequest, limit: RateLimit): void {
  const source = networkOf(http.remoteAddress)
  const { attempts, resetSeconds } = limit.left(source)
  if (attempts <= 0) {
    const description = 'too many registrations came from your address; try again later'
    throw new TooManyAttempts({ description, rule: 'RFC 6585 §4' }, resetSeconds)
  }
  limit.count(source)
}

/** The error for a request without the token that it needs, answered 401. It has no error code (RFC 6750 §3.1). */
class TokenMissing extends OAuthError<'invalid_token'> {
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

/** The errors of registration requests: those about metadata, about tokens (RFC 6750 §3.1), and about limits. */
const REQUEST_ERRORS = [
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
    description:
      'this server holds as many registered clients from your network as it can; delete one, or try again later',
    rule: 'RFC 9110 §15.6.4',
  })
}
