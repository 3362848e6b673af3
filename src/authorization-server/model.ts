import type { Client } from '../oauth/client.js'
import type { JwkSet } from '../tokens/keys.js'

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

/** Who may issue assertions that are grants (RFC 7521 §4.1). */
export interface AssertionIssuer {
  readonly issuer: string
  /** Verifies its JWTs (RFC 7523). */
  readonly jwks?: JwkSet
  /** Verifies its SAML 2.0 assertions (RFC 7522). */
  readonly certificatePem?: string
}

/** Who acts for the subject of a token, and for whom that one acted before (RFC 8693 §4.1). */
export interface Actor {
  readonly sub: string
  readonly act?: Actor
}

declare const authenticated: unique symbol

/** A client that proved who it is, or a public one that said so. Only `AuthenticateClient` makes one. */
export type AuthenticatedClient = Client & { readonly [authenticated]: true }
