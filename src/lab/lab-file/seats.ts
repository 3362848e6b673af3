import { REVIEWERS } from '../../servers/kubernetes/emulator/settings.js'
import type { ClientEntry, LabFile } from '../schema/lab-file-schema.js'

/** The accounts of one participant at the lab of a room. */
export interface Seat {
  /** In lower case, such as `k7-03`: the name of the user and of the namespace, and the owner of both tokens. */
  readonly name: string
  readonly clientSecret: string
  readonly password: string
  readonly clusterToken: string
  readonly dnsToken: string
}

/** The client of a seat. A token of a client that is named as a user would name that user as its subject (RFC 9700 §4.15.1). */
export const seatClient = (name: string): string => `${name}-app`

/** Makes the accounts of a name. */
export function newSeat(name: string, random: (length: number) => Uint8Array): Seat {
  const secret = () => Buffer.from(random(24)).toString('base64url')
  return { name, clientSecret: secret(), password: secret(), clusterToken: secret(), dnsToken: secret() }
}

/** The parts of a lab file for some seats. @param model the client whose grants and addresses each seat has */
function seatAccounts(seats: readonly Seat[], model: ClientEntry) {
  return {
    clients: seats.map(({ name, clientSecret }) => ({
      ...model,
      client_id: seatClient(name),
      client_name: `Application of ${name}`,
      client_secret: clientSecret,
    })),
    users: seats.map(({ name, password }) => ({
      username: name,
      password,
      claims: { name, email: `${name}@example.com`, email_verified: true },
    })),
    namespaces: Object.fromEntries(
      seats.map(({ name }) => [
        name,
        {
          service_accounts: ['builder', 'demo', 'other'],
          pods: [{ name: 'web-0', service_account: 'demo', node: 'node-1' }],
          secrets: ['demo-key'],
          admins: [name],
        },
      ]),
    ),
    clusterTokens: seats.map(({ name, clusterToken }) => ({
      token: clusterToken,
      username: name,
      uid: `uid-${name}`,
      groups: [REVIEWERS],
    })),
    dnsTokens: seats.map(({ name, dnsToken }) => ({ name, token: dnsToken })),
  }
}

/**
 * The lab file of a room. Nothing of the built-in accounts is left, whose secrets everybody knows. It has the accounts of the teacher, which may do everything, and those of each seat. Clients register themselves nowhere, and nobody
 * logs in without a password.
 * @param teacher `name` is that of the user; the client is `demo`, so that the commands of the teacher need no option
 */
export function roomLabFile(teacher: Seat, seats: readonly Seat[], model: ClientEntry): LabFile {
  const { clients, users, namespaces, clusterTokens, dnsTokens } = seatAccounts(seats, model)
  const own = seatAccounts([teacher], model)
  return {
    account_chooser: 'off',
    registration: 'off',
    client_id_documents: 'off',
    clients: [{ ...own.clients[0]!, client_id: 'demo' }, ...clients],
    users: [...own.users, ...users],
    cluster: {
      namespaces,
      tokens: [{ ...own.clusterTokens[0]!, groups: ['system:masters'] }, ...clusterTokens],
    },
    // The key of the API has no owner. That of the teacher replaces the built-in one, which everybody knows.
    dns: {
      key: teacher.clientSecret,
      email: 'teacher@example.com',
      token: teacher.dnsToken,
      tokens: dnsTokens,
    },
  }
}

/** The lab file as the holder of one seat knows it. */
export function seatLabFile(seat: Seat, model: ClientEntry): LabFile {
  const { clients, users, namespaces, clusterTokens } = seatAccounts([seat], model)
  return {
    account_chooser: 'off',
    registration: 'off',
    client_id_documents: 'off',
    clients,
    users,
    cluster: { namespaces, tokens: clusterTokens },
    dns: { token: seat.dnsToken },
  }
}

/** Finds the seats of a lab file that `roomLabFile` made, by their names. */
export function seatsIn({ clients = [], users = [], cluster, dns }: LabFile): ReadonlyMap<string, Seat> {
  const secrets = new Map(clients.map(({ client_id, client_secret }) => [client_id, client_secret]))
  const clusterTokens = new Map(cluster?.tokens?.map(({ username, token }) => [username, token]))
  const dnsTokens = new Map(dns?.tokens?.map(({ name, token }) => [name, token]))
  const seats = new Map<string, Seat>()
  for (const { username: name, password } of users) {
    const clientSecret = secrets.get(seatClient(name))
    const clusterToken = clusterTokens.get(name)
    const dnsToken = dnsTokens.get(name)
    if (clientSecret && password && clusterToken && dnsToken)
      seats.set(name, { name, clientSecret, password, clusterToken, dnsToken })
  }
  return seats
}
