import { createHash } from 'node:crypto'
import { type Client, isConfidential, isNative } from '../../oauth/client.js'

/** The access that a client asks for: scopes and single claims, with the answer at an address. */
export interface AskedAccess {
  readonly client: Client
  readonly redirectUri: string
  readonly scope: readonly string[]
  /** Names of claims (OpenID Connect Core §5.5). */
  readonly claims: readonly string[]
}

/** The access that a person allowed in one session. It ends with the session. */
export interface Consents {
  /** Keeps what the person allowed. Returns false for a client whose consent is never kept. */
  keep(asked: AskedAccess): boolean
  /** Returns how much of the scope the person allowed before. */
  covers(asked: AskedAccess): 'all' | 'part' | 'nothing'
}

/** Most scopes that a session keeps. Older ones are forgotten, and the person is asked again. */
const MAX_CONSENTS = 100

/**
 * Returns the parts that identify a client across requests; undefined for a client that nothing identifies.
 * A confidential client shows its secret. Another public client is known by the exact redirect_uri alone, port
 * included, because every program on a computer may listen on a port (RFC 6749 §10.2, RFC 8252 §8.6).
 */
function identity({ client, redirectUri }: AskedAccess): readonly string[] | undefined {
  if (isNative(client, redirectUri)) return undefined
  return isConfidential(client) ? [client.client_id] : [client.client_id, redirectUri]
}

/** Makes the empty consents of a session. */
export function createConsents(): Consents {
  // Digests bound the size of an entry, and do not keep the request alive that the texts came from.
  const kept = new Set<string>()
  const digests = (who: readonly string[], { scope, claims }: AskedAccess) =>
    [...scope, ...claims.map(name => ['claim', name])].map(each =>
      createHash('sha256')
        .update(JSON.stringify([who, each]))
        .digest('base64'),
    )
  return {
    keep(asked) {
      const who = identity(asked)
      if (who === undefined) return false
      for (const digest of digests(who, asked)) {
        kept.delete(digest)
        kept.add(digest)
      }
      for (const oldest of kept) {
        if (kept.size <= MAX_CONSENTS) break
        kept.delete(oldest)
      }
      return true
    },
    covers(asked) {
      const who = identity(asked)
      if (who === undefined) return 'nothing'
      const wanted = digests(who, asked)
      const known = wanted.filter(digest => kept.has(digest)).length
      if (known === wanted.length) return 'all'
      return known === 0 ? 'nothing' : 'part'
    },
  }
}
