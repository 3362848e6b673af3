import type { GrantType } from '../../lab/schema/grant-types.js'
import type {
  ContentEncryption,
  KeyEncryption,
  RequestObjectAlgorithm,
} from '../../protocol/oauth/algorithms.js'
import type { SecurityProfile } from '../../protocol/oauth/client.js'
import type { WeakName } from '../../protocol/rules/weak-modes.js'
import type { ServerEntry } from './server-entry.js'

// The lab file, as it is documented for people who write one in TypeScript. The schema that checks it is
// src/lab/schema/lab-file-schema.ts; a test holds the two together, so that no package has to be there for the types.

/** A client of the authorization server, by the names of RFC 7591. */
export interface ClientEntry {
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
  /** Receives logout tokens by POST (Back-Channel Logout §2.2). */
  readonly backchannel_logout_uri?: string
  /** True when the client needs `sid` in logout tokens. They always have it. */
  readonly backchannel_logout_session_required?: boolean
  /** Opened in a frame of the logout page (Front-Channel Logout §2). */
  readonly frontchannel_logout_uri?: string
  /** True when the client needs `iss` and `sid` in the address of the frame. It always has them. */
  readonly frontchannel_logout_session_required?: boolean
  /** `pairwise`: its sector has a `sub` of its own for each person. Absent: `public`. */
  readonly subject_type?: 'public' | 'pairwise'
  /** The address of a list of redirect_uris that form one sector. */
  readonly sector_identifier_uri?: string
  /** Unique on this server. */
  readonly client_id: string
  readonly client_name?: string
  /** Default `web`; `native` is installed by people, so the person is asked each time. */
  readonly application_type?: 'web' | 'native'
  /** Makes the client confidential. */
  readonly client_secret?: string
  /**
   * Absolute, no fragment; http only on this computer. `127.0.0.1` and `[::1]` match any port; `localhost` does for
   * public and native clients.
   */
  readonly redirect_uris?: readonly string[]
  readonly post_logout_redirect_uris?: readonly string[]
  /** Default true. */
  readonly enabled?: boolean
  /** Default: every scope of the server. */
  readonly allowed_scopes?: readonly string[]
  /** Types of authorization details that it may ask for. Default: every type of the server. */
  readonly authorization_details_types?: readonly string[]
  /** Default: `authorization_code`. */
  readonly grant_types?: readonly GrantType[]
  /** Default: `code`, and those with a token but without a code, as far as the grant types allow. */
  readonly response_types?: readonly (
    | 'code'
    | 'token'
    | 'id_token'
    | 'id_token token'
    | 'code id_token'
    | 'code token'
    | 'code id_token token'
    | 'none'
  )[]
  /** Default true for public clients, else false. */
  readonly require_pkce?: boolean
  /** Default: S256. */
  readonly code_challenge_methods?: readonly ('S256' | 'plain')[]
  /** Default: the secret in the header or in the body. */
  readonly token_endpoint_auth_method?:
    | 'client_secret_basic'
    | 'client_secret_post'
    | 'client_secret_jwt'
    | 'private_key_jwt'
    | 'tls_client_auth'
    | 'self_signed_tls_client_auth'
    | 'none'
  /** The subject of the certificate of a client with `tls_client_auth` (RFC 8705 §2.1.2). One of these five is set. */
  readonly tls_client_auth_subject_dn?: string
  readonly tls_client_auth_san_dns?: string
  readonly tls_client_auth_san_uri?: string
  readonly tls_client_auth_san_ip?: string
  readonly tls_client_auth_san_email?: string
  /** Binds access tokens to the certificate of the token request (RFC 8705 §3.4). Default: false. */
  readonly tls_client_certificate_bound_access_tokens?: boolean
  /** Public keys of a client that signs its assertions. */
  readonly jwks?: {
    readonly keys: readonly { readonly kty: 'RSA' | 'EC' | 'OKP'; readonly [member: string]: unknown }[]
  }
  /** The only signature algorithm of request objects. Default: any that the keys or the secret allow. */
  readonly request_object_signing_alg?: RequestObjectAlgorithm
  /** Publishes a key that the client encrypts request objects to. */
  readonly request_object_encryption_alg?: KeyEncryption
  readonly request_object_encryption_enc?: ContentEncryption
  /** Refuses requests without a signed request object (RFC 9101 §10.5). Default: false. */
  readonly require_signed_request_object?: boolean
  /** Request objects need aud, exp and nbf, live 60 minutes at most, and count once. Default: false. */
  readonly strict_request_objects?: boolean
  /** Addresses of request objects, of hosts in `request_uri_hosts`. */
  readonly request_uris?: readonly string[]
  /** Default `jwt`; `rfc9068` makes access tokens of the type `at+jwt`. */
  readonly token_profile?: 'jwt' | 'rfc9068'
  /** Puts the claims of the scopes into id_tokens too; default false. */
  readonly id_token_claims?: boolean
  /**
   * Default `ask`. `granted` answers a logged-in person's request without a question. `kept` asks a native client once a
   * session, not each time.
   */
  readonly consent?: 'ask' | 'kept' | 'granted'
}

