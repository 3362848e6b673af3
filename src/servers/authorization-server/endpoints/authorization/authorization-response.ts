import { hash } from 'node:crypto'
import { cut } from '../../../../protocol/events.js'
import { type HeaderList, type HttpResponse, redirectResponse } from '../../../../protocol/http/message.js'
import { html, pageScript } from '../../../../protocol/http/page.js'
import type { Delivery } from '../../../../protocol/oauth/authorization-request.js'
import {
  type AuthorizationErrorCode,
  errorParameters,
  type OAuthError,
} from '../../../../protocol/oauth/oauth-error.js'
import {
  type ResponsePairs,
  type VerifiedRedirectUri,
  withFragment,
  withQuery,
} from '../../../../protocol/oauth/redirect-uri.js'
import { formatScope } from '../../../../protocol/oauth/scope.js'
import { defined } from '../../../../protocol/values.js'
import type { Publish } from '../../events.js'
import { type Authentication, authenticationOf } from '../../logins/authentication.js'
import { joinSession, type Session } from '../../logins/sessions.js'
import type { Entitlement } from '../../model.js'
import { page } from '../../pages/page.js'
import type { RequestedClaims } from '../../parameters/claims-request.js'
import { acrForAnswer } from '../../parameters/login-demands.js'
import { partsOf } from '../../parameters/response-type.js'
import { codeLifetime } from '../../profiles/refusals.js'
import type { TokenParts } from '../../tokens/token-parts.js'
import { claimsNamed, grantedClaims, userClaims } from '../../tokens/user-claims.js'
import type { AcceptedRequest, ReturnAddress } from './authorization-request.js'

