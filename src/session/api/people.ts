import type { KnownNames } from '../../lab/schema/lab-file-checks.js'
import type { ClientEntry, UserEntry } from '../../lab/schema/lab-file-schema.js'
import type { Client } from '../../protocol/oauth/client.js'
import type { User } from '../../servers/authorization-server/model.js'

async function checked(own: unknown, name: string, known: KnownNames) {
  const { checkSource } = await import('../../lab/lab-file/lab-file.js')
  return checkSource({ file: name, value: own, placeOf: () => undefined }, known)
}

/** @throws UsageError for what no lab file could hold */
export async function newClient(entry: ClientEntry, known: KnownNames): Promise<Client> {
  const { toClient } = await import('../../servers/authorization-server/client-rules/defaults.js')
  const { clients } = await checked({ clients: [entry] }, 'addClient', known)
  return toClient(clients![0]!)
}

/** @throws UsageError for what no lab file could hold */
export async function newUser(entry: UserEntry, known: KnownNames): Promise<User> {
  const { toUser } = await import('../../lab/lab-file/config-entries.js')
  const { users } = await checked({ users: [entry] }, 'addUser', known)
  return toUser(users![0]!)
}
