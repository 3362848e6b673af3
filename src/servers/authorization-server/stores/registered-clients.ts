import { heldBytes } from '../../../protocol/bounded-maps.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { secretDigest, secretMatches } from '../../../protocol/oauth/client-auth.js'
import type { ClientSource } from './registry.js'

/** A client that registered itself. */
export interface RegisteredClient {
  readonly client: Client
  /** Time of the registration, in milliseconds since the epoch. */
  readonly at: number
  /** Its software statement, as it was sent (RFC 7591 §2.3). */
  readonly statement?: string | undefined
}

/** Clients that registered themselves. They live as long as the lab. */
export interface RegisteredClients extends ClientSource {
  find(id: string): RegisteredClient | undefined
  /**
   * Adds a client.
   * @param token its registration access token (RFC 7592 §1.2)
   * @returns false when the store is full
   */
  add(registered: RegisteredClient, token: string): boolean
  /**
   * Replaces the metadata of a client, whose registration access token stays.
   * @returns false when the store is full, or has no such client
   */
  replace(changed: Omit<RegisteredClient, 'at'>): boolean
  /** Returns false when there was no such client. */
  remove(id: string): boolean
  /** True for the registration access token of a client. An unknown client takes the same time. */
  isTokenOf(id: string, token: string): boolean
  /** The ids of all clients, as the same list until one comes or goes. */
  ids(): readonly string[]
  readonly size: number
}

/** Most clients in memory. */
const MAX_CLIENTS = 1000

/** Most bytes of them. */
const MAX_BYTES = 16 * 1024 * 1024

interface Kept extends RegisteredClient {
  /** The token itself is not kept: a copy of the memory manages no client. */
  readonly digest: Uint8Array
  readonly bytes: number
}

/** Makes the store. A full store refuses, because a client that was dropped unasked would fail without a reason. */
export function createRegisteredClients(
  bounds: { readonly limit?: number; readonly maxBytes?: number } = {},
): RegisteredClients {
  const { limit = MAX_CLIENTS, maxBytes = MAX_BYTES } = bounds
  const kept = new Map<string, Kept>()
  const nobody = secretDigest('')
  let bytes = 0
  let ids: readonly string[] | undefined

  function keep({ client, at, statement }: RegisteredClient, digest: Uint8Array): boolean {
    const before = kept.get(client.client_id)
    const held = heldBytes(client) + heldBytes(statement)
    const after = bytes - (before?.bytes ?? 0) + held
    if (after > maxBytes || (before === undefined && kept.size >= limit)) return false
    kept.set(client.client_id, { client, at, statement, digest, bytes: held })
    bytes = after
    ids = before === undefined ? undefined : ids
    return true
  }

  return {
    client: id => kept.get(id)?.client,
    clients: () => [...kept.values()].map(({ client }) => client),
    find: id => kept.get(id),
    add: (registered, token) => keep(registered, secretDigest(token)),
    replace(changed) {
      const before = kept.get(changed.client.client_id)
      return before !== undefined && keep({ ...changed, at: before.at }, before.digest)
    },
    remove(id) {
      const gone = kept.get(id)
      if (gone === undefined) return false
      bytes -= gone.bytes
      ids = undefined
      return kept.delete(id)
    },
    isTokenOf(id, token) {
      const found = kept.get(id)
      const isEqual = secretMatches(token, found?.digest ?? nobody)
      return isEqual && found !== undefined
    },
    ids() {
      ids ??= [...kept.keys()]
      return ids
    },
    get size() {
      return kept.size
    },
  }
}
