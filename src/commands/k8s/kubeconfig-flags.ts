import type { ClusterFlags } from './options.js'

/** Flags of `k8s kubeconfig`. */
export interface KubeconfigFlags extends ClusterFlags {
  readonly exec?: true
  readonly oidc?: true
  readonly user?: string
  readonly browser?: true
  readonly audience?: readonly string[]
}
