import { defined } from '../../protocol/values.js'
import type { ClusterSettings } from '../../servers/kubernetes/emulator/settings.js'
import { EXTENDED_LIFETIME } from '../../servers/kubernetes/emulator/settings.js'
import type { LabFile } from '../schema/lab-file-schema.js'
import { type ClusterOidc, toClusterOidc } from '../sites/cluster-oidc.js'
import { parseDuration } from './duration.js'

export type ClusterConfig = Omit<ClusterSettings, 'baseUrl' | 'issuer' | 'oidc'> & {
  /** `lab` is the lab itself. */
  readonly oidc: readonly ClusterOidc[]
  /** Left out: the cluster's own base URL. */
  readonly issuer?: string
}

/** @param inFolder makes a path of the lab file absolute */
export function toClusterConfig(
  file: NonNullable<LabFile['cluster']>,
  inFolder: (path: string) => string,
): ClusterConfig {
  const longest = parseDuration(file.max_token_expiration ?? '')
  if (longest === undefined) throw new Error('the built-in lab file has no cluster.max_token_expiration')
  return defined({
    issuer: file.issuer,
    apiAudiences: file.api_audiences ?? [],
    maxTokenExpiration: longest / 1000,
    extendedExpiration: file.extended_expiration ?? true,
    publicDiscovery: file.public_discovery ?? true,
    anonymous: file.anonymous ?? true,
    oidc: toClusterOidc(file.oidc ?? [], inFolder),
    nodes: file.nodes ?? [],
    namespaces: Object.fromEntries(
      Object.entries(file.namespaces ?? {}).map(([name, contents]) => [
        name,
        {
          serviceAccounts: contents.service_accounts ?? [],
          pods: (contents.pods ?? []).map(pod =>
            defined({ name: pod.name, serviceAccount: pod.service_account, node: pod.node }),
          ),
          secrets: contents.secrets ?? [],
          admins: contents.admins ?? [],
        },
      ]),
    ),
    tokens: (file.tokens ?? []).map(({ token, username, uid, groups = [] }) =>
      defined({ token, username, groups, uid }),
    ),
  })
}

/** Milliseconds. */
export function clusterTokenLifetime({ maxTokenExpiration, extendedExpiration }: ClusterConfig): number {
  return Math.max(maxTokenExpiration, extendedExpiration ? EXTENDED_LIFETIME : 0) * 1000
}
