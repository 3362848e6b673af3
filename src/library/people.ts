import type { User } from '../authorization-server/model.js'
import type { Client } from '../oauth/client.js'
import type { ClientEntry, UserEntry } from './lab-file.js'

async function checked(own: unknown, name: string, scopes: readonly string[]) {
  const { checkSource } = await import('../lab/lab-file.js')
  return checkSource({ file: name, value: own, lineOf: () => undefined }, scopes)
}

/** @throws UsageError for what no lab file could hold */
export async function newClient(entry: ClientEntry, scopes: readonly string[]): Promise<Client> {
  const { toClient } = await import('../lab/config-entries.js')
  const { clients } = await checked({ clients: [entry] }, 'addClient', scopes)
  return toClient(clients![0]!)
}

/** @throws UsageError for what no lab file could hold */
export async function newUser(entry: UserEntry): Promise<User> {
  const { toUser } = await import('../lab/config-entries.js')
  const { users } = await checked({ users: [entry] }, 'addUser', [])
  return toUser(users![0]!)
}
