import { bounded } from '../../events/outside-text.js'
import {
  bytes,
  type Header,
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  headerValues,
  jsonResponse,
} from '../../http/message.js'
import type { Route } from '../../http/routes.js'
import { ASYMMETRIC_ALGORITHMS } from '../../oauth/asymmetric-algorithms.js'
import { challenge, parseBearer } from '../../oauth/bearer.js'
import type { Client } from '../../oauth/client.js'
import { DPOP_ERRORS } from '../../oauth/error-codes.js'
import { errorParameters, isRefusal, OAuthError } from '../../oauth/oauth-error.js'
import { sameResource } from '../../oauth/resource-identifier.js'
import { registeredAlgorithms } from '../../oauth/response-algorithms.js'
import { otherTokenPlaces } from '../../oauth/token-places.js'
import { certificateMismatch } from '../../tokens/confirmation.js'
import { type Context, type Publish, refusal } from '../events.js'
import type { Subjects } from '../pairwise/subjects.js'
import { FormTooLarge, limitBody } from '../parameters/form-body.js'
import type { AuthorizationServerSettings } from '../settings.js'
import type { Registry } from '../stores/registry.js'
import { type AccessToken, invalidToken, type ReadAccessToken } from '../tokens/access-tokens.js'
import type { ClientResponses } from '../tokens/client-responses.js'
import { claimsNamed, userClaims } from '../tokens/user-claims.js'
import type { DpopProofs } from './dpop.js'

/** The parts that the endpoint uses. */
export interface UserinfoParts {
  readonly settings: Pick<AuthorizationServerSettings, 'issuer' | 'scopeClaims'>
  readonly registry: Registry
  readonly subjects: Subjects
  readonly readAccessToken: ReadAccessToken
  readonly dpop: DpopProofs
  readonly responses: ClientResponses
}

const NOT_STORED: HeaderList = [['cache-control', 'no-store']]

type Scheme = 'Bearer' | 'DPoP'

/** The errors of RFC 6750 §3.1 and RFC 9449 §7.1. Every other error is an internal error. */
const USERINFO_ERRORS = ['invalid_request', 'invalid_token', 'insufficient_scope', ...DPOP_ERRORS] as const
type UserinfoError = (typeof USERINFO_ERRORS)[number]