/** A resource owner who can log in. */
export interface UserEntry {
  readonly username: string
  readonly password?: string
  /** `scrypt$N$r$p$salt$hash`, salt and hash in base64, instead of the password. */
  readonly password_hash?: string
  /** OpenID Connect claims, such as name and email. */
  readonly claims?: Readonly<Record<string, unknown>>
  /** Claims that come from a claims provider, which the lab is (OpenID Connect Core §5.6.2). Others are normal claims. */
  readonly claim_types?: Readonly<Record<string, 'aggregated' | 'distributed'>>
}

/** The Kubernetes API server of the lab. */
export interface ClusterEntry {
  /** `iss` of its tokens; default: its base URL. */
  readonly issuer?: string
  /** Audiences of the API server; default: the issuer. */
  readonly api_audiences?: readonly string[]
  /** At least `1h`. */
  readonly max_token_expiration?: string
  /** Makes tokens of volumes without a setting (3607 s) live for a year. */
  readonly extended_expiration?: boolean
  /** Lets everybody read issuer metadata and keys. */
  readonly public_discovery?: boolean
  /** Accepts requests without credentials. */
  readonly anonymous?: boolean
  /** Issuers whose ID tokens the cluster accepts; `lab` is this lab. */
  readonly oidc?: readonly {
    readonly issuer: string
    readonly client_id: string
    readonly username_claim?: string
    readonly username_prefix?: string
    readonly groups_claim?: string
    readonly groups_prefix?: string
    readonly ca_file?: string
  }[]
  /** Nodes beside those that pods name. */
  readonly nodes?: readonly string[]
  /** Added to the built-in namespaces; the lists of a namespace replace those of the built-in one. */
  readonly namespaces?: Readonly<
    Record<
      string,
      {
        readonly service_accounts?: readonly string[]
        readonly pods?: readonly {
          readonly name: string
          readonly service_account: string
          readonly node?: string
        }[]
        readonly secrets?: readonly string[]
      }
    >
  >
  /** Static bearer tokens. The group `system:masters` may do everything. */
  readonly tokens?: readonly {
    readonly token: string
    readonly username: string
    readonly uid?: string
    readonly groups?: readonly string[]
  }[]
}

/** A DNS record, by the names of the API. */
export interface DnsRecordEntry {
  /** 32 hexadecimal digits. */
  readonly id?: string
  /** In capitals, such as `CNAME`. */
  readonly type: string
  readonly name: string
  readonly content: string
  /** Seconds; 1 stands for automatic. */
  readonly ttl?: number
  readonly proxied?: boolean
  /** Of MX and URI. */
  readonly priority?: number
  readonly comment?: string
  readonly tags?: readonly string[]
}

/** The DNS and security-event API of the lab. */
export interface DnsEntry {
  readonly key?: string
  readonly email?: string
  readonly token?: string
  /** A rate such as `1200/5m`, or `off`. */
  readonly rate_limit?: string
  /** Adds a security event whose texts attack a terminal that prints them unescaped. */
  readonly hostile?: boolean
  readonly zones?: readonly {
    /** 32 hexadecimal digits. */
    readonly id: string
    readonly name: string
    readonly records?: readonly DnsRecordEntry[]
  }[]
}

/** The rules of a member of authorization details: a few keywords of JSON Schema. */
export interface AuthorizationDetailsMember {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object'
  /** The member as people read it. */
  readonly description?: string
  readonly enum?: readonly (string | number | boolean)[]
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: AuthorizationDetailsMember
  readonly properties?: Readonly<Record<string, AuthorizationDetailsMember>>
  readonly required?: readonly string[]
}

