import type { HttpRequest } from '../../../protocol/http/message.js'
import { publishedJson } from '../../../protocol/http/message.js'
import type { Route } from '../../../protocol/http/site.js'
import {
  ASYMMETRIC_ALGORITHMS,
  CLIENT_ASSERTION_ALGORITHMS,
  CONTENT_ENCRYPTIONS,
  KEY_ENCRYPTIONS,
  RESPONSE_ALGORITHMS,
  signingAlgorithms,
} from '../../../protocol/oauth/algorithms.js'
import { RESPONSE_MODES } from '../../../protocol/oauth/authorization-request.js'
import type { AuthorizationServerMetadata } from '../../../protocol/oauth/metadata.js'
import type { DecryptionKeys } from '../../../protocol/tokens/encryption.js'
import type { AlgorithmKeyring } from '../../../protocol/tokens/keys.js'
import { backchannelMetadata } from '../backchannel/publication.js'
import type { Defences } from '../defences.js'
import { reachableAcr } from '../logins/authentication.js'
import { logoutMetadata } from '../logout/logout-metadata.js'
import type { User } from '../model.js'
import { PROMPTS_SUPPORTED } from '../parameters/login-demands.js'
import { RESPONSE_TYPES } from '../parameters/response-type.js'
import { profiledMetadata } from '../profiles/profiled-metadata.js'
import { serverProfile } from '../profiles/profiles.js'
import { REGISTRATION_PATH } from '../registration/endpoint.js'
import { requestObjectKeys, requestObjectMetadata } from '../request-objects/publication.js'
import type { AuthorizationServerSettings } from '../settings.js'
import type { Registry } from '../stores/registry.js'
import { givenClaims } from '../tokens/user-claims.js'
import { authMethodsAt } from './client-authentication.js'
import { endpointAliases } from './mutual-tls.js'

/** The parts that the published documents are made from. */
export interface Published {
  readonly settings: AuthorizationServerSettings
  readonly defences: Defences
  readonly registry: Registry
  readonly grantTypes: readonly string[]
  readonly keyring: AlgorithmKeyring
  readonly decryptionKeys: DecryptionKeys
  /** True when this server can call clients. */
  readonly callsClients: boolean
}

/** Claims of every id_token, in addition to the claims of users. */
const ID_TOKEN_CLAIMS = [
  ...['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'acr', 'amr', 'nonce', 'at_hash', 'c_hash', 'sid'],
]

/** Returns the metadata document (RFC 8414 §2, OpenID Connect Discovery §3). It lists only what is supported. */
function metadata({ settings, registry, grantTypes, callsClients }: Published): AuthorizationServerMetadata {
  const { issuer, users, scopes, detailTypes = {} } = settings
  const detailNames = Object.keys(detailTypes)
  const resources = [...settings.protectedResources(), ...(settings.namedResources?.() ?? [])]
  const mtlsUrl = settings.mtlsUrl?.()
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
    grant_types_supported: grantTypes,
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

/** Paths of the published documents. */
export const PUBLISHED_PATHS = {
  openid: '/.well-known/openid-configuration',
  oauth: '/.well-known/oauth-authorization-server',
  keys: '/.well-known/jwks.json',
} as const

/** Returns the routes of both metadata documents and of the keys. */
export function publication(published: Published): readonly Route[] {
  const { settings, registry, keyring, decryptionKeys, defences } = published
  const profile = serverProfile(settings.profile)
  const document = () => {
    const whole = metadata(published)
    return defences.describe(profile ? profiledMetadata(whole, profile) : whole)
  }
  const answer = (body: () => unknown) => (http: HttpRequest) => publishedJson(http, body())
  const keys = async (http: HttpRequest) => {
    // Verifiers keep a set for a while, so the first key of an algorithm is in it before it signs.
    const wanted = new Set(registry.clients().flatMap(signingAlgorithms))
    await Promise.all([...wanted].map(alg => keyring.signingKey(alg)))
    const forRequests = await requestObjectKeys(settings, decryptionKeys)
    const { keys } = keyring.published()
    return publishedJson(http, { keys: [...keys, ...forRequests] })
  }
  return [
    { path: PUBLISHED_PATHS.openid, methods: { GET: answer(document) } },
    { path: PUBLISHED_PATHS.oauth, methods: { GET: answer(document) } },
    { path: PUBLISHED_PATHS.keys, methods: { GET: keys } },
  ]
}
