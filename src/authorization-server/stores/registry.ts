import type { Client } from '../../oauth/client.js'
import type { User } from '../model.js'

/** Who is known to the server. */
export interface Registry {
  client(id: string): Client | undefined
  user(name: string): User | undefined
}

/**
 * Finds entries by name; a Map, so that names such as `__proto__` are names. The list may grow meanwhile, and of
 * several entries with one name the last counts.
 */
function indexed<Entry>(entries: readonly Entry[], nameOf: (entry: Entry) => string) {
  const byName = new Map<string, Entry>()
  let seen = 0
  return (name: string): Entry | undefined => {
    for (; seen < entries.length; seen++) byName.set(nameOf(entries[seen]!), entries[seen]!)
    return byName.get(name)
  }
}

/**
 * Look-ups in lists, to which people may be added while the server runs.
 * @param registered a client as it is registered here, which is asked once for each
 */
export function createRegistry(
  clients: readonly Client[],
  users: readonly User[],
  registered: (client: Client) => Client = client => client,
): Registry {
  const known = indexed(clients, each => each.client_id)
  const made = new WeakMap<Client, Client>()
  return {
    client(id) {
      const found = known(id)
      if (found === undefined) return undefined
      const client = made.get(found) ?? registered(found)
      made.set(found, client)
      return client
    },
    user: indexed(users, each => each.username),
  }
}
