import type { Client } from '../../oauth/client.js'
import type { User } from '../model.js'

/** The clients and users that are registered at this moment. */
export interface Registry {
  client(id: string): Client | undefined
  user(name: string): User | undefined
}

/**
 * Look-ups in lists that may change while the server runs. Of several entries with one name the last counts.
 * @param registered the client as this server registers it, called once for each entry
 */
export function createRegistry(
  clients: readonly Client[],
  users: readonly User[],
  registered: (client: Client) => Client = client => client,
): Registry {
  const made = new WeakMap<Client, Client>()
  return {
    client(id) {
      const found = clients.findLast(each => each.client_id === id)
      if (found === undefined) return undefined
      const client = made.get(found) ?? registered(found)
      made.set(found, client)
      return client
    },
    user: name => users.findLast(each => each.username === name),
  }
}
