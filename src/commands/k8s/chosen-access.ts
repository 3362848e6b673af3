import type { ClusterAccess } from '../../kubernetes/client/access.js'

/** A way to a cluster, and what ends with the command. */
export interface ChosenAccess {
  readonly access: ClusterAccess
  readonly now: () => number
  readonly embedded: boolean
  stop(): Promise<void>
}