/** Sends a response to its address in one way. */
type Deliver = (to: VerifiedRedirectUri, pairs: ResponsePairs, headers: HeaderList) => HttpResponse

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
export function createResponseSender(parts: TokenParts): ResponseSender {
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

/** Makes the parameters of the response to a user's request. */
type MakeAnswer = (request: AcceptedRequest, session: Session, publish: Publish) => Promise<ResponsePairs>

/**
 * Makes the responses of each response type from its parts (RFC 6749 §4.1.2, §4.2.2; OpenID Connect Core §3.1.2.5, §3.2.2.5,
 * §3.3.2.5). The code comes first, because the id_token beside it has its hash.
 */
export function createAnswers(parts: TokenParts): MakeAnswer {
  const { settings, registry, codes, issuedTokens, issueTokens, signIdToken } = parts

  function claimsFor({ claims, claimNames }: AcceptedRequest, { username }: Session): RequestedClaims {
    return grantedClaims(registry.user(username), claims, claimNames)
  }

  function issueCode(request: AcceptedRequest, session: Session, publish: Publish): string {
    const { username, browser } = session
    const { client, to, scope, nonce, challenge, resources, details, dpopJkt } = request
    const lifetime = codeLifetime(client, codes.lifetime)
    const issued = codes.issue({
      username,
      client_id: client.client_id,
      response_type: request.responseType,
      redirect_uri: to.redirectUri,
      redirectUriSent: request.redirectUriSent,
      scope,
      nonce,
      challenge,
      resources,
      details,
      dpopJkt,
      claims: claimsFor(request, session),
      at: parts.now(),
      lifetime,
      ...loginFor(request, session),
      session: browser,
    })
    publish({
      type: 'code.issued',
      client_id: client.client_id,
      username,
      code: cut(issued),
      scope: formatScope(scope),
      expires_in: lifetime / 1000,
    })
    return issued
  }

  /** There is no refresh token: no client authenticated, and the response passes through the browser (RFC 6749 §4.2.2). */
  async function tokens(
    request: AcceptedRequest,
    session: Session,
    publish: Publish,
    code: string | undefined,
  ): Promise<ResponsePairs> {
    const { client, responseType, scope, resources, nonce } = request
    const entitlement: Entitlement = {
      client,
      grantType: 'implicit',
      binding: { kind: 'bearer' },
      subject: session.username,
      scope,
      resources,
      claims: claimsFor(request, session),
      family: issuedTokens.family(client.client_id),
      login: { ...loginFor(request, session), nonce, session: session.browser },
      ...(partsOf(responseType).idToken ? {} : { withoutIdToken: true }),
    }
    const issued = await issueTokens(entitlement, { publish, code })
    return [
      ['access_token', issued.access_token],
      ['token_type', issued.token_type],
      ['expires_in', String(issued.expires_in)],
      ['scope', issued.scope],
      ['id_token', issued.id_token],
    ]
  }

  /** Without a code there will be no access token for /userinfo, so the claims are here (OpenID Connect Core §5.4). */
  async function idToken(
    request: AcceptedRequest,
    session: Session,
    publish: Publish,
    code: string | undefined,
  ): Promise<ResponsePairs> {
    const { client, scope, nonce } = request
    const { username, browser } = session
    const user = registry.user(username)
    const issued = await signIdToken(
      client,
      {
        subject: username,
        login: { ...loginFor(request, session), nonce, session: browser },
        ...defined({ code }),
        claims: {
          ...(code === undefined || client.id_token_claims ? userClaims(user, scope, settings) : {}),
          ...claimsNamed(user, claimsFor(request, session).idToken),
        },
      },
      publish,
    )
    publish({ type: 'id_token.issued', client_id: client.client_id, username })
    return [['id_token', issued]]
  }

  return async (request, session, publish) => {
    const parts = partsOf(request.responseType)
    const code = parts.code ? issueCode(request, session, publish) : undefined
    const issued = parts.token
      ? await tokens(request, session, publish, code)
      : parts.idToken
        ? await idToken(request, session, publish, code)
        : []
    // Clients of FAPI 2.0 get no parameter that no specification has (RFC 6749 §4.1.2).
    const sendsScope = request.scopeSent && code !== undefined && request.client.profile !== 'fapi2'
    const scope = sendsScope && !parts.token ? formatScope(request.scope) : undefined
    return [['code', code], ['scope', scope], ...issued]
  }
}

/** Returns the login that the answer describes. Its class is one that the client accepts, where there is one. */
function loginFor({ acr }: AcceptedRequest, session: Session): Authentication {
  return { ...authenticationOf(session), acr: acrForAnswer(acr, session.acr) }
}

type Random = (length: number) => Uint8Array

/**
 * Returns `session_state` of an authentication response: the hash of the client, of its origin and of the state of the
 * browser, and the salt (Session Management §2). The script of the check_session_iframe computes the same value. Undefined
 * for an address without a web origin, where no page can open the frame.
 */
function sessionState(
  of: { readonly clientId: string; readonly redirectUri: string; readonly state: string },
  random: Random,
): string | undefined {
  const { clientId, redirectUri, state } = of
  const { origin, protocol } = new URL(redirectUri)
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  const salt = Buffer.from(random(12)).toString('base64url')
  return `${hash('sha256', `${clientId} ${origin} ${state} ${salt}`, 'base64url')}.${salt}`
}

/** Adds the client of an authentication request to the session, and returns the session_state of the response. */
export function joinedState(
  { client, to, scope, responseType }: AcceptedRequest,
  { browser }: Session,
  random: Random,
): [string, string | undefined][] {
  const { code, idToken } = partsOf(responseType)
  if (!scope.includes('openid') || !(code || idToken)) return []
  joinSession(browser, client.client_id)
  const of = { clientId: client.client_id, redirectUri: to.redirectUri, state: browser.state }
  return [['session_state', sessionState(of, random)]]
}

const submit = pageScript('document.forms[0].submit()')

/**
 * The page that posts a response to the client (OAuth 2.0 Form Post Response Mode §2). Without scripts, a button sends
 * the form. The referrer policy is `origin`, because a client may check the Origin of the POST, and 'same-origin' would
 * set Origin to `null`.
 */
function formPostPage(to: VerifiedRedirectUri, pairs: ResponsePairs, headers: HeaderList): HttpResponse {
  const fields = [...pairs].flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}">\n`],
  )
  return page(
    200,
    'Continue',
    html`<h1>Continue</h1>
<p>You are being sent back to the application. If nothing happens, press the button.</p>
<form method="post" action="${to}">
${fields}<button type="submit">Continue</button>
</form>`,
    { headers, script: submit, referrerPolicy: 'origin' },
  )
}
