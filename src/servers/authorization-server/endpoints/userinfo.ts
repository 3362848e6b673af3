import { ownerOf } from '../../../protocol/bounded-maps.js'
import { bounded } from '../../../protocol/events.js'
import {
  bytes,
  type Header,
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  headerValues,
  jsonResponse,
} from '../../../protocol/http/message.js'
import type { Route } from '../../../protocol/http/site.js'
import { ASYMMETRIC_ALGORITHMS, registeredAlgorithms } from '../../../protocol/oauth/algorithms.js'
import {
  challenge,
  otherTokenPlaces,
  type PresentedToken,
  parseBearer,
} from '../../../protocol/oauth/bearer.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { DPOP_ERRORS, errorParameters, isRefusal, OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { sameResource } from '../../../protocol/oauth/scope.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import { butHeader } from '../../../protocol/second-reading.js'
import { certificateMismatch } from '../../../protocol/tokens/confirmation.js'
import { type Context, type Publish, refusal } from '../events.js'
import { FormTooLarge, limitBody, readFormBody } from '../parameters/form-body.js'
import { serverProfile } from '../profiles/profiles.js'
import { tokenInQueryClause } from '../profiles/refusals.js'
import { type AccessToken, invalidToken } from '../tokens/access-tokens.js'
import { claimsNamed, userClaims } from '../tokens/user-claims.js'
import type { ServerParts } from './parts.js'

const NOT_STORED: HeaderList = [['cache-control', 'no-store']]

type Scheme = 'Bearer' | 'DPoP'

/** The errors of RFC 6750 §3.1 and RFC 9449 §7.1. Every other error is an internal error. */
const USERINFO_ERRORS = ['invalid_request', 'invalid_token', 'insufficient_scope', ...DPOP_ERRORS] as const
type UserinfoError = (typeof USERINFO_ERRORS)[number]

/** `/userinfo` (OpenID Connect Core §5.3), with the responses of RFC 6750 §3 and RFC 9449 §7.1. */
export function userinfoEndpoint(parts: ServerParts): Route {
  const { settings, registry, subjects, readAccessToken, dpop, responses, claimSources } = parts
  const { issuer, profile } = settings
  const algs = (serverProfile(profile)?.algorithms ?? ASYMMETRIC_ALGORITHMS).join(' ')

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
    const { clientId, subject } = token
    const owner = ownerOf(clientId, subject)
    const jkt = await dpop.verify(http, { client: registry.client(clientId) ?? {}, owner, accessToken: text })
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
    const presented = presentedToken(http, scheme, tokenInQueryClause(profile))
    // A request without a token gets no error code (RFC 6750 §3.1).
    if (presented.kind === 'none') {
      return {
        status: 401,
        headers: [...challenges(algs), ['cache-control', 'no-store']],
        body: new Uint8Array(),
      }
    }
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
    const claims = { sub, ...(await claimSources.move(user.username, about)) }
    publish({
      type: 'userinfo.answered',
      client_id: clientId,
      username: user.username,
      claims: ['sub', ...Object.keys(about)],
    })
    return respond(claims, client, publish)
  }

  function refuse(error: OAuthError<UserinfoError>, scheme: Scheme, publish: Publish): HttpResponse {
    const status = error instanceof FormTooLarge ? 413 : statusOf[error.code]
    publish({ type: 'userinfo.refused', status, ...refusal(error) })
    return jsonResponse(status, Object.fromEntries(errorParameters(error)), [
      ...challenges(algs, scheme, error),
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

/**
 * Reads the access token of a request: in the Authorization header, or in the form of a POST (OpenID Connect Core §5.3.1, RFC 6750
 * §2.2). Never in the query, where it would be logged.
 * @param inQuery the clause that forbids a token in the query; undefined: such a token is overlooked
 * @throws OAuthError `invalid_request` for two tokens, for a malformed header, and for a token in the query where a clause forbids it
 */
function presentedToken(
  http: HttpRequest,
  scheme: Scheme,
  inQuery: Citation | undefined,
): Exclude<PresentedToken, { kind: 'malformed' }> {
  const refused = (description: string, rule: Citation) =>
    new OAuthError('invalid_request', { description, rule })
  const values = headerValues(http, 'authorization')
  const presented = parseBearer(values, scheme)
  if (presented.kind === 'malformed')
    throw refused(`${presented.problem}${butHeader(values)}`, 'RFC 6750 §2.1')
  const [place, second] = otherTokenPlaces(http)
  if (place === undefined) return presented
  if (presented.kind !== 'none' || second !== undefined) {
    throw refused('the access token is sent in two ways; the Authorization header is enough', 'RFC 6750 §2')
  }
  if (place.rule === 'RFC 6750 §2.3') {
    // An unsupported way of sending a token gets no error code, but a profile forbids this one (RFC 6750 §3.1).
    if (inQuery === undefined) return presented
    throw refused('a token in the query is not accepted; send it in the Authorization header', inQuery)
  }
  if (http.method !== 'POST') throw refused('a token in a form needs the method POST', 'RFC 6750 §2.2')
  const sent = readFormBody(http).filter(([name]) => name === 'access_token')
  if (sent.length !== 1) throw refused('the parameter access_token is repeated', 'RFC 6750 §2.2')
  const [[, token]] = sent as [[string, string]]
  return token === '' ? { kind: 'none' } : { kind: 'bearer', token }
}

/** Returns the challenges of both schemes, or of DPoP alone after a DPoP request. The error goes with the used scheme. */
function challenges(algs: string, used: Scheme = 'Bearer', error?: OAuthError<UserinfoError>): HeaderList {
  const about = error === undefined ? [] : errorParameters(error)
  const scope = error?.code === 'insufficient_scope' ? 'openid' : undefined
  const write = (scheme: Scheme): Header => [
    'www-authenticate',
    challenge(scheme, [
      ['realm', 'oauth-lab'],
      ...(scheme === used ? about : []),
      ['scope', scheme === used ? scope : undefined],
      ['algs', scheme === 'DPoP' ? algs : undefined],
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
