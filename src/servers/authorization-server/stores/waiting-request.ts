import type { AuthorizationDetails } from '../../../protocol/oauth/authorization-details.js'
import type { Client } from '../../../protocol/oauth/client.js'
import type { Authentication } from '../logins/authentication.js'

/** A person's decision about a request that waits on another device. */
export type WaitingDecision =
  | ({ readonly kind: 'approved'; readonly username: string } & Authentication)
  | { readonly kind: 'denied' }

/** A request that waits for a person's decision, while its client polls the token endpoint. */
export interface WaitingRequest {
  readonly client: Client
  readonly scope: readonly string[]
  /** Resources of the access token (RFC 8707). */
  readonly resources: readonly string[]
  /** Authorization details of the access token (RFC 9396 §2). Absent: none. */
  readonly details?: AuthorizationDetails | undefined
  /** End of the wait, in milliseconds since the epoch. */
  readonly expiresAt: number
  decision?: WaitingDecision
  redeemed: boolean
  /** Time of the last poll, in milliseconds since the epoch. */
  polledAt?: number
  /** Shortest time between two polls, in milliseconds. */
  interval: number
}

/** Shortest time between two polls in milliseconds, and the increase after a poll that came too soon (RFC 8628 §3.5). */
export const POLL_INTERVAL = 5000
