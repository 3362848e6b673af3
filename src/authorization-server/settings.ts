import type { NewEvent } from '../events/event.js'
import type { Client } from '../oauth/client.js'
import type { Keyring } from '../tokens/keyring.js'
import type { JwkSet } from '../tokens/keys.js'
import type { Fault } from './endpoints/faults.js'
import type { Rate } from './logins/rate-limit.js'
import type { StageName } from './stages/stages.js'
import type { MacTokens } from './tokens/mac-tokens.js'

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

/** What the authorization server is told about its world. */
export interface AuthorizationServerSettings {
  /** The base URL, no trailing slash. Never taken from Host or X-Forwarded-*. */
  readonly issuer: string
  /** How far the server is built. */
  readonly stage: StageName
  /** `reference`: the reference behaviour to the letter, which no client should rely on. */
  readonly profile: 'standard' | 'reference'
  /** Failures that were asked for. The list may change while the server runs. */
  readonly faults: readonly Fault[]
  /** May grow while the server runs, as may `users`; the last one of a name counts. */
  readonly clients: readonly Client[]
  readonly users: readonly User[]
  /** Scope token to its description, in the order of `scopes_supported`. */
  readonly scopes: Readonly<Record<string, string>>
  /** A scope value, granted when a request names none. */
  readonly defaultScope: string
  /** Milliseconds. */
  readonly lifetimes: {
    readonly code: number
    readonly accessToken: number
    readonly refreshToken: number
    readonly login: number
  }
  /** How many wrong passwords are taken, for each user and address. */
  readonly rateLimits: { readonly login: Rate; readonly passwordGrant: Rate }
  /** Asked for when an assertion comes: the keys of the built-in one are made at first use. */
  readonly assertionIssuers: () => Promise<readonly AssertionIssuer[]>
  /** Whether DPoP proofs need a nonce of this server (RFC 9449 §8). */
  readonly dpopNonceRequired: boolean
  /** How a missing or unknown response_type is answered when client and redirect_uri are good. */
  readonly responseTypeErrors: 'page' | 'redirect'
}

/** What the authorization server needs from the world. */
export interface AuthorizationServerPorts {
  /** Milliseconds since the epoch; the one clock for signing and validating. */
  readonly now: () => number
  /** `length` unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
  readonly publish: (event: NewEvent) => void
  readonly keyring: Keyring
  /** Absent: no tokens of type mac are issued. */
  readonly macTokens?: MacTokens
}
