import {
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  jsonResponse,
} from '../../../protocol/http/message.js'
import type { PathParameters, Route } from '../../../protocol/http/site.js'
import { challenge } from '../../../protocol/oauth/bearer.js'
import { errorParameters, isRefusal, OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { defined } from '../../../protocol/values.js'
import { NOT_STORED } from '../endpoints/client-endpoint.js'
import { TooManyAttempts } from '../endpoints/too-many-attempts.js'
import { type Context, type Publish, refusal } from '../events.js'
import type { RateLimit } from '../logins/rate-limit.js'
import { networkOf } from '../logins/source.js'
import { retryAfter } from '../pages/retry-after.js'
import { FormTooLarge } from '../parameters/form-body.js'
import { TokenMissing } from './initial-access.js'
import { REQUEST_ERRORS, type RegistrationErrorCode } from './registration-error.js'

/** Answers a registration request. @throws OAuthError with one of REQUEST_ERRORS */
export type Answer = (
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
