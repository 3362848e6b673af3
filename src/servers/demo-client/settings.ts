import type { Send } from '../../protocol/http/exchange.js'
import type { ClientSecretPlace } from '../../protocol/oauth/token.js'

/** The settings of the demo client. */
export interface DemoClientSettings {
  /** No trailing slash. */
  readonly baseUrl: string
  /** The first one is used where a person chose none. */
  readonly issuers: readonly [Issuer, ...Issuer[]]
}

/** The surroundings of the demo client. */
export interface DemoClientPorts {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Returns `length` unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
  /**
   * Returns the sender of a request's own requests.
   * @param cause the id of the request that needs them
   */
  readonly sendFor: (cause: number | undefined) => Send
}

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

/** Largest body of a request, in bytes. */
export const MAX_BODY_BYTES = 16 * 1024

/** Longest note, in UTF-16 units, as `maxlength` counts them. */
export const MAX_NOTE_LENGTH = 2000

/** Most notes of one account. */
export const MAX_NOTES = 50

/** Most memory of all notes, in bytes. */
export const MAX_NOTES_BYTES = 8 * 1024 * 1024

/** Time that a login may take, in milliseconds. */
export const LOGIN_LIFETIME = 10 * 60_000

/** Time that a session lasts from its login, in milliseconds. */
export const SESSION_LIFETIME = 8 * 3_600_000

/** Most logins under way, and most sessions. */
export const MAX_KEPT = 5000

/** Most memory of either, in bytes. */
export const MAX_KEPT_BYTES = 8 * 1024 * 1024

/** The path that receives logout tokens. */
export const BACK_CHANNEL_PATH = '/backchannel-logout'