/** `/userinfo` (OpenID Connect Core §5.3), with the responses of RFC 6750 §3 and RFC 9449 §7.1. */
export function userinfoEndpoint(parts: UserinfoParts): Route {
  const { settings, registry, subjects, readAccessToken, dpop, responses } = parts
  const { issuer } = settings

  /** @throws OAuthError when the token is for another resource (RFC 9068 §4, RFC 8707 §2) */
  function checkAudience({ audience, clientId }: AccessToken): void {
    const named = typeof audience === 'string' ? [audience] : audience
    // Without `resource`, the audience is the client.
    const accepted = [clientId, issuer, `${issuer}/userinfo`]
    if (named.some(each => accepted.some(own => sameResource(own, each)))) return
    const evidence = `aud: ${bounded(named.join(' '))}`
    throw invalidToken('the token is for another resource', 'RFC 9068 §4', evidence)
  }

  /** @throws OAuthError when the token is bound to a key that the request does not prove (RFC 9449 §7.1, §7.2) */
  async function checkBinding(http: HttpRequest, scheme: Scheme, text: string, token: AccessToken) {
    const wrong = token.certificate && certificateMismatch(token.certificate, http)
    if (wrong) throw invalidToken(wrong, 'RFC 8705 §3')
    if (scheme === 'Bearer') {
      if (token.jkt === undefined) return
      throw invalidToken('the token is bound to a key; send it with the scheme DPoP', 'RFC 9449 §7.2')
    }
    const jkt = await dpop.verify(http, registry.client(token.clientId) ?? {}, text)
    if (jkt === undefined) {
      const description = 'the scheme DPoP needs a proof in the header DPoP'
      throw new OAuthError('invalid_dpop_proof', { description, rule: 'RFC 9449 §7.1' })
    }
    if (token.jkt !== jkt)
      throw invalidToken('the token is not bound to the key of the proof', 'RFC 9449 §7.1')
  }

  /** Returns the claims as JSON, or in the JWT that the client is registered for (OpenID Connect Core §5.3.2). */
  async function respond(
    claims: Readonly<Record<string, unknown>>,
    client: Client | undefined,
    publish: Publish,
  ): Promise<HttpResponse> {
    const { alg, encryption } = registeredAlgorithms(client ?? {}, 'userinfo')
    if (client === undefined || (alg === undefined && encryption === undefined)) {
      return jsonResponse(200, claims, NOT_STORED)
    }
    const to = { client, kind: 'userinfo', publish } as const
    const jwt =
      alg === undefined
        ? await responses.encrypt(JSON.stringify(claims), to)
        : await responses.protect({ ...claims, iss: issuer, aud: client.client_id }, to)
    return { status: 200, headers: [['content-type', 'application/jwt'], ...NOT_STORED], body: bytes(jwt) }
  }

  async function answer(http: HttpRequest, scheme: Scheme, publish: Publish): Promise<HttpResponse> {
    limitBody(http)
    const presented = parseBearer(headerValues(http, 'authorization'), scheme)
    // A request without a token gets no error code (RFC 6750 §3.1).
    if (presented.kind === 'none') {
      return {
        status: 401,
        headers: [...challenges(), ['cache-control', 'no-store']],
        body: new Uint8Array(),
      }
    }
    if (presented.kind === 'malformed') {
      throw new OAuthError('invalid_request', { description: presented.problem, rule: 'RFC 6750 §2.1' })
    }
    refuseSecondToken(http)
    const token = await readAccessToken(presented.token)
    await checkBinding(http, scheme, presented.token, token)
    checkAudience(token)
    const { subject, clientId, scope, userinfoClaims } = token
    const user = registry.user(subject)
    if (user === undefined) throw invalidToken('there is no such user')
    if (!scope.includes('openid')) {
      throw new OAuthError('insufficient_scope', {
        description: 'the scope openid is needed here',
        rule: 'RFC 6750 §3.1',
      })
    }
    const { sub: _, ...about } = {
      ...userClaims(user, scope, settings),
      ...claimsNamed(user, userinfoClaims),
    }
    const client = registry.client(clientId)
    const sub = client === undefined ? user.username : await subjects.subFor(client, user.username)
    const claims = { sub, ...about }
    publish({
      type: 'userinfo.answered',
      client_id: clientId,
      username: user.username,
      claims: Object.keys(claims),
    })
    return respond(claims, client, publish)
  }

  function refuse(error: OAuthError<UserinfoError>, scheme: Scheme, publish: Publish): HttpResponse {
    const status = error instanceof FormTooLarge ? 413 : statusOf[error.code]
    publish({ type: 'userinfo.refused', status, ...refusal(error) })
    return jsonResponse(status, Object.fromEntries(errorParameters(error)), [
      ...challenges(scheme, error),
      ['cache-control', 'no-store'],
    ])
  }

  const handler = async (http: HttpRequest, { publish }: Context) => {
    const scheme = /^\s*dpop(\s|$)/i.test(headerValues(http, 'authorization')[0] ?? '') ? 'DPoP' : 'Bearer'
    const answered = async () => {
      try {
        return await answer(http, scheme, publish)
      } catch (error) {
        if (!isRefusal(error, USERINFO_ERRORS)) throw error
        return refuse(error, scheme, publish)
      }
    }
    const response = await answered()
    return { ...response, headers: [...response.headers, ...dpop.headers()] }
  }
  return { path: '/userinfo', methods: { GET: handler, POST: handler } }
}

/** @throws OAuthError for a second token in the query or the form (RFC 6750 §2) */
function refuseSecondToken(http: HttpRequest): void {
  if (otherTokenPlaces(http).length === 0) return
  throw new OAuthError('invalid_request', {
    description: 'the access token is sent in two ways; the Authorization header is enough',
    rule: 'RFC 6750 §2',
  })
}

/** Returns the challenges of both schemes, or of DPoP alone after a DPoP request. The error goes with the used scheme. */
function challenges(used: Scheme = 'Bearer', error?: OAuthError<UserinfoError>): HeaderList {
  const about = error === undefined ? [] : errorParameters(error)
  const scope = error?.code === 'insufficient_scope' ? 'openid' : undefined
  const write = (scheme: Scheme): Header => [
    'www-authenticate',
    challenge(scheme, [
      ['realm', 'oauth-lab'],
      ...(scheme === used ? about : []),
      ['scope', scheme === used ? scope : undefined],
      ['algs', scheme === 'DPoP' ? ASYMMETRIC_ALGORITHMS.join(' ') : undefined],
    ]),
  ]
  return used === 'DPoP' ? [write('DPoP')] : [write('Bearer'), write('DPoP')]
}

/** The status of each error (RFC 6750 §3.1, RFC 9449 §7.1). */
const statusOf: Readonly<Record<UserinfoError, number>> = {
  invalid_request: 400,
  invalid_token: 401,
  invalid_dpop_proof: 401,
  use_dpop_nonce: 401,
  insufficient_scope: 403,
}
