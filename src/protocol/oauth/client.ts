import {
  type ASYMMETRIC_ALGORITHMS,
  type ClientAssertionAlgorithm,
  type ContentEncryption,
  type EncryptionKeyKind,
  encryptionKeyKind,
  type KeyEncryption,
  type RequestObjectAlgorithm,
  type ResponseAlgorithms,
  type SigningAlgorithm,
} from './algorithms.js'
import type { RedirectUriRules } from './redirect-uri.js'

/** The way a client authenticates at the token endpoint (RFC 7591 §2; `client_password` is a body method too). */
export type TokenEndpointAuthMethod =
  | 'client_secret_basic'
  | 'client_secret_post'
  | 'client_secret_jwt'
  | 'private_key_jwt'
  | CertificateMethod
  | 'none'

/** The methods of clients that authenticate by the certificate of their connection (RFC 8705 §2). */
export type CertificateMethod = 'tls_client_auth' | 'self_signed_tls_client_auth'

/** A registered client, with wire names as in the lab file (interface specification, Client; RFC 7591). */
export interface Client extends ResponseAlgorithms {
  readonly client_id: string
  /** The way in which the client introduced itself: nobody who runs the server vouches for it. Absent: somebody does. */
  readonly introduced?: 'document' | 'registration'
  /** Absent for a public client, and for a client that signs assertions. */
  readonly client_secret?: string
  readonly client_name?: string
  /** A web page about the client. */
  readonly client_uri?: string
  readonly logo_uri?: string
  /** The terms of service of the client. */
  readonly tos_uri?: string
  /** A page on what the client does with the data of people. */
  readonly policy_uri?: string
  /** Ways to reach the people behind the client, such as mail addresses. */
  readonly contacts?: readonly string[]
  /** Names the software of the client, the same in each of its installations. */
  readonly software_id?: string
  readonly software_version?: string
  /** Address at which the client starts a login that another party asked for (OpenID Connect Core §4). */
  readonly initiate_login_uri?: string
  /** Texts and addresses for people, by their names with a language tag, such as `client_name#de` (RFC 7591 §2.2). */
  readonly localized?: Readonly<Record<string, string>>
  /** `native`: an application that people install (OpenID Connect Registration §2). Absent: `web`. */
  readonly application_type?: 'web' | 'native'
  readonly redirect_uris: readonly string[]
  readonly post_logout_redirect_uris?: readonly string[]
  /** Receives logout tokens by POST (Back-Channel Logout §2.2). */
  readonly backchannel_logout_uri?: string
  /** True when the client needs `sid` in logout tokens. They always have it. */
  readonly backchannel_logout_session_required?: boolean
  /** Opened in a frame of the logout page (Front-Channel Logout §2). */
  readonly frontchannel_logout_uri?: string
  /** True when the client needs `iss` and `sid` in the address of the frame. It always has them. */
  readonly frontchannel_logout_session_required?: boolean
  readonly backchannel_token_delivery_mode?: DeliveryMode
  /** Receives a message by POST as soon as the person has decided, in the mode ping. */
  readonly backchannel_client_notification_endpoint?: string
  /** The only algorithm of signed requests, which the client then always sends. */
  readonly backchannel_authentication_request_signing_alg?: (typeof ASYMMETRIC_ALGORITHMS)[number]
  /** The server has no user codes. */
  readonly backchannel_user_code_parameter?: false
  readonly enabled: boolean
  /** Absent: every scope of the server. */
  readonly allowed_scopes?: readonly string[]
  /** Types of authorization details that the client may ask for (RFC 9396 §10). Absent: every type of the server. */
  readonly authorization_details_types?: readonly string[]
  readonly grant_types: readonly string[]
  readonly response_types: readonly string[]
  readonly require_pkce: boolean
  /** The PKCE methods that the client may use. S256 only, unless it is registered for plain. */
  readonly code_challenge_methods: readonly ('S256' | 'plain')[]
  /** Absent: any method that uses the client's secret. */
  readonly token_endpoint_auth_method?: TokenEndpointAuthMethod
  /** The only algorithm of the assertions that the client authenticates with. Absent: each that its keys allow. */
  readonly token_endpoint_auth_signing_alg?: ClientAssertionAlgorithm
  /** The subject of the certificate that a client with `tls_client_auth` shows (RFC 8705 §2.1.2). One of the five is set. */
  readonly tls_client_auth_subject_dn?: string
  readonly tls_client_auth_san_dns?: string
  readonly tls_client_auth_san_uri?: string
  readonly tls_client_auth_san_ip?: string
  readonly tls_client_auth_san_email?: string
  /** True when access tokens are bound to the certificate of the token request (RFC 8705 §3.4). */
  readonly tls_client_certificate_bound_access_tokens?: boolean
  readonly jwks?: { readonly keys: readonly Record<string, unknown>[] }
  /** The address of the client's keys, in place of `jwks`. */
  readonly jwks_uri?: string
  /** The security profile of the client, which sets the other switches. Absent: that of the server. */
  readonly profile?: SecurityProfile
  /** True when a token request without a DPoP proof is refused (RFC 9449 §5.2). */
  readonly dpop_bound_access_tokens?: boolean
  /** True when the client must push its authorization requests (RFC 9126 §6). */
  readonly require_pushed_authorization_requests?: boolean
  /** `off`: a refresh token is not replaced at its use (RFC 9700 §4.14.2). Absent: `on`. */
  readonly refresh_token_rotation?: 'on' | 'off'
  /** True when client assertions name the issuer as their only audience, as a string (draft-ietf-oauth-rfc7523bis §4). */
  readonly strict_assertion_audience?: boolean
  /** The only algorithm of the client's request objects. Absent: each that its keys or its secret allow. */
  readonly request_object_signing_alg?: RequestObjectAlgorithm
  /** An algorithm that the client encrypts request objects with. The server publishes a key for it. */
  readonly request_object_encryption_alg?: KeyEncryption
  readonly request_object_encryption_enc?: ContentEncryption
  /** True when every request of the client is a signed request object (RFC 9101 §10.5). */
  readonly require_signed_request_object?: boolean
  /** True when request objects need aud, exp and nbf, live for an hour at most, and are accepted once. */
  readonly strict_request_objects?: boolean
  /** The addresses of the client's request objects. */
  readonly request_uris?: readonly string[]
  /** `pairwise`: its sector has a `sub` of its own for each person. Absent: `public`. */
  readonly subject_type?: 'public' | 'pairwise'
  /** The address of a list of redirect_uris that form one sector. */
  readonly sector_identifier_uri?: string
  readonly token_profile: 'jwt' | 'rfc9068'
  /** True when a token without `resource` is for the server's own resource server (RFC 9068 §3). Absent: its `aud` is the client. */
  readonly default_resource?: boolean
  /** The signature algorithm of the client's JWT access tokens. Absent: the server's default. */
  readonly access_token_signing_alg?: SigningAlgorithm | undefined
  /** True when id_tokens have the claims of the scopes too, beside /userinfo. */
  readonly id_token_claims?: boolean
  /** Highest age of a login in seconds, for requests without max_age (OpenID Connect Registration §2). */
  readonly default_max_age?: number
  /** True when id_tokens have auth_time. They have it anyway. */
  readonly require_auth_time?: boolean
  /** Authentication context classes for requests that name none, the preferred one first. */
  readonly default_acr_values?: readonly string[]
  /** `granted`: a session answers without asking. `kept`: it asks a native client once too. Absent: `ask`. */
  readonly consent?: 'ask' | 'kept' | 'granted'
}

