import type { Exchange } from '../../protocol/http/exchange.js'
import { jsonObject, refusalIn } from '../../protocol/oauth/answers.js'
import {
  type AuthorizationRequest,
  pushedRequest,
  sentParameters,
} from '../../protocol/oauth/authorization-request.js'
import { advice, type Check, check } from '../../protocol/oauth/check.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { clientRequest } from '../../protocol/oauth/token.js'
import { defined } from '../../protocol/values.js'
import { endpoint } from '../metadata/endpoint.js'
import type { FlowOptions } from '../options.js'
import type { Steps, Walk } from '../walk.js'

const what = 'the pushed authorization request endpoint'

/** Pushes the authorization request (RFC 9126). @returns the request that only names the pushed one */
export async function* push(
  walk: Walk,
  { metadata, auth, clientSecret }: FlowOptions,
  request: AuthorizationRequest,
): Steps<AuthorizationRequest> {
  const name = 'pushed_authorization_request'
  const { clientId } = request
  const exchange = await walk.send(
    clientRequest(
      defined({
        endpoint: endpoint(metadata, 'pushed_authorization_request_endpoint'),
        clientId,
        auth,
        clientSecret,
        // With the secret in the body the client names itself there.
        parameters: sentParameters(request, 'pushed').filter(
          ([parameter]) => parameter !== 'client_id' || auth === 'client_secret_basic',
        ),
      }),
    ),
  )
  const { requestUri, checks, note } = yield* walk.orRefused(name, exchange, () => readPushed(exchange))
  yield walk.step(name, { exchange, checks, note })
  return pushedRequest(request, requestUri)
}

function readPushed(exchange: Exchange): { requestUri: string; checks: Check[]; note: string } {
  const rule = 'RFC 9126 §2.2'
  const status = exchange.response?.status ?? 0
  if (status < 200 || status >= 300) throw refusalIn(exchange, what)
  const { request_uri: requestUri, expires_in: seconds } = jsonObject(exchange, what, rule)
  if (typeof requestUri !== 'string' || requestUri === '') {
    throw new OAuthError('invalid_response', { description: `${what} answered no request_uri`, rule })
  }
  const lives = typeof seconds === 'number' && seconds > 0
  const checks = [
    advice('status', status === 201, rule, String(status)),
    check('request_uri', true, rule, 'stands for the request from here on'),
    advice('expires_in', lives, rule, lives ? `${seconds} s` : 'missing or no number of seconds'),
  ]
  return { requestUri, checks, note: lives ? `pushed, good for ${seconds} s` : 'pushed' }
}
