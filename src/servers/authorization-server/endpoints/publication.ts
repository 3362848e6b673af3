import type { JWK } from 'jose'
import { type HttpRequest, publishedJson } from '../../../protocol/http/message.js'
import type { Route } from '../../../protocol/http/site.js'
import {
  ASYMMETRIC_ALGORITHMS,
  CLIENT_ASSERTION_ALGORITHMS,
  CONTENT_ENCRYPTIONS,
  encryptionKeyKind,
  KEY_ENCRYPTIONS,
  REQUEST_OBJECT_ALGORITHMS,
  RESPONSE_ALGORITHMS,
  signingAlgorithms,
} from '../../../protocol/oauth/algorithms.js'
import { RESPONSE_MODES } from '../../../protocol/oauth/authorization-request.js'
import {
  type Client,
  DELIVERY_MODES,
  type DeliveryMode,
  wantedEncryptionKeys,
} from '../../../protocol/oauth/client.js'
import type { AuthorizationServerMetadata } from '../../../protocol/oauth/metadata.js'
import type { JwkSet } from '../../../protocol/tokens/keys.js'
import { keepLatest } from '../../../protocol/values.js'
import { AUTHENTICATION_PATH } from '../backchannel/paths.js'
import { reachableAcr } from '../logins/authentication.js'
import { CHECK_SESSION_PATH } from '../logout/check-session.js'
import type { User } from '../model.js'
import { PROMPTS_SUPPORTED } from '../parameters/login-demands.js'
import { RESPONSE_TYPES } from '../parameters/response-type.js'
import { type Profile, serverProfile } from '../profiles/profiles.js'
import { REGISTRATION_PATH } from '../registration/endpoint.js'
import type { AuthorizationServerSettings } from '../settings.js'
import { givenClaims } from '../tokens/user-claims.js'
import { authMethodsAt } from './client-authentication.js'
import { withFaults } from './faults.js'
import { endpointAliases } from './mutual-tls.js'
import type { ServerParts } from './parts.js'