/** The members of a client that show if it has credentials. */
interface Credentials {
  readonly client_id: string
  readonly client_secret?: string | undefined
  readonly jwks?: object | undefined
  readonly jwks_uri?: string | undefined
  readonly token_endpoint_auth_method?: TokenEndpointAuthMethod | undefined
}

/** Returns the method of a client that authenticates by certificate; undefined for every other client. */
export function certificateMethod({
  token_endpoint_auth_method: method,
}: Credentials): CertificateMethod | undefined {
  return isCertificateMethod(method) ? method : undefined
}

/** True for a method of clients that authenticate by the certificate of their connection (RFC 8705 §2). */
export function isCertificateMethod(method: string | undefined): method is CertificateMethod {
  return method === 'tls_client_auth' || method === 'self_signed_tls_client_auth'
}

/** True for a client that authenticates by certificate, or whose tokens are bound to one. */
export function usesCertificates(client: Client): boolean {
  return certificateMethod(client) !== undefined || client.tls_client_certificate_bound_access_tokens === true
}

/**
 * True for a client that has credentials, and so must use them (RFC 6749 §2.1, §3.2.1). The keys of a client with the
 * method `none` are for other purposes, such as encryption.
 */
export function isConfidential(client: Credentials): boolean {
  const { client_secret: secret, jwks, jwks_uri: address, token_endpoint_auth_method: method } = client
  if (certificateMethod(client) !== undefined) return true
  return method !== 'none' && [secret, jwks, address].some(each => each !== undefined)
}

