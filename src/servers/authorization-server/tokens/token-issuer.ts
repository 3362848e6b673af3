import { cut } from '../../../protocol/events.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { formatScope, parseScope } from '../../../protocol/oauth/scope.js'
import type { TokenResponse } from '../../../protocol/oauth/token.js'
import type { Confirmation } from '../../../protocol/tokens/confirmation.js'
import { signJwt } from '../../../protocol/tokens/keys.js'
import { tokenHash } from '../../../protocol/tokens/verify.js'
import { defined } from '../../../protocol/values.js'
import type { Publish } from '../events.js'
import type { Binding, Entitlement, Login } from '../model.js'
import type { Subjects } from '../pairwise/subjects.js'
import type { BaseParts } from '../parts.js'
import type { MacToken } from '../stores/mac-tokens.js'
import type { ClaimSources } from './claim-sources.js'
import type { ClientResponses } from './client-responses.js'
import { claimsNamed, userClaims } from './user-claims.js'

/** A token response. RFC 8693 §2.2.1 adds `issued_token_type`; the MAC draft adds the key of the token. */
type IssuedResponse = TokenResponse & {
  readonly issued_token_type?: string
  readonly mac_key?: string
  readonly mac_algorithm?: MacToken['algorithm']
}

/** The parameters of one token response, beside the entitlement. */
interface Issue {
  readonly publish: Publish
  readonly requestedScope?: string | undefined
  /** Names of parameters that have no effect in the request. */
  readonly ignored?: readonly string[] | undefined
  readonly refreshToken?: string | undefined
  /** The code of the same response (OpenID Connect Core §3.3.2.5). */
  readonly code?: string | undefined
  /** The type of access token that the client asked for. Absent: a JWT. */
  readonly wanted?: 'mac' | undefined
}

/** Makes the tokens that a client is entitled to. */
export type IssueTokens = (entitlement: Entitlement, issue: Issue) => Promise<IssuedResponse>

/** Time before its issue from which an access token is valid, in seconds. It allows for slow clocks. */
const NOT_BEFORE_OFFSET = 30

/** `token_type` of a JWT access token (RFC 6750 §4, RFC 9449 §5). */
const TOKEN_TYPES = { bearer: 'Bearer', dpop: 'DPoP', certificate: 'Bearer' } as const

/** NumericDates are seconds (RFC 7519 §2). */
const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000)

/**
 * Returns `aud`: the resources of the token (RFC 8707 §2), or else the client id (interface specification). For a client with
 * `default_resource` the server names its own resource server (RFC 9068 §3), and userinfo for a login, which that token opens too.
 */
function audience(
  { client, resources, scope }: Pick<Entitlement, 'client' | 'resources' | 'scope'>,
  { issuer, protectedResources }: Pick<BaseParts['settings'], 'issuer' | 'protectedResources'>,
): string | string[] {
  const [own] = client.default_resource ? protectedResources() : []
  const named = own === undefined ? [] : scope.includes('openid') ? [own, `${issuer}/userinfo`] : [own]
  const all = resources.length > 0 ? resources : named
  return all.length > 1 ? [...all] : (all[0] ?? client.client_id)
}

/** Returns the requested scope values that were not granted; undefined for none. */
function droppedScope(requested: string | undefined, granted: readonly string[]): string | undefined {
  const dropped = (parseScope(requested ?? '') ?? []).filter(token => !granted.includes(token))
  return dropped.length === 0 ? undefined : formatScope(dropped)
}

/** True when a response of these tokens has an id_token. */
function includesIdToken({ login, withoutIdToken, scope }: Entitlement): boolean {
  return login !== undefined && !withoutIdToken && scope.includes('openid')
}

/**
 * Checks that the id_token of a response can be encrypted to its client. A code is used up after this check, because a client
 * whose key is missing may mend its registration, and redeem the code then.
 * @throws OAuthError `invalid_request` when the client has no key to encrypt to
 */
export async function requireEncryptable(
  entitlement: Entitlement,
  responses: Pick<ClientResponses, 'encrypt'>,
  publish: Publish,
): Promise<void> {
  if (!includesIdToken(entitlement)) return
  await responses.encrypt('', { client: entitlement.client, kind: 'id_token', publish })
}

