import type { Client } from '../../../protocol/oauth/client.js'
import { type SecurityProfile, type ServerProfile, stricterProfile } from '../../../protocol/oauth/client.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import { FAPI2 } from './fapi2.js'
import { OAUTH21 } from './oauth21.js'
import type { Demand, Profile } from './profile.js'

/** The security profiles by name. */
const PROFILES: Readonly<Record<SecurityProfile, Profile>> = { oauth21: OAUTH21, fapi2: FAPI2 }

/** Returns the security profile of a whole server; undefined for a server without one. */
export function serverProfile(name: ServerProfile): Profile | undefined {
  const own = stricterProfile(undefined, name)
  return own && PROFILES[own]
}

/** Returns the profile of a client. */
export function profileOf({ profile }: Pick<Client, 'profile'>): Profile | undefined {
  return profile && PROFILES[profile]
}

/** Returns a client with the switches of its profile and of its server's, the stricter one of both. */
export function underProfile(client: Client, server: ServerProfile): Client {
  const name = stricterProfile(client.profile, server)
  if (name === undefined) return client
  return { ...client, profile: name, ...PROFILES[name].sets(client) }
}

/**
 * Returns the clause of a demand where the profile of the client makes it.
 * @param usual the rule without a profile
 */
export function clauseOf(client: Pick<Client, 'profile'>, demand: Demand, usual: Citation): Citation {
  return profileOf(client)?.demands[demand]?.rule ?? usual
}
