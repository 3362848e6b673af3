import {
  bytes,
  type HttpRequest,
  type HttpResponse,
  headerValues,
  jsonResponse,
} from '../../../protocol/http/message.js'
import type { Route } from '../../../protocol/http/site.js'
import { registeredAlgorithms } from '../../../protocol/oauth/algorithms.js'
import { type Client, isConfidential } from '../../../protocol/oauth/client.js'
import { CREDENTIAL_PARAMETERS } from '../../../protocol/oauth/client-auth.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { formatScope } from '../../../protocol/oauth/scope.js'
import { defined } from '../../../protocol/values.js'
import type { Publish } from '../events.js'
import { required } from '../grants/grant.js'
import type { FoundRefreshToken } from '../stores/refresh-tokens.js'
import { type AccessToken, isCurrent } from '../tokens/access-tokens.js'
import { confirmationOf } from '../tokens/token-issuer.js'
import {
  type Call,
  ClientAuthenticationError,
  clientEndpoint,
  NOT_STORED,
  readClientForm,
  readOnce,
} from './client-endpoint.js'
import type { ServerParts } from './parts.js'

const RULE = 'RFC 7662 §2.1'

/** Media type of a response in a JWT (RFC 9701 §4). */
const JWT_TYPE = 'application/token-introspection+jwt'

/** True when a client asks for a response in a JWT. A wildcard does not ask for one: most clients send it for JSON. */
function acceptsJwt(http: HttpRequest): boolean {
  const ranges = headerValues(http, 'accept').flatMap(line => line.split(','))
  return ranges.some(range => {
    const [type = '', ...parameters] = range.split(';').map(part => part.trim().toLowerCase())
    return type === JWT_TYPE && !parameters.some(each => /^q=0(\.0*)?$/.test(each))
  })
}

/** @throws OAuthError for JSON to a client that is registered for encrypted responses: everybody on the way could read it */
function refuseReadable(client: Client): void {
  if (registeredAlgorithms(client, 'introspection').encryption === undefined) return
  throw new OAuthError('invalid_request', {
    description: `this client is registered for encrypted responses; send Accept: ${JWT_TYPE}`,
    rule: 'RFC 9701 §6',
  })
}

/** Returns `cnf` of a token that is bound to a certificate (RFC 8705 §3.2). */
const thumbprint = (certificate: string | undefined) =>
  certificate === undefined ? undefined : { 'x5t#S256': certificate }

/** Converts milliseconds to seconds, both since the epoch. */
const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000)

/**
 * `/introspection` (RFC 7662): reports to a client that authenticates if a token is active, and its content. Public
 * clients are refused: anyone can pretend to be one, and could test stolen tokens (RFC 7662 §4).
 */