/**
 * True for a client that anyone can imitate: an installed application, or a client at an address with a private scheme,
 * which every program on a computer can claim (RFC 8252 §8.6). False where the lab file keeps its consent, and at an https
 * address, which is claimed by its owner alone.
 */
export function isNative({ application_type: type, consent }: Client, redirectUri: string): boolean {
  if (consent === 'kept' || /^https:/i.test(redirectUri)) return false
  return type === 'native' || !/^http:/i.test(redirectUri)
}

/** Returns how the addresses of a client are compared: `localhost` matches any port for public and native clients. */
export function redirectUriRules(client: Client): RedirectUriRules {
  // OAuth 2.1 makes an exception for loopback literals alone (draft-ietf-oauth-v2-1 §2.3.1).
  if (client.profile !== undefined) return { anyLocalhostPort: false }
  return { anyLocalhostPort: !isConfidential(client) || client.application_type === 'native' }
}

/** The ways in which a client learns of a decision. Push is not one: tokens never leave by a request of the server. */
export const DELIVERY_MODES = ['poll', 'ping'] as const

/** The way in which a client learns of a decision (OpenID Connect CIBA Core §5). */
export type DeliveryMode = (typeof DELIVERY_MODES)[number]

/** The security profiles: sets of demands beyond RFC 6749, from the milder to the stricter one. */
export const SECURITY_PROFILES = ['oauth21', 'fapi2'] as const
export type SecurityProfile = (typeof SECURITY_PROFILES)[number]

/** The profiles of a whole server. */
export const SERVER_PROFILES = ['standard', 'reference', ...SECURITY_PROFILES] as const
export type ServerProfile = (typeof SERVER_PROFILES)[number]

/** Returns the stricter one of the profiles of a client and its server; undefined where neither is a security profile. */
export function stricterProfile(
  client: SecurityProfile | undefined,
  server: ServerProfile,
): SecurityProfile | undefined {
  return SECURITY_PROFILES.findLast(each => each === client || each === server)
}

/** The methods by which clients authenticate (FAPI 2.0 Security Profile §5.3.2.1-6). */
export const FAPI2_METHODS: readonly TokenEndpointAuthMethod[] = [
  'private_key_jwt',
  'tls_client_auth',
  'self_signed_tls_client_auth',
]

/** Returns the kinds of keys that clients encrypt request objects to. */
export function wantedEncryptionKeys(
  clients: readonly Pick<Client, 'request_object_encryption_alg'>[],
): readonly EncryptionKeyKind[] {
  const kinds = clients.map(each => encryptionKeyKind(each.request_object_encryption_alg))
  return (['RSA', 'EC'] as const).filter(kind => kinds.includes(kind))
}