/** A type of authorization details. It has the common members of RFC 9396 §2.2 too, and no others. */
export interface AuthorizationDetailsType {
  /** The access as people read it. */
  readonly description?: string
  readonly properties?: Readonly<Record<string, AuthorizationDetailsMember>>
  readonly required?: readonly string[]
}

/** A lab file. Every field may be left out: maps are merged with the built-in ones, lists replace them. */
export interface LabFile {
  /** How far the authorization server is built; default `published-keys`. */
  readonly stage?: 'login-only' | 'shared-secret' | 'key-pair' | 'published-keys'
  /** `oauth21` and `fapi2` set the switches of every client. Default `standard`. */
  readonly profile?: 'standard' | 'reference' | 'oauth21' | 'fapi2'
  /** Refuses authorization requests that were not pushed (RFC 9126 §5). Default: false. */
  readonly require_pushed_authorization_requests?: boolean
  readonly response_type_errors?: 'page' | 'redirect'
  /** INSECURE: defences to switch off on purpose (docs/weak-modes.md). */
  readonly weak?: readonly WeakName[]
  /** Of the stage shared-secret; at least 32 bytes. */
  readonly signing_secret?: string
  /** PKCS#8 PEM. */
  readonly signing_key_file?: string
  /** Durations such as `90s`, `15m`, `1h`, `7d`. */
  readonly lifetimes?: {
    readonly code?: string
    readonly access_token?: string
    readonly refresh_token?: string
    readonly login?: string
  }
  /** Limits of wrong passwords and client secrets: rates such as `10/1m`, or `off`. */
  readonly rate_limit?: {
    readonly login?: string
    readonly password_grant?: string
    readonly client_secret?: string
  }
  /** Requires a nonce of the server in DPoP proofs; default `off`. */
  readonly dpop_nonce?: 'off' | 'required'
  /** Compresses answers over TLS as their clients ask; default false. */
  readonly compression?: boolean
  /** Scope to its description. */
  readonly scopes?: Readonly<Record<string, string>>
  /** Scope to the claims that it gives out, in place of those of OpenID Connect. */
  readonly scope_claims?: Readonly<Record<string, readonly string[]>>
  /** Granted when a request names none. */
  readonly default_scope?: string
  /** Types of authorization details (RFC 9396), added to the built-in ones. */
  readonly authorization_details_types?: Readonly<Record<string, AuthorizationDetailsType>>
  readonly clients?: readonly ClientEntry[]
  readonly users?: readonly UserEntry[]
  /** The issuers whose assertions are grants. */
  readonly assertion_issuers?: readonly {
    readonly issuer: string
    readonly certificate_file?: string
    readonly jwks_file?: string
    /** Accepts its JWTs without client authentication; default false. */
    readonly clientless?: boolean
  }[]
  /** The resource server. */
  readonly resource?: {
    /** Default: every client, and the resource server itself. */
    readonly audiences?: readonly string[]
    /** Asks the authorization server about every token, so that revoked ones are refused; default false. */
    readonly introspection?: boolean
    readonly routes?: readonly {
      readonly path: string
      readonly methods?: readonly string[]
      readonly scope?: string
      /** Type of authorization details that the token must have. */
      readonly authorization_details?: string
      /** Authentication context classes, separated by spaces; the token must have one. */
      readonly acr_values?: string
      /** Highest age of the login in seconds. */
      readonly max_age?: number
    }[]
  }
  /** Resources, and names of audiences, that tokens are issued for, beside those of the lab. `any`: every resource. */
  readonly resources?: 'any' | readonly string[]
  readonly cluster?: ClusterEntry
  readonly dns?: DnsEntry
  /** Other servers by name, for `--at NAME`. */
  readonly servers?: Readonly<Record<string, ServerEntry>>
  readonly demo_client?: {
    /** Authorization servers to log in with, beside this lab. */
    readonly issuers?: readonly {
      /** Part of the redirect address: `/callback/NAME`. */
      readonly name: string
      readonly issuer: string
      readonly client_id: string
      /** Left out: a public client. */
      readonly client_secret?: string
    }[]
  }
}
