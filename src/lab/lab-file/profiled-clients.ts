import type { Client } from '../../protocol/oauth/client.js'
import { type ServerProfile, stricterProfile } from '../../protocol/oauth/client.js'
import { underProfile } from '../../servers/authorization-server/profiles/profiles.js'
import { unfitness } from '../../servers/authorization-server/profiles/refusals.js'

/** Every reason why a client cannot work under its profile. */
export interface UnfitClient {
  readonly clientId: string
  readonly reasons: readonly string[]
}

/** Empty where the client can work under its profile or that of its server. */
export function unfitReasons(client: Client, profile: ServerProfile): readonly string[] {
  const name = stricterProfile(client.profile, profile)
  return unfitness(underProfile(client, profile)).map(
    ({ problem, rule }) => `it cannot work under the profile ${name}: ${problem} (${rule})`,
  )
}

/** The enabled clients that cannot work under their profile. */
export function unfitClients(clients: readonly Client[], profile: ServerProfile): readonly UnfitClient[] {
  return clients
    .filter(each => each.enabled)
    .map(each => ({ clientId: each.client_id, reasons: unfitReasons(each, profile) }))
    .filter(({ reasons }) => reasons.length > 0)
}
