import type { Client } from '../../../protocol/oauth/client.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import type { User } from '../model.js'

/** The registered clients and users. */
export interface Registry {
  /** Returns the client of the lab file, or else the client of the first source that knows the id. */
  client(id: string): Client | undefined
  /** Returns every client that can be listed, in the order in which they are looked up. */
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
  clients(): readonly Client[]
  /** Absent: its clients can always be used. */
  problem?(id: string): ClientProblem | undefined
}

/**
 * Returns the registration of a client.
 * @param listed the entry of the list; undefined without one
 */
export type OwnClient = (id: string, listed: Client | undefined) => Client | undefined

/** The parts of a registry beside its lists. */
export interface RegistryOptions {
  /** Returns the client as this server registers it; called once for each entry. Absent: the entry itself. */
  readonly registered?: (client: Client) => Client
  /** Returns a client of the lab itself, which may differ from its entry in the list. */
  readonly ownClient?: OwnClient | undefined
  /** Clients that are in no list, the first source first. Their ids give way to those of the list. */
  readonly sources?: readonly ClientSource[]
}

/** Makes a registry over lists that may change while the server runs. Of several entries with one name the last counts. */
export function createRegistry(
  clients: readonly Client[],
  users: readonly User[],
  options: RegistryOptions = {},
): Registry {
  const { registered = client => client, ownClient = (_, listed) => listed, sources = [] } = options
  const made = new WeakMap<Client, Client>()

  function asRegistered(entry: Client): Client {
    const client = made.get(entry) ?? registered(entry)
    made.set(entry, client)
    return client
  }

  function client(id: string): Client | undefined {
    const listed = clients.findLast(each => each.client_id === id)
    const own = ownClient(id, listed)
    if (own !== undefined) return asRegistered(own)
    for (const source of sources) {
      const entry = source.client(id)
      if (entry !== undefined) return asRegistered(entry)
    }
    return undefined
  }

  return {
    client,
    clients() {
      const ids = [...clients, ...sources.flatMap(source => source.clients())].map(each => each.client_id)
      return [...new Set(ids)].flatMap(id => client(id) ?? [])
    },
    problem(id) {
      for (const source of sources) {
        const found = source.problem?.(id)
        if (found !== undefined) return found
      }
      return undefined
    },
    user: name => users.findLast(each => each.username === name),
  }
}

/** Returns a registry that also has these clients. They give way to a registered client of the same name. */
export function withClients(registry: Registry, more: readonly Client[]): Registry {
  return {
    ...registry,
    client: id => registry.client(id) ?? more.find(each => each.client_id === id),
  }
}
