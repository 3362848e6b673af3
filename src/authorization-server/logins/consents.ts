import { createHash } from 'node:crypto'
import { type Client, isConfidential, isNative } from '../../oauth/client.js'

/** The access that a client asks for: scopes and single claims, with the answer at an address. */
export interface AskedAccess {
  readonly client: Client
  readonly redirectUri: string
  /** True when the answer itself has tokens: no client authenticates to get them (RFC 6749 §4.2). */
  readonly tokensInAnswer: boolean
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

/** Most entries of a session: one or two for each scope. Older ones are forgotten, and the person is asked again. */
const MAX_CONSENTS = 100

/**
 * True when the secret of a client proves its identity before it gets a token. Tokens in the answer itself go to the
 * address, and any program may listen there (RFC 6749 §10.2).
 */
export function isProven({ client, tokensInAnswer }: AskedAccess): boolean {
  return isConfidential(client) && !tokensInAnswer
}

/**
 * Returns the parts that identify a client across requests. A proven client is known by its name. Any other is known by
 * the exact redirect_uri alone, port included, because every program on a computer may listen on a port (RFC 6749
 * §10.2, RFC 8252 §8.6).
 */
function identity(asked: AskedAccess): readonly string[] {
  const { client_id: clientId } = asked.client
  return isProven(asked) ? [clientId] : [clientId, asked.redirectUri]
}

/** True for a client that nothing identifies, whose consent is never kept. */
function isUnknown({ client, redirectUri }: AskedAccess): boolean {
  return isNative(client, redirectUri)
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
      if (isUnknown(asked)) return false
      // The person saw the address as well, so tokens may come there, and codes of a confidential client anywhere.
      const exact = identity({ ...asked, tokensInAnswer: true })
      const named = identity({ ...asked, tokensInAnswer: false })
      for (const digest of [...digests(exact, asked), ...digests(named, asked)]) {
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
      if (isUnknown(asked)) return 'nothing'
      const wanted = digests(identity(asked), asked)
      const known = wanted.filter(digest => kept.has(digest)).length
      if (known === wanted.length) return 'all'
      return known === 0 ? 'nothing' : 'part'
    },
  }
}
