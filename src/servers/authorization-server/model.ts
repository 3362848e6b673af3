import type { AuthorizationDetails } from '../../protocol/oauth/authorization-details.js'
import type { Client } from '../../protocol/oauth/client.js'
import type { JwkSet } from '../../protocol/tokens/keys.js'
import type { Authentication } from './logins/authentication.js'
import type { RequestedClaims } from './parameters/claims-request.js'

/** The tokens of one authorization, which are revoked together. Small, because one is kept for every code. */
export interface Family {
  /** The beginning of the `jti` of its access tokens. */
  readonly id: string
  /** The client that the tokens are for. */
  readonly owner: string
  revoked: boolean
  /** Its latest access tokens, oldest first. They are named in events. */
  latest: Issued[]
}

/** An issued access token. */
export interface Issued {
  readonly jti: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** The identity of a session. Its tokens, its clients and its cookie share it; a second login of the same person keeps it. */
export interface BrowserSession {
  /** The claim `sid` of its ID tokens and logout tokens (Back-Channel Logout §2.1). It is no secret of the browser. */
  readonly sid: string
  /** The value of the cookie that scripts of the check_session_iframe read (Session Management §3.2). */
  readonly state: string
  /** Ids of the clients that got an ID token, the latest last. */
  readonly clients: Set<string>
  /** True after a logout. It ends the refresh tokens of clients that are informed (Back-Channel Logout §2.7). */
  ended: boolean
}

export interface User {
  readonly username: string
  /** Plain text from a lab file. It is compared in constant time. */
  readonly password?: string
  /** `scrypt$N$r$p$salt$hash`, with salt and hash in base64: an alternative to a plain password. */
  readonly password_hash?: string
  /** The secret of the user's authenticator app, in base32 (RFC 6238). Absent: the user has no second factor. */
  readonly totp_secret?: string
  /** OpenID Connect claims, such as name and email. */
  readonly claims: Readonly<Record<string, unknown>>
  /** Claims that come from a claims provider (OpenID Connect Core §5.6.2), by name. All others are normal claims. */
  readonly claim_types?: Readonly<Record<string, ClaimType>>
}

/** The way in which a claim of another party comes: as its signed statement, or by an endpoint and a token. */
export type ClaimType = 'aggregated' | 'distributed'

/** A trusted issuer of assertions (RFC 7521 §4.1). */
export interface AssertionIssuer {
  readonly issuer: string
  /** Verifies the issuer's JWTs (RFC 7523). */
  readonly jwks?: JwkSet
  /** True when its JWTs are a grant without client authentication (RFC 7521 §4.1). */
  readonly clientless?: boolean
  /** Verifies the issuer's SAML 2.0 assertions (RFC 7522). */
  readonly certificatePem?: string
}

/** The actor of a token, with the earlier actors in `act` (RFC 8693 §4.1). */
export interface Actor {
  readonly sub: string
  readonly act?: Actor
}

declare const authenticated: unique symbol

/** A client that authenticated, or a public client that identified itself. Only `AuthenticateClient` makes one. */
export type AuthenticatedClient = Client & { readonly [authenticated]: true }

/** The login behind a token. Access tokens and id_tokens describe it. */
export interface Login extends Authentication {
  readonly nonce?: string | undefined
  /** The session of the browser. Absent: the person logged in without one. */
  readonly session?: BrowserSession | undefined
}

/** The proof that the use of a token requires. Anyone who holds a bearer token may use it. */
export type Binding =
  | { readonly kind: 'bearer' }
  /** `jkt`: thumbprint of the key that the presenter proves to hold (RFC 9449 §6). */
  | { readonly kind: 'dpop'; readonly jkt: string }
  /** `thumbprint`: that of the certificate of the connection (RFC 8705 §3.1). */
  | { readonly kind: 'certificate'; readonly thumbprint: string }

/** The data that the tokens of one response are made from. */
export interface Entitlement {
  readonly client: Client
  /** The grant of the request, for events. */
  readonly grantType: string
  /** `sub`: the username, or the client id when no user is involved. */
  readonly subject: string
  readonly scope: readonly string[]
  /** `aud` of the access token (RFC 8707 §2). Empty: the client id. */
  readonly resources: readonly string[]
  readonly binding: Binding
  readonly family: Family
  readonly login?: Login | undefined
  /** True when a login adds no id_token to the response. */
  readonly withoutIdToken?: true | undefined
  /** Claims that the authorization request asked for one by one. Absent: none. */
  readonly claims?: RequestedClaims | undefined
  /** Authorization details of the access token (RFC 9396 §7). Absent: none. */
  readonly details?: AuthorizationDetails | undefined
  readonly act?: Actor | undefined
  /** Latest end of the access token, as a NumericDate. */
  readonly notAfter?: number | undefined
  /** `issued_token_type` of the response (RFC 8693 §2.2.1). */
  readonly issuedTokenType?: string | undefined
}
