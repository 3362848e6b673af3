import type { GrantType } from '../lab/grant-types.js'

// The lab file, as it is documented for people who write one in TypeScript. The schema that checks it is
// src/lab/lab-file-schema.ts; a test holds the two together, so that no package has to be there for the types.

/** A client of the authorization server, by the names of RFC 7591. */
export interface ClientEntry {
  /** Unique on this server. */
  readonly client_id: string
  readonly client_name?: string
  /** Makes the client confidential. */
  readonly client_secret?: string
  /** Absolute, no fragment; loopback literals match any port. */
  readonly redirect_uris?: readonly string[]
  readonly post_logout_redirect_uris?: readonly string[]
  /** Default true. */
  readonly enabled?: boolean
  /** Default: every scope of the server. */
  readonly allowed_scopes?: readonly string[]
  /** Default: `authorization_code`. */
  readonly grant_types?: readonly GrantType[]
  /** Default: those of the grant types. */
  readonly response_types?: readonly ('code' | 'token' | 'id_token' | 'id_token token')[]
  /** Default true for public clients, else false. */
  readonly require_pkce?: boolean
  /** Default: S256. */
  readonly code_challenge_methods?: readonly ('S256' | 'plain')[]
  /** Default: either method with the secret. */
  readonly token_endpoint_auth_method?:
    | 'client_secret_basic'
    | 'client_secret_post'
    | 'private_key_jwt'
    | 'none'
  /** Public keys of a client that signs its assertions. */
  readonly jwks?: {
    readonly keys: readonly { readonly kty: 'RSA' | 'EC' | 'OKP'; readonly [member: string]: unknown }[]
  }
  /** Default `jwt`; `rfc9068` makes access tokens of the type `at+jwt`. */
  readonly token_profile?: 'jwt' | 'rfc9068'
}

/** A resource owner who can log in. */
export interface UserEntry {
  readonly username: string
  readonly password?: string
  /** `scrypt$N$r$p$salt$hash`, salt and hash in base64, instead of the password. */
  readonly password_hash?: string
  /** OpenID Connect claims, such as name and email. */
  readonly claims?: Readonly<Record<string, unknown>>
}

/** A lab file. Every field may be left out: maps are merged with the built-in ones, lists replace them. */
export interface LabFile {
  /** How far the authorization server is built; default `published-keys`. */
  readonly stage?: 'login-only' | 'shared-secret' | 'key-pair' | 'published-keys'
  readonly profile?: 'standard' | 'reference'
  readonly response_type_errors?: 'page' | 'redirect'
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
  /** Rates such as `10/1m`, or `off`. */
  readonly rate_limit?: { readonly login?: string; readonly password_grant?: string }
  /** Requires a nonce of the server in DPoP proofs; default `off`. */
  readonly dpop_nonce?: 'off' | 'required'
  /** Compresses answers over TLS as their clients ask; default false. */
  readonly compression?: boolean
  /** Scope to its description. */
  readonly scopes?: Readonly<Record<string, string>>
  /** Granted when a request names none. */
  readonly default_scope?: string
  readonly clients?: readonly ClientEntry[]
  readonly users?: readonly UserEntry[]
  /** The issuers whose assertions are grants. */
  readonly assertion_issuers?: readonly {
    readonly issuer: string
    readonly certificate_file?: string
    readonly jwks_file?: string
  }[]
  /** The resource server. */
  readonly resource?: {
    /** Default: every client, and the resource server itself. */
    readonly audiences?: readonly string[]
    readonly routes?: readonly {
      readonly path: string
      readonly methods?: readonly string[]
      readonly scope?: string
    }[]
  }
  /** The cluster; see the README. */
  readonly cluster?: Readonly<Record<string, unknown>>
  /** The DNS and security-event API; see the README. */
  readonly dns?: Readonly<Record<string, unknown>>
}
