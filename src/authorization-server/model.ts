import type { Client } from '../oauth/client.js'
import type { JwkSet } from '../tokens/keys.js'
import type { Family } from './stores/issued-tokens.js'

/** A resource owner who can log in. */
export interface User {
  readonly username: string
  /** Plain text from a lab file; compared in constant time. */
  readonly password?: string
  /** `scrypt$N$r$p$salt$hash`, salt and hash in base64; for users that are not given in plain text. */
  readonly password_hash?: string
  /** OpenID Connect claims, such as name and email. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** An issuer of assertions that are grants (RFC 7521 §4.1). */
export interface AssertionIssuer {
  readonly issuer: string
  /** Verifies its JWTs (RFC 7523). */
  readonly jwks?: JwkSet
  /** Verifies its SAML 2.0 assertions (RFC 7522). */
  readonly certificatePem?: string
}

/** The actor for the subject of a token, and the actors before (RFC 8693 §4.1). */
export interface Actor {
  readonly sub: string
  readonly act?: Actor
}

declare const authenticated: unique symbol

/** A client that proved who it is, or a public one that said so. Only `AuthenticateClient` makes one. */
export type AuthenticatedClient = Client & { readonly [authenticated]: true }

/** The login behind a token. An id_token describes it. */
export interface Login {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly nonce?: string
}

/** The proof that a token demands when it is used. Anyone who holds a bearer token may use it. */
export type Binding =
  | { readonly kind: 'bearer' }
  /** `jkt`: thumbprint of the key that the user of the token proves to hold (RFC 9449 §6). */
  | { readonly kind: 'dpop'; readonly jkt: string }

/** Everything that the tokens of one answer are made from. */
export interface Entitlement {
  readonly client: Client
  /** The grant that was used; events name it. */
  readonly grantType: string
  /** `sub`: the username, or the client where no user is involved. */
  readonly subject: string
  readonly scope: readonly string[]
  /** `aud` of the access token (RFC 8707 §2). Empty: the client itself. */
  readonly resources: readonly string[]
  readonly binding: Binding
  /** Tokens that are revoked together. */
  readonly family: Family
  readonly login?: Login
  readonly act?: Actor
  /** NumericDate that the access token does not outlive. */
  readonly notAfter?: number
  /** `issued_token_type` of the answer (RFC 8693 §2.2.1). */
  readonly issuedTokenType?: string
}
