import type { RequestContext } from '../../../protocol/http/site.js'

/** The events of a cluster. Tokens are cut in the middle. */
export type ClusterEvent =
  | {
      readonly type: 'cluster.token_requested'
      readonly account: string
      readonly audiences: readonly string[]
      /** Seconds that were asked for, and seconds that were granted. */
      readonly asked: number
      readonly granted: number
      /** Seconds until the token expires. The token of a mounted volume lives longer than was granted. */
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
      /** The reason why credentials were refused, which the client does not learn. */
      readonly why?: string
      /** Absent where the sender is unknown. */
      readonly by?: string
      readonly method: string
      readonly path: string
    }
  | {
      readonly type: 'cluster.object_created' | 'cluster.object_deleted' | 'cluster.object_updated'
      readonly kind: string
      readonly name: string
      readonly namespace?: string
      readonly uid: string
      readonly by: string
    }
  | {
      /** A client acts in the name of another user. */
      readonly type: 'cluster.impersonated'
      readonly username: string
      readonly groups: readonly string[]
      readonly by: string
    }
  | {
      /** A client watches a collection. */
      readonly type: 'cluster.watch_started'
      readonly resource: string
      readonly namespace?: string
      readonly by: string
    }
  | {
      readonly type: 'server.failed'
      readonly site: 'cluster'
      readonly path: string
      readonly description: string
    }

/** Publishes an event of a request. */
export type Publish = RequestContext<ClusterEvent>['publish']
