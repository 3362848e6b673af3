import type { EventBus } from '../../protocol/events.js'
import type { Site } from '../../protocol/http/site.js'
import { createCluster } from '../../servers/kubernetes/emulator/cluster.js'
import type { ClusterPorts } from '../../servers/kubernetes/emulator/settings.js'
import { createIssuerKeys } from '../keys/issuer-keys.js'
import { type LabKeyring, openKeptKeyring } from '../keys/keyring.js'
import { CLUSTER_KEYS } from '../keys/signing-keys.js'
import { type ClusterConfig, clusterTokenLifetime } from '../lab-file/cluster-config.js'
import type { RequestTrace } from '../listening/request-trace.js'
import type { StateHome } from '../state/state-folder.js'
import { OWN_ISSUER } from './cluster-oidc.js'

/** Made at the first request that needs them, and refreshed before each use. */
function clusterKeys(home: StateHome, config: ClusterConfig, publish: EventBus['publish']) {
  let opening: Promise<LabKeyring> | undefined
  return async (): Promise<LabKeyring> => {
    opening ??= openKeptKeyring(
      {
        home,
        tokenLifetime: clusterTokenLifetime(config),
        rotated: change => publish({ type: 'cluster.key_rotated', ...change }),
      },
      CLUSTER_KEYS,
    ).catch(error => {
      opening = undefined
      throw error
    })
    const keyring = await opening
    await keyring.refresh()
    return keyring
  }
}

/**
 * @param place.baseUrl no trailing slash
 * @param place.issuer `iss` when the lab file names none; left out: the base URL
 */
export function labCluster(
  config: ClusterConfig,
  place: {
    readonly home: StateHome
    readonly baseUrl: string
    readonly issuer?: string | undefined
    readonly caPem: string
    readonly labIssuer: string
    readonly trace: Pick<RequestTrace, 'headerFor'>
  },
  { publish, ...ports }: Omit<ClusterPorts, 'keyring'> & Pick<EventBus, 'publish'>,
): Site {
  const { home, baseUrl, caPem, labIssuer, trace } = place
  const oidc = config.oidc.map(each => (each.issuer === OWN_ISSUER ? { ...each, issuer: labIssuer } : each))
  const issuer = config.issuer ?? place.issuer ?? baseUrl
  return createCluster(
    { ...config, baseUrl, issuer, caPem, oidc },
    {
      ...ports,
      keyring: clusterKeys(home, config, publish),
      issuerKeys: createIssuerKeys({ oidc, caPem, trace, now: ports.now, publish }),
    },
  )
}
