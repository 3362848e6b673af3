import { cut } from '../../../events/outside-text.js'
import type { ResponsePairs } from '../../../oauth/redirect-uri.js'
import { formatScope } from '../../../oauth/scope.js'
import type { Publish } from '../../events.js'
import type { Session } from '../../logins/sessions.js'
import type { Entitlement } from '../../model.js'
import type { RequestedClaims } from '../../parameters/claims-request.js'
import type { AuthorizationServerSettings } from '../../settings.js'
import type { Codes } from '../../stores/codes.js'
import type { IssuedTokens } from '../../stores/issued-tokens.js'
import type { Registry } from '../../stores/registry.js'
import type { SignIdToken } from '../../tokens/id-token.js'
import { grantedClaims } from '../../tokens/requested-claims.js'
import type { IssueTokens } from '../../tokens/token-issuer.js'
import { claimsNamed, userClaims } from '../../tokens/user-claims.js'
import type { AcceptedRequest } from './authorization-request.js'

/** The parts that make responses. */
export interface AnswerParts {
  readonly settings: Pick<AuthorizationServerSettings, 'scopeClaims'>
  readonly registry: Registry
  readonly codes: Codes
  readonly issuedTokens: IssuedTokens
  readonly issueTokens: IssueTokens
  readonly signIdToken: SignIdToken
  readonly now: () => number
}

/** Makes the parameters of the response to a user's request. */
export type MakeAnswer = (
  request: AcceptedRequest,
  session: Session,
  publish: Publish,
) => Promise<ResponsePairs>

/** Makes the responses of each response type (RFC 6749 §4.1.2, §4.2.2; OpenID Connect Core §3.1.2.5, §3.2.2.5). */
export function createAnswers(parts: AnswerParts): MakeAnswer {
  const { settings, registry, codes, issuedTokens, issueTokens, signIdToken } = parts

  function claimsFor({ claims, claimNames }: AcceptedRequest, { username }: Session): RequestedClaims {
    return grantedClaims(registry.user(username), claims, claimNames)
  }

  function code(request: AcceptedRequest, session: Session, publish: Publish): ResponsePairs {
    const { username, loginAt } = session
    const { client, to, scope, nonce, challenge, resources, dpopJkt } = request
    const issued = codes.issue({
      username,
      client_id: client.client_id,
      response_type: 'code',
      redirect_uri: to.redirectUri,
      redirectUriSent: request.redirectUriSent,
      scope,
      nonce,
      challenge,
      resources,
      dpopJkt,
      claims: claimsFor(request, session),
      at: parts.now(),
      loginAt,
    })
    const granted = formatScope(scope)
    publish({
      type: 'code.issued',
      client_id: client.client_id,
      username,
      code: cut(issued),
      scope: granted,
      expires_in: codes.lifetime / 1000,
    })
    return [
      ['code', issued],
      ['scope', request.scopeSent ? granted : undefined],
    ]
  }

  /** There is no refresh token: no client authenticated, and the response passes through the browser (RFC 6749 §4.2.2). */
  async function tokens(
    request: AcceptedRequest,
    session: Session,
    publish: Publish,
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
      family: issuedTokens.family(),
      login: responseType === 'token' ? undefined : { at: session.loginAt, nonce },
    }
    const issued = await issueTokens(entitlement, { publish })
    return [
      ['access_token', issued.access_token],
      ['token_type', issued.token_type],
      ['expires_in', String(issued.expires_in)],
      ['scope', issued.scope],
      ['id_token', issued.id_token],
    ]
  }

  async function idToken(
    request: AcceptedRequest,
    session: Session,
    publish: Publish,
  ): Promise<ResponsePairs> {
    const { client, scope, nonce } = request
    const { username, loginAt } = session
    const user = registry.user(username)
    const issued = await signIdToken(client, {
      subject: username,
      login: { at: loginAt, nonce },
      claims: {
        ...userClaims(user, scope, settings),
        ...claimsNamed(user, claimsFor(request, session).idToken),
      },
    })
    publish({ type: 'id_token.issued', client_id: client.client_id, username })
    return [['id_token', issued]]
  }

  return async (request, session, publish) => {
    if (request.responseType === 'code') return code(request, session, publish)
    return request.responseType === 'id_token'
      ? idToken(request, session, publish)
      : tokens(request, session, publish)
  }
}