export function introspectionEndpoint(parts: ServerParts): Route {
  const {
    issuer,
    now,
    keyring,
    responses,
    registry,
    subjects,
    clientless,
    authenticateIntrospector: authenticateClient,
    readShownToken: readAccessToken,
    refreshTokens,
  } = parts

  /** Returns the response in a JWT, encrypted for a client that is registered for it (RFC 9701 §5, §6). */
  async function signed(members: object, client: Client, publish: Publish): Promise<HttpResponse> {
    // A secret of this server alone can sign nothing for others.
    if (keyring.current().alg === 'HS256') return jsonResponse(200, members, NOT_STORED)
    const claims = { iss: issuer, aud: client.client_id, iat: seconds(now()), token_introspection: members }
    const to = { client, kind: 'introspection', typ: 'token-introspection+jwt', publish } as const
    const jwt = await responses.protect(claims, to)
    return { status: 200, headers: [['content-type', JWT_TYPE], ...NOT_STORED], body: bytes(jwt) }
  }

  const isUser = (subject: string) => registry.user(subject) !== undefined
  const current = (clientId: string, subject: string) =>
    isCurrent({ clientId, subject }, { registry, clientless })

  /** Returns the members about the subject. The username of a pairwise client's user would join what `sub` keeps apart. */
  async function named(clientId: string, subject: string) {
    const client = registry.client(clientId)
    const sub = client === undefined ? subject : await subjects.subFor(client, subject)
    const isNamed = sub === subject && subject !== clientId && isUser(subject)
    return { client_id: clientId, username: isNamed ? subject : undefined, sub, iss: issuer }
  }

  async function ofAccessToken(token: AccessToken) {
    const {
      clientId,
      subject,
      jkt,
      certificate,
      act,
      tokenType = jkt === undefined ? 'Bearer' : 'DPoP',
    } = token
    const client = registry.client(clientId)
    return defined({
      active: true,
      scope: token.scope.length === 0 ? undefined : formatScope(token.scope),
      authorization_details: token.details.length === 0 ? undefined : token.details,
      ...(await named(clientId, subject)),
      token_type: tokenType,
      exp: token.expiresAt,
      iat: token.issuedAt,
      nbf: token.notBefore,
      aud: token.audience,
      jti: token.jti,
      acr: token.login?.acr,
      auth_time: token.login && seconds(token.login.loginAt),
      cnf: jkt === undefined ? thumbprint(certificate) : { jkt },
      act: client && act ? await subjects.actFor(client, act) : act,
    })
  }

  async function ofRefreshToken({ authorization, issuedAt, expiresAt }: FoundRefreshToken) {
    const { client_id, username, scope, details, binding } = authorization
    return defined({
      active: true,
      scope: scope.length === 0 ? undefined : formatScope(scope),
      authorization_details: details?.length ? details : undefined,
      ...(await named(client_id, username)),
      exp: seconds(expiresAt),
      iat: seconds(issuedAt),
      cnf: confirmationOf(binding),
    })
  }

  async function introspect(token: string): Promise<{ members: object; about: object }> {
    const inactive = { members: { active: false }, about: { active: false } }
    const refresh = refreshTokens.find(token)
    if (refresh !== undefined) {
      const { client_id: issuedTo, username } = refresh.authorization
      if (refresh.state !== 'valid' || !isUser(username) || !current(issuedTo, username)) return inactive
      return {
        members: await ofRefreshToken(refresh),
        about: { active: true, kind: 'refresh_token', issued_to: issuedTo, username },
      }
    }
    try {
      const access = await readAccessToken(token)
      const { clientId, subject, jti } = access
      if (!current(clientId, subject)) return inactive
      return {
        members: await ofAccessToken(access),
        about: { active: true, kind: 'access_token', issued_to: clientId, username: subject, jti },
      }
    } catch (error) {
      if (error instanceof OAuthError) return inactive
      throw error
    }
  }

  async function answer(http: HttpRequest, call: Call): Promise<HttpResponse> {
    const values = readOnce(readClientForm(http), ['token', 'token_type_hint', ...CREDENTIAL_PARAMETERS])
    const client = await authenticateClient(http, values, call.publish)
    call.clientId = client.client_id
    if (!isConfidential(client)) {
      const description = 'this client cannot authenticate, and so may not introspect tokens'
      throw new ClientAuthenticationError('invalid_client', { description, rule: RULE }, false)
    }
    const asksJwt = acceptsJwt(http)
    if (!asksJwt) refuseReadable(client)
    const { members, about } = await introspect(required(values.token, 'token', RULE))
    call.publish({
      type: 'token.introspected',
      client_id: client.client_id,
      ...(about as { active: boolean }),
    })
    return asksJwt ? signed(members, client, call.publish) : jsonResponse(200, members, NOT_STORED)
  }

  return clientEndpoint({
    path: '/introspection',
    name: 'the introspection endpoint',
    rule: RULE,
    errors: ['invalid_request', 'invalid_client'],
    answer,
    always401: true,
    refused: 'introspection.refused',
  })
}
