import { createExpiringMap, createKeptMap } from '../../../protocol/bounded-maps.js'
import type { Client } from '../../../protocol/oauth/client.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import { secretDigest, secretMatches } from '../../../protocol/secrets.js'
import { keepLatest } from '../../../protocol/values.js'
import type { User } from '../model.js'

/** The registered clients and users. */
export interface Registry {
  /** Returns the client of the lab file, or else the client of the first source that knows the id. */
  client(id: string): Client | undefined
  /** Returns every client that can be listed, in the order in which they are looked up: the same list until one changes. */
  clients(): readonly Client[]
  /** Returns the reason why a client cannot be used now, though it may be known. Clients of the lab file have none. */
  problem(id: string): ClientProblem | undefined
  user(name: string): User | undefined
}

/** The reason why a client cannot be used. */
export interface ClientProblem {
  readonly problem: string
  readonly rule: Citation
}

/** Clients beside those of the lab file, such as those that registered themselves. */
export interface ClientSource {
  client(id: string): Client | undefined
  /** Returns another list when a client comes, goes or changes. */
  clients(): readonly Client[]
  /** Absent: its clients can always be used. */
  problem?(id: string): ClientProblem | undefined
}

/** A client of the lab itself, whose registration may differ from its entry in the list. */
export interface OwnClient {
  readonly id: string
  /**
   * Returns the registration: the same object until it changes.
   * @param listed the entry of the list; undefined without one
   */
  client(listed: Client | undefined): Client | undefined
}

interface RegistryOptions {
  /** Returns the client as this server registers it; called once for each entry. Absent: the entry itself. */
  readonly registered?: (client: Client) => Client
  readonly ownClient?: OwnClient | undefined
  /** Clients that are in no list, the first source first. Their ids give way to those of the list. */
  readonly sources?: readonly ClientSource[]
}

/** Returns a function that finds the last entry of a name in a list that may change: entries come at the end, and go. */
function lastNamed<Entry>(
  entries: readonly Entry[],
  nameOf: (entry: Entry) => string,
): (name: string) => Entry | undefined {
  const named = keepLatest(
    (_size: number, _last: Entry | undefined) => new Map(entries.map(each => [nameOf(each), each])),
  )
  return name => named(entries.length, entries.at(-1)).get(name)
}

/** Makes a registry over lists that may change while the server runs. Of several entries with one name the last counts. */
export function createRegistry(
  clients: readonly Client[],
  users: readonly User[],
  options: RegistryOptions = {},
): Registry {
  const { registered = client => client, ownClient, sources = [] } = options
  const made = new WeakMap<Client, Client>()

  function asRegistered(entry: Client): Client {
    const known = made.get(entry)
    if (known !== undefined) return known
    const client = registered(entry)
    made.set(entry, client)
    return client
  }

  const listedClient = lastNamed(clients, each => each.client_id)

  function client(id: string): Client | undefined {
    const listed = listedClient(id)
    const first = id === ownClient?.id ? ownClient.client(listed) : listed
    if (first !== undefined) return asRegistered(first)
    for (const source of sources) {
      const entry = source.client(id)
      if (entry !== undefined) return asRegistered(entry)
    }
    return undefined
  }

  /** Walks over all clients only when one of them changed. */
  const allClients = keepLatest(
    (
      _size: number,
      _last: Client | undefined,
      _own: Client | undefined,
      ...further: (readonly Client[])[]
    ) => {
      const ids = [...clients, ...further.flat()].map(each => each.client_id)
      return [...new Set(ids)].flatMap(id => client(id) ?? [])
    },
  )

  return {
    client,
    clients() {
      const own = ownClient && client(ownClient.id)
      return allClients(clients.length, clients.at(-1), own, ...sources.map(source => source.clients()))
    },
    problem(id) {
      for (const source of sources) {
        const found = source.problem?.(id)
        if (found !== undefined) return found
      }
      return undefined
    },
    user: lastNamed(users, each => each.username),
  }
}

/** Returns a registry that also has these clients. They give way to a registered client of the same name. */
export function withClients(registry: Registry, more: readonly Client[]): Registry {
  return {
    ...registry,
    client: id => registry.client(id) ?? more.find(each => each.client_id === id),
  }
}

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
   * @param owner the network that it registers from
   * @returns false when the owner has no room
   */
  add(registered: RegisteredClient, token: string, owner: string): boolean
  /**
   * Replaces the metadata of a client, whose registration access token stays.
   * @returns false when its owner has no room, or there is no such client
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

/** Most clients from one network. */
const MAX_CLIENTS = 1000

/** Most bytes of them. */
const MAX_BYTES = 16 * 1024 * 1024

interface Kept extends RegisteredClient {
  /** The token itself is not kept: a copy of the memory manages no client. */
  readonly digest: Uint8Array
  readonly owner: string
}

/** Makes the store. It refuses a network that has no room, because a client that was dropped unasked would fail without a reason. */
export function createRegisteredClients(
  bounds: { readonly limit?: number; readonly maxBytes?: number } = {},
): RegisteredClients {
  const { limit = MAX_CLIENTS, maxBytes = MAX_BYTES } = bounds
  const kept = createKeptMap<Kept>({ limit, maxBytes, now: () => 0 })
  const nobody = secretDigest('')
  let ids: readonly string[] | undefined
  let clients: readonly Client[] | undefined

  function keep(registered: Kept): boolean {
    const { client, owner } = registered
    const isNew = kept.get(client.client_id) === undefined
    if (!kept.set(client.client_id, registered, owner, Number.POSITIVE_INFINITY)) return false
    clients = undefined
    if (isNew) ids = undefined
    return true
  }

  return {
    client: id => kept.get(id)?.client,
    clients() {
      clients ??= kept.values().map(({ client }) => client)
      return clients
    },
    find: id => kept.get(id),
    add: (registered, token, owner) => keep({ ...registered, digest: secretDigest(token), owner }),
    replace(changed) {
      const before = kept.get(changed.client.client_id)
      return before !== undefined && keep({ ...before, statement: undefined, ...changed })
    },
    remove(id) {
      ids = undefined
      clients = undefined
      return kept.delete(id)
    },
    isTokenOf(id, token) {
      const found = kept.get(id)
      const isEqual = secretMatches(token, found?.digest ?? nobody)
      return isEqual && found !== undefined
    },
    ids() {
      ids ??= kept.values().map(({ client }) => client.client_id)
      return ids
    },
    get size() {
      return kept.size
    },
  }
}

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

/** Makes the store. A host with too many loses the client that was not kept again for the longest time. */
export function createDocumentClients(limit = MAX_DOCUMENT_CLIENTS): DocumentClients {
  const kept = createExpiringMap<DocumentClient>({
    limit,
    maxBytes: limit * MAX_HELD,
    lifetime: Number.POSITIVE_INFINITY,
    now: () => 0,
  })
  let ids: readonly string[] | undefined
  let clients: readonly Client[] | undefined
  return {
    client: id => kept.get(id)?.client,
    clients() {
      clients ??= kept.values().map(({ client }) => client)
      return clients
    },
    find: id => kept.get(id),
    keep(entry) {
      const id = entry.client.client_id
      if (kept.get(id) === undefined) ids = undefined
      clients = undefined
      kept.set(id, entry, new URL(id).host)
    },
    ids() {
      ids ??= kept.values().map(({ client }) => client.client_id)
      return ids
    },
  }
}

/** Most clients of one host. */
const MAX_DOCUMENT_CLIENTS = 500

/** Most bytes of a client in memory. Its document has 5 kB at most. */
const MAX_HELD = 32 * 1024
