import type { Client } from '../../oauth/client.js'
import type { User } from '../model.js'

/** The registered clients and users. */
export interface Registry {
  client(id: string): Client | undefined
  user(name: string): User | undefined
}

/**
 * Returns the registration of a client.
 * @param listed the entry of the list; undefined without one
 */
export type OwnClient = (id: string, listed: Client | undefined) => Client | undefined

/**
 * Makes a registry over lists that may change while the server runs. Of several entries with one name the last counts.
 * @param registered returns the client as this server registers it; called once for each entry
 * @param ownClient returns a client of the lab itself, which may differ from its entry in the list
 */
export function createRegistry(
  clients: readonly Client[],
  users: readonly User[],
  registered: (client: Client) => Client = client => client,
  ownClient: OwnClient = (_, listed) => listed,
): Registry {
  const made = new WeakMap<Client, Client>()
  return {
    client(id) {
      const listed = ownClient(
        id,
        clients.findLast(each => each.client_id === id),
      )
      if (listed === undefined) return undefined
      const client = made.get(listed) ?? registered(listed)
      made.set(listed, client)
      return client
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
