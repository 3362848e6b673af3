import { type HeaderList, type HttpResponse, redirectResponse } from '../../../../protocol/http/message.js'
import type { Delivery } from '../../../../protocol/oauth/authorization-request.js'
import type { AuthorizationErrorCode } from '../../../../protocol/oauth/oauth-error.js'
import { errorParameters, type OAuthError } from '../../../../protocol/oauth/oauth-error.js'
import {
  type ResponsePairs,
  type VerifiedRedirectUri,
  withFragment,
  withQuery,
} from '../../../../protocol/oauth/redirect-uri.js'
import { defined } from '../../../../protocol/values.js'
import type { Defences } from '../../defences.js'
import type { Publish } from '../../events.js'
import { formPostPage } from '../../pages/form-post-page.js'
import type { ClientResponses } from '../../tokens/client-responses.js'
import type { ReturnAddress } from './authorization-request.js'

/** Sends a response to its address in one way. */
type Deliver = (to: VerifiedRedirectUri, pairs: ResponsePairs, headers: HeaderList) => HttpResponse

/** Returns a redirect to an address with the response in it. */
const redirected = (location: string, headers: HeaderList): HttpResponse =>
  redirectResponse(location, [['cache-control', 'no-store'], ...headers])

/** The ways of a response (OAuth 2.0 Multiple Response Type Encoding Practices §2.1, Form Post Response Mode §2). */
const DELIVERIES: Readonly<Record<Delivery, Deliver>> = {
  query: (to, pairs, headers) => redirected(withQuery(to, pairs), headers),
  fragment: (to, pairs, headers) => redirected(withFragment(to, pairs), headers),
  form_post: formPostPage,
}

/** Lifetime of a response JWT, in seconds. JARM §2.1 recommends ten minutes at most. */
const JWT_LIFETIME = 300

/** The parts that send responses. */
export interface ResponseSenderParts {
  readonly issuer: string
  readonly defences: Pick<Defences, 'namedIssuer'>
  readonly responses: Pick<ClientResponses, 'protect'>
  readonly now: () => number
}

/** Sends the user agent back to the client. */
export interface ResponseSender {
  /**
   * Sends the parameters with `state` and `iss`, which are in every response (RFC 6749 §4.1.2, §4.2.2; RFC 9207 §2).
   * @throws OAuthError `invalid_request` for a response that cannot be encrypted to its client
   */
  send(
    to: ReturnAddress,
    answer: ResponsePairs,
    publish: Publish,
    headers?: HeaderList,
  ): Promise<HttpResponse>
  /** Sends an error (RFC 6749 §4.1.2.1, §4.2.2.1). @throws as `send` */
  refuse(
    to: ReturnAddress,
    error: OAuthError<AuthorizationErrorCode>,
    publish: Publish,
  ): Promise<HttpResponse>
}

/** Makes the functions that send responses. */
export function createResponseSender(parts: ResponseSenderParts): ResponseSender {
  const { issuer, defences, responses, now } = parts

  /** Returns the response as a JWT. Its claim `iss` takes the place of the parameter (JARM §2.1, RFC 9207 §2.4). */
  async function wrapped({ client, state }: ReturnAddress, answer: ResponsePairs, publish: Publish) {
    const claims = defined({
      iss: issuer,
      aud: client.client_id,
      exp: Math.floor(now() / 1000) + JWT_LIFETIME,
      ...Object.fromEntries(answer),
      state,
    })
    const response = await responses.protect(claims, { client, kind: 'authorization', publish })
    return [['response', response] as const]
  }

  const send: ResponseSender['send'] = async (to, answer, publish, headers = []) => {
    const { redirectUri, state, mode, seeOther } = to
    const plain = () => [...answer, ['state', state], ['iss', defences.namedIssuer(issuer)]] as const
    const pairs = mode.jwt ? await wrapped(to, answer, publish) : plain()
    const response = DELIVERIES[mode.delivery](redirectUri, pairs, headers)
    return seeOther && response.status === 302 ? { ...response, status: 303 } : response
  }

  return { send, refuse: (to, error, publish) => send(to, errorParameters(error), publish) }
}
