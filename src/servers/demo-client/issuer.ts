import type { ClientSecretPlace } from '../../protocol/oauth/token.js'

/** An authorization server that people can log in with, and the registration of this client there. */
export interface Issuer {
  /** The issuer identifier (RFC 8414 §2). */
  readonly issuer: string
  /** Short and unique: letters, digits and hyphens. It stands in addresses of this site. */
  readonly key: string
  readonly clientId: string
  readonly clientSecret?: string
  readonly auth: ClientSecretPlace
}
