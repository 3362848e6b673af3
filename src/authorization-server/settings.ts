import type { Client } from '../oauth/client.js'
import type { Keyring } from '../tokens/keyring.js'
import type { Fault } from './endpoints/fault-list.js'
import type { Rate } from './logins/rate-limit.js'
import type { AssertionIssuer, User } from './model.js'
import type { StageName } from './stages/stages.js'
import type { MacTokens } from './stores/mac-tokens.js'

/** The settings of the authorization server. */
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
  /** True when DPoP proofs need a nonce of this server (RFC 9449 §8). */
  readonly dpopNonceRequired: boolean
  /** How a missing or unknown response_type is answered when client and redirect_uri are good. */
  readonly responseTypeErrors: 'page' | 'redirect'
}

/** The functions that the authorization server needs from outside. */
export interface AuthorizationServerPorts {
  /** Milliseconds since the epoch; the one clock for signing and validating. */
  readonly now: () => number
  /** `length` unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
  readonly keyring: Keyring
  /** Absent: no tokens of type mac are issued. */
  readonly macTokens?: MacTokens
}
