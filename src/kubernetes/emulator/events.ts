import type { NewEvent } from '../../events/event.js'
import { bounded } from '../../events/outside-text.js'

/** Everything that happens on a cluster. Tokens are cut in the middle. */
export type ClusterEvent =
  | {
      readonly type: 'cluster.token_requested'
      readonly account: string
      readonly audiences: readonly string[]
      /** Seconds: what was asked for, and what was granted. */
      readonly asked: number
      readonly granted: number
      /** Seconds that the token is good for: more than was granted where it is that of a mounted volume. */
      readonly expires_in: number
      readonly bound_to?: string
      readonly jti: string
      readonly token: string
      readonly by: string
    }
  | {
      readonly type: 'cluster.token_reviewed'
      readonly authenticated: boolean
      readonly audiences: readonly string[]
      readonly token: string
      readonly username?: string
      readonly error?: string
      readonly by: string
    }
  | {
      readonly type: 'cluster.request_refused'
      readonly status: number
      readonly reason: string
      readonly message: string
      /** What the client is not told: why its credentials were not taken. */
      readonly cause?: string
      /** Absent where the sender is unknown. */
      readonly by?: string
      readonly method: string
      readonly path: string
    }
  | {
      readonly type: 'cluster.object_created' | 'cluster.object_deleted'
      readonly kind: string
      readonly name: string
      readonly namespace?: string
      readonly uid: string
      readonly by: string
    }
  | {
      readonly type: 'server.failed'
      readonly site: 'cluster'
      readonly path: string
      readonly description: string
    }

/** Publishes one of our events. */
export type Publish = (event: ClusterEvent) => void

/** At most so many members of a list in an event. */
const MAX_LIST = 20

/** A copy of the event in which every text and list is bounded. */
export function boundedEvent({ type, ...members }: ClusterEvent): NewEvent {
  const entries = Object.entries(members).map(([name, value]) => [
    name,
    typeof value === 'string'
      ? bounded(value)
      : Array.isArray(value)
        ? value.slice(0, MAX_LIST).map(each => bounded(String(each)))
        : value,
  ])
  return { type, ...Object.fromEntries(entries) }
}
