import type { JwkSet } from '../../../protocol/tokens/keys.js'
import type { Rate } from '../logins/rate-limit.js'

/** An issuer of software statements (RFC 7591 §2.3). */
export interface StatementIssuer {
  readonly issuer: string
  readonly jwks: JwkSet
}

/** The settings of the registration endpoint. */
export interface RegistrationSettings {
  /** `open`: anyone registers a client. `token`: only with an initial access token (RFC 7591 §3). */
  readonly mode: 'token' | 'open'
  /** The initial access tokens. */
  readonly tokens: readonly string[]
  /** Empty: software statements are refused. */
  readonly statementIssuers: readonly StatementIssuer[]
  /** Registrations and updates for each source. */
  readonly rate: Rate
}
