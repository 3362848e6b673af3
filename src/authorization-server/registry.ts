import type { Client } from '../oauth/client.js'
import type { User } from './settings.js'

/** Who is known to the server. */
export interface Registry {
  client(id: string): Client | undefined
  user(name: string): User | undefined
}

/** Look-ups by name; a Map, so that names such as `__proto__` are names. */
export function createRegistry(clients: readonly Client[], users: readonly User[]): Registry {
  const clientsById = new Map(clients.map(client => [client.client_id, client]))
  const usersByName = new Map(users.map(user => [user.username, user]))
  return { client: id => clientsById.get(id), user: name => usersByName.get(name) }
}
