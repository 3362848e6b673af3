import type { Client } from '../../protocol/oauth/client.js'
import { toClient } from '../../servers/authorization-server/client-rules/defaults.js'
import type { ClientEntry, LabFile } from '../schema/lab-file-schema.js'
import { type ClusterOidc, OWN_ISSUER, toClusterOidc } from './cluster-oidc.js'

/** A native application, such as kubelogin. */
export const KUBERNETES_CLIENT: ClientEntry = {
  client_id: 'kubernetes',
  client_name: 'Kubernetes command line',
  application_type: 'native',
  redirect_uris: ['http://127.0.0.1', 'http://[::1]', 'http://localhost'].flatMap(each => [
    each,
    `${each}/callback`,
  ]),
  grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
  response_types: ['code'],
  id_token_claims: true,
}

/** `serve --cluster-oidc`: users and groups of the lab, under names that no user of the cluster has. */
const LAB_ENTRY = {
  issuer: OWN_ISSUER,
  client_id: KUBERNETES_CLIENT.client_id,
  username_claim: 'sub',
  username_prefix: 'oidc:',
  groups_claim: 'groups',
  groups_prefix: 'oidc:',
} as const

interface TrustingConfig {
  readonly cluster: { readonly oidc: readonly ClusterOidc[] }
  readonly clients: readonly Client[]
  readonly scopes: Readonly<Record<string, string>>
  readonly scopeClaims: Readonly<Record<string, readonly string[]>>
  readonly effective: LabFile
}

/**
 * Adds the client of the command line and the scope of its groups where the cluster trusts the lab's issuer for a client
 * that the lab file does not have.
 */
export function withKubernetesClient<Config extends TrustingConfig>(config: Config): Config {
  const { client_id: id } = KUBERNETES_CLIENT
  const wanted = config.cluster.oidc.some(({ issuer, clientId }) => issuer === OWN_ISSUER && clientId === id)
  if (!wanted || config.clients.some(each => each.client_id === id)) return config
  const { effective, scopes, scopeClaims } = config
  const ownScopes = { groups: 'Your groups', ...scopes }
  const ownClaims = { groups: ['groups'], ...scopeClaims }
  return {
    ...config,
    clients: [...config.clients, toClient(KUBERNETES_CLIENT)],
    scopes: ownScopes,
    scopeClaims: ownClaims,
    effective: {
      ...effective,
      clients: [...(effective.clients ?? []), KUBERNETES_CLIENT],
      scopes: ownScopes,
      scope_claims: { groups: ['groups'], ...effective.scope_claims },
    },
  }
}

/** `serve --cluster-oidc`. */
export function trustingOwnIssuer<Config extends TrustingConfig>(config: Config): Config {
  if (config.cluster.oidc.some(({ issuer }) => issuer === OWN_ISSUER)) return withKubernetesClient(config)
  const entries = [...(config.effective.cluster?.oidc ?? []), LAB_ENTRY]
  const cluster = {
    ...config.cluster,
    oidc: [...config.cluster.oidc, ...toClusterOidc([LAB_ENTRY], each => each)],
  }
  const effective = { ...config.effective, cluster: { ...config.effective.cluster, oidc: entries } }
  return withKubernetesClient({ ...config, cluster, effective })
}
