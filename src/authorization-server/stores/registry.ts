import type { Client } from '../../oauth/client.js'
import type { User } from '../model.js'

/** The registered clients and users. */
export interface Registry {
  client(id: string): Client | undefined
  user(name: string): User | undefined
}

/**
 * Makes a registry over lists that may change while the server runs. Of several entries with one name the last counts.
 * @param registered returns the client as this server registers it; called once for each entry
 */
export function createRegistry(
  clients: readonly Client[],
  users: readonly User[],
  registered: (client: Client) => Client = client => client,
): Registry {
  const made = new WeakMap<Client, Client>()
  return {
    client(id) {
      const listed = clients.findLast(each => each.client_id === id)
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
