import { readFile } from 'node:fs/promises'
import type { EventBus } from '../../protocol/events.js'
import type { Site } from '../../protocol/http/site.js'
import { createCluster } from '../../servers/kubernetes/emulator/cluster.js'
import type { ClusterPorts, IssuerKeys } from '../../servers/kubernetes/emulator/settings.js'
import type { KeySource } from '../../servers/resource-server/key-source.js'
import { type LabKeyring, openKeptKeyring } from '../keys/keyring.js'
import { CLUSTER_KEYS } from '../keys/signing-keys.js'
import { type ClusterConfig, clusterTokenLifetime } from '../lab-file/cluster-config.js'
import type { RequestTrace } from '../listening/request-trace.js'
import type { StateHome } from '../state/state-folder.js'
import { type ClusterOidc, OWN_ISSUER } from './cluster-oidc.js'

interface IssuerKeysParts extends Pick<EventBus, 'publish'> {
  readonly oidc: readonly ClusterOidc[]
  readonly caPem: string
  readonly trace: Pick<RequestTrace, 'headerFor'>
  readonly now: () => number
}

/** The published keys of the trusted issuers, which are fetched when they are needed. */
function createIssuerKeys(parts: IssuerKeysParts): (issuer: string) => IssuerKeys {
  const { oidc, caPem, trace, now, publish } = parts
  const sources = new Map<string, Promise<KeySource>>()
  const request = { method: 'GET', url: 'https://localhost/', headers: [], body: new Uint8Array() }

  async function sourceOf(issuer: string): Promise<KeySource> {
    const [{ createFetchedKeys }, { fetchPublishedKeys }, { createDocumentReader }] = await Promise.all([
      import('../../servers/resource-server/fetched-keys.js'),
      import('../../servers/resource-server/fetched-keys.js'),
      import('../lab-file/document-reader.js'),
    ])
    const file = oidc.find(each => each.issuer === issuer)?.caFile
    const { fetchJson } = createDocumentReader(
      file === undefined ? caPem : await readFile(file, 'utf8'),
      trace,
    )
    return createFetchedKeys({
      issuer,
      now,
      fetchKeys: cause => fetchPublishedKeys(issuer, fetchJson, { cause }),
    })
  }

  return issuer => {
    const source = () => {
      const known = sources.get(issuer) ?? sourceOf(issuer)
      sources.set(issuer, known)
      known.catch(() => sources.delete(issuer))
      return known
    }
    return {
      current: async () => (await (await source()).current(request, { publish })).keys,
      newerThan: async seen => (await source()).newerThan(seen, request, { publish }),
    }
  }
}

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