/** Makes the token issuer. Access tokens follow the interface specification; scope `openid` adds an id_token. */
export function createTokenIssuer(
  parts: BaseParts & { readonly subjects: Subjects; readonly signIdToken: SignIdToken },
): IssueTokens {
  const { settings, ports, registry, issuedTokens, subjects, signIdToken } = parts
  const { issuer } = settings
  const lifetime = seconds(settings.lifetimes.accessToken)

  /** The key of a client's access tokens. The server's own secret signs them all at the stage shared-secret. */
  async function accessTokenKey({ access_token_signing_alg: alg }: Client) {
    return alg === undefined ? ports.keyring.current() : ports.keyring.signingKey(alg)
  }

  return async (entitlement, { publish, requestedScope, ignored, refreshToken, wanted, code }) => {
    const { client, subject, scope, binding, family, login, act, notAfter } = entitlement
    const { client_id: clientId } = client
    const { grantType, issuedTokenType, claims: asked } = entitlement
    const details = entitlement.details?.length ? entitlement.details : undefined
    const openid = scope.includes('openid')
    const iat = seconds(ports.now())
    const exp = Math.min(iat + lifetime, notAfter ?? Number.POSITIVE_INFINITY)
    // Added before the signature is awaited, so that a replay in the meantime revokes this token too.
    const jti = issuedTokens.add(family)
    const sub = await subjects.subFor(client, subject)
    const claims = defined({
      sub,
      nbf: iat - NOT_BEFORE_OFFSET,
      iat,
      exp,
      iss: issuer,
      aud: audience(entitlement, settings),
      jti,
      client_id: clientId,
      // A request with details may have no scope (RFC 9396 §3).
      scope: scope.length === 0 && details !== undefined ? undefined : formatScope(scope),
      authorization_details: details,
      // The server keeps no access tokens: /userinfo reads the names here (OpenID Connect Core §5.5).
      userinfo_claims: openid && asked?.userinfo.length ? asked.userinfo : undefined,
      // Resource servers compare them with what they need (RFC 9470 §6.1).
      acr: login?.acr,
      auth_time: login && seconds(login.loginAt),
      cnf: confirmationOf(binding),
      act: act && (await subjects.actFor(client, act)),
    })
    const typ = client.token_profile === 'rfc9068' ? 'at+jwt' : 'JWT'
    const mac =
      wanted === 'mac' ? ports.macTokens?.issue(claims, () => issuedTokens.isRevoked(jti)) : undefined
    const accessToken = mac?.id ?? (await signJwt(claims, await accessTokenKey(client), typ))
    const idToken =
      login === undefined || !includesIdToken(entitlement)
        ? undefined
        : await signIdToken(
            client,
            {
              subject,
              login,
              accessToken,
              ...defined({ code }),
              // Programs that never call /userinfo read the name and the groups here (OpenID Connect Core §5.4).
              claims: {
                ...(client.id_token_claims ? userClaims(registry.user(subject), scope, settings) : {}),
                ...claimsNamed(registry.user(subject), asked?.idToken ?? []),
              },
            },
            publish,
          )
    const tokenType = mac ? 'mac' : TOKEN_TYPES[binding.kind]
    publish(
      defined({
        type: 'token.issued',
        client_id: clientId,
        sub,
        username: sub === subject ? undefined : subject,
        grant_type: grantType,
        scope: formatScope(scope),
        authorization_details: details,
        token_type: tokenType,
        aud: claims.aud,
        access_token: cut(accessToken),
        jti,
        expires_in: exp - iat,
        certificate: binding.kind === 'certificate' ? binding.thumbprint : undefined,
        id_token: idToken !== undefined,
        refresh_token: refreshToken && cut(refreshToken),
        dropped_scope: droppedScope(requestedScope, scope),
        ignored,
      }),
    )
    if (idToken !== undefined) publish({ type: 'id_token.issued', client_id: clientId, username: subject })
    return defined({
      access_token: accessToken,
      token_type: tokenType,
      expires_in: exp - iat,
      scope: claims.scope,
      authorization_details: details,
      mac_key: mac?.key,
      mac_algorithm: mac?.algorithm,
      refresh_token: refreshToken,
      id_token: idToken,
      issued_token_type: issuedTokenType,
    })
  }
}

/** The content of an id_token: a user and a login. */
interface Identity {
  readonly subject: string
  readonly login: Login
  /** The access token of the same response, for at_hash. */
  readonly accessToken?: string
  /** The code of the same response, for c_hash (OpenID Connect Core §3.3.2.11). */
  readonly code?: string
  /** Claims of the user, for a response without an access token for /userinfo (OpenID Connect Core §5.4). */
  readonly claims?: Readonly<Record<string, unknown>>
}

/**
 * Signs an id_token for a client, and encrypts it where the client is registered for that.
 * @throws OAuthError `invalid_request` when the client has no key to encrypt to
 */
export type SignIdToken = (client: Client, identity: Identity, publish: Publish) => Promise<string>

/** Makes the function that signs id_tokens (OpenID Connect Core §2). */
export function createIdTokens({
  settings,
  ports,
  responses,
  subjects,
  claimSources,
}: BaseParts & {
  readonly responses: ClientResponses
  readonly claimSources: ClaimSources
  readonly subjects: Subjects
}): SignIdToken {
  return async (client, { subject, login, accessToken, code, claims }, publish) => {
    const iat = seconds(ports.now())
    const { alg } = await responses.keyFor(client, 'id_token')
    const said = defined({
      ...(await claimSources.move(subject, claims ?? {})),
      iss: settings.issuer,
      sub: await subjects.subFor(client, subject),
      aud: client.client_id,
      exp: iat + seconds(settings.lifetimes.accessToken),
      iat,
      auth_time: seconds(login.loginAt),
      acr: login.acr,
      amr: login.amr,
      nonce: login.nonce,
      sid: login.session && (await subjects.sidFor(client, login.session.sid)),
      at_hash: accessToken && tokenHash(accessToken, alg),
      c_hash: code && tokenHash(code, alg),
    })
    return responses.protect(said, { client, kind: 'id_token', publish })
  }
}

/** Returns `cnf` of a token; undefined for a token that anyone may use (RFC 9449 §6.1, RFC 8705 §3.1). */
export function confirmationOf(binding: Binding): Confirmation | undefined {
  switch (binding.kind) {
    case 'bearer':
      return undefined
    case 'dpop':
      return { jkt: binding.jkt }
    case 'certificate':
      return { 'x5t#S256': binding.thumbprint }
  }
}
