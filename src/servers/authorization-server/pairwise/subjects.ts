import { createHmac } from 'node:crypto'
import type { Client } from '../../../protocol/oauth/client.js'
import { isPairwise, sectorOf } from '../../../protocol/oauth/client-metadata.js'
import { defined } from '../../../protocol/values.js'
import type { Actor, User } from '../model.js'
import type { Registry } from '../stores/registry.js'

/** Returns the secret that pairwise identifiers are made with. It stays the same, or every person becomes another one. */
export type PairwiseSalt = () => Promise<Uint8Array>

/**
 * Translates between the names of this server and those that a client knows. A public client knows a person by the
 * username. A pairwise client knows a value of its sector, which nobody else can compute (OpenID Connect Core §8.1).
 */
export interface Subjects {
  /** Returns the `sub` by which a client knows a user, or a client that acts for itself. */
  subFor(client: Client, subject: string): Promise<string>
  /** Returns the username, or client id, behind a `sub` of a client; undefined for an unknown one. */
  subjectOf(client: Client | undefined, sub: string): Promise<string | undefined>
  /** Returns a chain of actors as a client knows it. */
  actFor(client: Client, act: Actor): Promise<Actor>
  /** Returns a chain of actors by the names of this server. */
  actOf(client: Client | undefined, act: Actor): Promise<Actor>
  /** Returns the `sid` by which a client knows a session. One value for all would join the sectors again. */
  sidFor(client: Client, sid: string): Promise<string>
}

/** The identifiers of one sector, for the users that were counted. */
interface Sector {
  readonly usernames: Map<string, string>
  counted: number
}

/** Returns an identifier of a sector. JSON keeps the parts apart, whatever characters they have. */
function identifier(salt: Uint8Array, parts: readonly ['sub' | 'sid', sector: string, name: string]): string {
  return createHmac('sha256', salt).update(JSON.stringify(parts)).digest('base64url')
}

/** @param parts.users may grow */
export function createSubjects(parts: {
  readonly registry: Registry
  readonly users: readonly User[]
  readonly salt: PairwiseSalt
}): Subjects {
  const { registry, users } = parts
  const sectors = new Map<string, Sector>()
  let kept: Promise<Uint8Array> | undefined

  /** Returns the salt. A read that failed is tried again the next time. */
  const salt = () => {
    kept ??= parts.salt().catch(error => {
      kept = undefined
      throw error
    })
    return kept
  }

  /** Returns the username of a pairwise identifier. Every user is counted once for each sector. */
  async function usernameOf(client: Client, sub: string): Promise<string | undefined> {
    const name = sectorOf(client)
    const sector = sectors.get(name) ?? { usernames: new Map<string, string>(), counted: 0 }
    sectors.set(name, sector)
    const key = await salt()
    while (sector.counted < users.length) {
      const { username } = users[sector.counted++]!
      sector.usernames.set(identifier(key, ['sub', name, username]), username)
    }
    return sector.usernames.get(sub)
  }

  const subjects: Subjects = {
    async subFor(client, subject) {
      const isPerson = registry.user(subject) !== undefined
      return isPerson && isPairwise(client)
        ? identifier(await salt(), ['sub', sectorOf(client), subject])
        : subject
    },
    async subjectOf(client, sub) {
      if (client === undefined || !isPairwise(client)) return sub
      return (await usernameOf(client, sub)) ?? registry.client(sub)?.client_id
    },
    actFor: (client, act) => translated(act, sub => subjects.subFor(client, sub)),
    actOf: (client, act) => translated(act, async sub => (await subjects.subjectOf(client, sub)) ?? sub),
    async sidFor(client, sid) {
      return isPairwise(client) ? identifier(await salt(), ['sid', sectorOf(client), sid]) : sid
    },
  }
  return subjects
}

async function translated({ sub, act }: Actor, name: (sub: string) => Promise<string>): Promise<Actor> {
  return defined({ sub: await name(sub), act: act && (await translated(act, name)) })
}
