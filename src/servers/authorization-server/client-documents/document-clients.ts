import type { Client } from '../../../protocol/oauth/client.js'
import type { ClientSource } from '../stores/registry.js'

/** A client from its document. */
export interface DocumentClient {
  readonly client: Client
  /** Time until which the document counts unasked, in milliseconds since the epoch. */
  readonly freshUntil: number
}

/** Clients from documents. One is found after its document is stale too, because its tokens still count. */
export interface DocumentClients extends ClientSource {
  find(id: string): DocumentClient | undefined
  keep(entry: DocumentClient): void
  /** The ids of all clients, as the same list until one comes or goes. */
  ids(): readonly string[]
}

/** Most clients in memory. Documents have 5 kB at most, so this bounds their bytes too. */
const MAX_CLIENTS = 500

/** Makes the store. It drops the client that was not kept again for the longest time. */
export function createDocumentClients(limit = MAX_CLIENTS): DocumentClients {
  const kept = new Map<string, DocumentClient>()
  let ids: readonly string[] | undefined
  return {
    client: id => kept.get(id)?.client,
    clients: () => [...kept.values()].map(({ client }) => client),
    find: id => kept.get(id),
    keep(entry) {
      const id = entry.client.client_id
      const isNew = !kept.delete(id)
      kept.set(id, entry)
      if (isNew) ids = undefined
      if (kept.size > limit) kept.delete(kept.keys().next().value!)
    },
    ids() {
      ids ??= [...kept.keys()]
      return ids
    },
  }
}