/** Claims of every id_token, in addition to the claims of users. */
const ID_TOKEN_CLAIMS = [
  ...['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'acr', 'amr', 'nonce', 'at_hash', 'c_hash', 'sid'],
]

/** Returns the metadata document (RFC 8414 §2, OpenID Connect Discovery §3). It lists only what is supported. */
function metadata({ settings, registry, abilities, ports }: ServerParts): AuthorizationServerMetadata {
  const { issuer, users, scopes, detailTypes = {} } = settings
  const detailNames = Object.keys(detailTypes)
  const resources = [...settings.protectedResources(), ...(settings.namedResources?.() ?? [])]
  const mtlsUrl = settings.mtlsUrl?.()
  const callsClients = ports.clientCalls !== undefined
  const methods = authMethodsAt(mtlsUrl)
  const plain = registry.clients().some(client => client.code_challenge_methods.includes('plain'))
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorization`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    userinfo_endpoint: `${issuer}/userinfo`,
    revocation_endpoint: `${issuer}/revocation`,
    introspection_endpoint: `${issuer}/introspection`,
    pushed_authorization_request_endpoint: `${issuer}/par`,
    require_pushed_authorization_requests: settings.requirePushed ?? false,
    device_authorization_endpoint: `${issuer}/device_authorization`,
    ...backchannelMetadata(issuer, callsClients),
    end_session_endpoint: `${issuer}/end-session`,
    ...(settings.registration && { registration_endpoint: `${issuer}${REGISTRATION_PATH}` }),
    ...logoutMetadata(issuer, callsClients),
    ...(mtlsUrl !== undefined && {
      mtls_endpoint_aliases: endpointAliases(mtlsUrl),
      tls_client_certificate_bound_access_tokens: true,
    }),
    ...(resources.length > 0 && { protected_resources: resources }),
    scopes_supported: Object.keys(scopes),
    ...(detailNames.length > 0 && { authorization_details_types_supported: detailNames }),
    response_types_supported: RESPONSE_TYPES,
    response_modes_supported: RESPONSE_MODES,
    grant_types_supported: abilities.grantTypes,
    token_endpoint_auth_methods_supported: methods,
    token_endpoint_auth_signing_alg_values_supported: CLIENT_ASSERTION_ALGORITHMS,
    revocation_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_signing_alg_values_supported: CLIENT_ASSERTION_ALGORITHMS,
    introspection_endpoint_auth_methods_supported: methods.filter(method => method !== 'none'),
    introspection_endpoint_auth_signing_alg_values_supported: CLIENT_ASSERTION_ALGORITHMS,
    introspection_signing_alg_values_supported: RESPONSE_ALGORITHMS,
    introspection_encryption_alg_values_supported: KEY_ENCRYPTIONS,
    introspection_encryption_enc_values_supported: CONTENT_ENCRYPTIONS,
    dpop_signing_alg_values_supported: ASYMMETRIC_ALGORITHMS,
    code_challenge_methods_supported: plain ? ['S256', 'plain'] : ['S256'],
    authorization_response_iss_parameter_supported: true,
    authorization_signing_alg_values_supported: RESPONSE_ALGORITHMS,
    authorization_encryption_alg_values_supported: KEY_ENCRYPTIONS,
    authorization_encryption_enc_values_supported: CONTENT_ENCRYPTIONS,
    ...(settings.clientIdDocuments && { client_id_metadata_document_supported: true }),
    acr_values_supported: reachableAcr(users),
    prompt_values_supported: PROMPTS_SUPPORTED,
    subject_types_supported: ['public', 'pairwise'],
    id_token_signing_alg_values_supported: RESPONSE_ALGORITHMS,
    id_token_encryption_alg_values_supported: KEY_ENCRYPTIONS,
    id_token_encryption_enc_values_supported: CONTENT_ENCRYPTIONS,
    userinfo_signing_alg_values_supported: RESPONSE_ALGORITHMS,
    userinfo_encryption_alg_values_supported: KEY_ENCRYPTIONS,
    userinfo_encryption_enc_values_supported: CONTENT_ENCRYPTIONS,
    claims_supported: [...ID_TOKEN_CLAIMS, ...givenClaims(users, Object.keys(scopes), settings)],
    ...claimTypes(users),
    claims_parameter_supported: true,
    ...requestObjectMetadata(settings),
  }
}

/** Returns the types of claims (OpenID Connect Discovery §3). Without the member they are normal. */
function claimTypes(users: readonly User[]): { readonly claim_types_supported?: readonly string[] } {
  const types = new Set(users.flatMap(({ claim_types: own = {} }) => Object.values(own)))
  return types.size === 0 ? {} : { claim_types_supported: ['normal', ...types] }
}

export const PUBLISHED_PATHS = {
  openid: '/.well-known/openid-configuration',
  oauth: '/.well-known/oauth-authorization-server',
  keys: '/.well-known/jwks.json',
} as const

/** Returns the routes of both metadata documents and of the keys. */
export function publication(parts: ServerParts): readonly Route[] {
  const { settings, registry, keyring, decryptionKeys, defences, faults } = parts
  const profile = serverProfile(settings.profile)
  // Both are made again when something changed that they list. Made for each request they took a third of its processor time.
  const described = keepLatest((..._changing: unknown[]) => {
    const whole = metadata(parts)
    return publishedJson(defences.describe(profile ? profiledMetadata(whole, profile) : whole))
  })
  const keySet = keepLatest((published: JwkSet, ...forRequests: JWK[]) =>
    publishedJson({ keys: [...published.keys, ...forRequests] }),
  )
  const keyNeeds = keepLatest((clients: readonly Client[]) => ({
    algorithms: [...new Set(clients.flatMap(signingAlgorithms))],
    kinds: wantedEncryptionKeys(settings.clients),
  }))

  const document = (http: HttpRequest) => described(...changing(parts))(http)
  const keys = async (http: HttpRequest) => {
    const { algorithms, kinds } = keyNeeds(registry.clients())
    // Verifiers keep a set for a while, so the first key of an algorithm is in it before it signs.
    await Promise.all(algorithms.map(alg => keyring.signingKey(alg)))
    const forRequests = await Promise.all(kinds.map(decryptionKeys))
    return keySet(keyring.published(), ...forRequests.map(([{ publicJwk }]) => publicJwk))(http)
  }
  return [
    withFaults('discovery', { path: PUBLISHED_PATHS.openid, methods: { GET: document } }, faults),
    withFaults('discovery', { path: PUBLISHED_PATHS.oauth, methods: { GET: document } }, faults),
    withFaults('jwks', { path: PUBLISHED_PATHS.keys, methods: { GET: keys } }, faults),
  ]
}

/** Returns what the metadata depend on and what may change while the server runs. Everything else in them is fixed. */
function changing({ settings, registry }: ServerParts): readonly unknown[] {
  const { users, mtlsUrl, protectedResources, namedResources } = settings
  return [
    registry.clients(),
    users.length,
    users.at(-1),
    mtlsUrl?.(),
    ...protectedResources(),
    ...(namedResources?.() ?? []),
  ]
}

/** Returns the modes of a server: without calls of clients, it pings nobody. */
export function deliveryModes(callsClients: boolean): readonly DeliveryMode[] {
  return DELIVERY_MODES.filter(mode => callsClients || mode !== 'ping')
}

/** Returns the metadata about backchannel authentication (OpenID Connect CIBA Core §4). */
function backchannelMetadata(issuer: string, callsClients: boolean) {
  return {
    backchannel_authentication_endpoint: `${issuer}${AUTHENTICATION_PATH}`,
    backchannel_token_delivery_modes_supported: deliveryModes(callsClients),
    backchannel_authentication_request_signing_alg_values_supported: ASYMMETRIC_ALGORITHMS,
    backchannel_user_code_parameter_supported: false,
  }
}

/**
 * Returns the metadata about logout: Back-Channel Logout §2.1, Front-Channel Logout §3, Session Management §3.3. Every
 * logout token and every frame names the session.
 */
function logoutMetadata(issuer: string, callsClients: boolean) {
  return {
    check_session_iframe: `${issuer}${CHECK_SESSION_PATH}`,
    backchannel_logout_supported: callsClients,
    backchannel_logout_session_supported: callsClients,
    frontchannel_logout_supported: true,
    frontchannel_logout_session_supported: true,
  }
}

type Settings = Pick<
  AuthorizationServerSettings,
  'clients' | 'requireSignedRequestObject' | 'requestUriHosts'
>

/** Returns the metadata about request objects (OpenID Connect Discovery §3, RFC 9101 §10.5). */
function requestObjectMetadata(settings: Settings) {
  const { clients, requireSignedRequestObject = false, requestUriHosts: hosts = [] } = settings
  const kinds = wantedEncryptionKeys(clients)
  const fetches = hosts.length > 0
  return {
    request_parameter_supported: true,
    // An absent member would mean true (OpenID Connect Discovery §3).
    request_uri_parameter_supported: fetches,
    ...(fetches && { require_request_uri_registration: true }),
    require_signed_request_object: requireSignedRequestObject,
    request_object_signing_alg_values_supported: REQUEST_OBJECT_ALGORITHMS.filter(
      alg => alg !== 'none' || !requireSignedRequestObject,
    ),
    request_object_encryption_alg_values_supported: KEY_ENCRYPTIONS.filter(alg => {
      const kind = encryptionKeyKind(alg)
      return kind === undefined || kinds.includes(kind)
    }),
    request_object_encryption_enc_values_supported: CONTENT_ENCRYPTIONS,
  }
}

const ALGORITHMS = /_signing_alg_values_supported$/
const AUTH_METHODS = /_auth_methods_supported$/

/** Returns the metadata as a profile narrows it, so that it lists only what its server accepts. */
function profiledMetadata(
  metadata: AuthorizationServerMetadata,
  { algorithms, authMethods, refusedGrants, responseTypes, challengeMethods, demands }: Profile,
): AuthorizationServerMetadata {
  const narrowed = (name: string, value: unknown): unknown => {
    if (!Array.isArray(value)) return value
    const keep = (allowed: readonly string[] | undefined) =>
      allowed === undefined ? value : value.filter(each => allowed.includes(each))
    if (ALGORITHMS.test(name)) return keep(algorithms)
    if (AUTH_METHODS.test(name)) return keep(authMethods)
    if (name === 'response_types_supported') return keep(responseTypes)
    if (name === 'grant_types_supported') return value.filter(each => !refusedGrants.includes(each))
    if (name === 'code_challenge_methods_supported') return keep(challengeMethods)
    return value
  }
  const entries = Object.entries(metadata).map(([name, value]) => [name, narrowed(name, value)])
  return {
    ...(Object.fromEntries(entries) as AuthorizationServerMetadata),
    ...(demands.pushed && { require_pushed_authorization_requests: true }),
  }
}
