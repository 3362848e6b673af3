import { readFile } from 'node:fs/promises'
import type { EventBus } from '../../protocol/events.js'
import type { IssuerKeys } from '../../servers/kubernetes/emulator/settings.js'
import type { KeySource } from '../../servers/resource-server/key-source.js'
import type { RequestTrace } from '../listening/request-trace.js'
import type { ClusterOidc } from '../sites/cluster-oidc.js'

export interface IssuerKeysParts extends Pick<EventBus, 'publish'> {
  readonly oidc: readonly ClusterOidc[]
  readonly caPem: string
  readonly trace: Pick<RequestTrace, 'headerFor'>
  readonly now: () => number
}

/** The published keys of the trusted issuers, which are fetched when they are needed. */
export function createIssuerKeys(parts: IssuerKeysParts): (issuer: string) => IssuerKeys {
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
