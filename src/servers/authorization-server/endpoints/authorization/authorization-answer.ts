import { cut } from '../../../../protocol/events.js'
import type { ResponsePairs } from '../../../../protocol/oauth/redirect-uri.js'
import { formatScope } from '../../../../protocol/oauth/scope.js'
import { defined } from '../../../../protocol/values.js'
import type { Publish } from '../../events.js'
import { type Authentication, authenticationOf } from '../../logins/authentication.js'
import type { Session } from '../../logins/sessions.js'
import type { Entitlement } from '../../model.js'
import { acrForAnswer } from '../../parameters/acr-demand.js'
import type { RequestedClaims } from '../../parameters/claims-request.js'
import { partsOf } from '../../parameters/response-type.js'
import { codeLifetime } from '../../profiles/refusals.js'
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

/**
 * Makes the responses of each response type from its parts (RFC 6749 §4.1.2, §4.2.2; OpenID Connect Core §3.1.2.5, §3.2.2.5,
 * §3.3.2.5). The code comes first, because the id_token beside it has its hash.
 */
export function createAnswers(parts: AnswerParts): MakeAnswer {
  const { settings, registry, codes, issuedTokens, issueTokens, signIdToken } = parts

  function claimsFor({ claims, claimNames }: AcceptedRequest, { username }: Session): RequestedClaims {
    return grantedClaims(registry.user(username), claims, claimNames)
  }

  /** Returns a new code. */
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
      family: issuedTokens.family(),
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
    const scope =
      request.scopeSent && code !== undefined && !parts.token ? formatScope(request.scope) : undefined
    return [['code', code], ['scope', scope], ...issued]
  }
}

/** Returns the login that the answer describes. Its class is one that the client accepts, where there is one. */
function loginFor({ acr }: AcceptedRequest, session: Session): Authentication {
  return { ...authenticationOf(session), acr: acrForAnswer(acr, session.acr) }
}
