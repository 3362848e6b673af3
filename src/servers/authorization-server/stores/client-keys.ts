import { createExpiringMap } from '../../../protocol/bounded-maps.js'
import { shown } from '../../../protocol/oauth/check.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { but } from '../../../protocol/second-reading.js'
import { insteadOfKeySet } from '../../../protocol/second-reading-keys.js'
import type { JwkSet } from '../../../protocol/tokens/keys.js'
import { defined, isJsonObject, type JsonObject, parsedJson } from '../../../protocol/values.js'
import type { FetchReason } from '../client-document-events.js'
import {
  type DocumentPorts,
  documentKind,
  documentReader,
  markDependent,
  UNREADABLE,
} from '../client-documents/fetch-failure.js'
import type { Publish } from '../events.js'

/** The registered keys of a client: a set, or the address of a set (RFC 7591 §2). */
export type KeyedClient = Pick<Client, 'client_id' | 'introduced' | 'jwks' | 'jwks_uri'>

/** A use of a client's keys. */
export interface KeyUse {
  readonly publish: Publish
  /** The id of the wanted key. A set that lacks the id is fetched again. Absent: any set serves. */
  readonly kid?: string | undefined
}

/**
 * Returns the keys of a client, for signatures and for encryption. The keys of a jwks_uri are fetched when they are first
 * used. Returns the same object until the keys change, so that they are imported once.
 * @throws ClientKeysError for a client without keys, and for keys that cannot be fetched
 */
export type ClientKeys = (client: KeyedClient, use: KeyUse) => Promise<JwkSet>

/** The keys of a client are missing. The message is one line, for people. */
export class ClientKeysError extends Error {
  override name = 'ClientKeysError'
}

/** Longest time that fetched keys count, in milliseconds. A client withdraws a stolen key by removing it. */
const KEPT = 10 * 60_000

/** Shortest time between two fetches of one address, in milliseconds. Anyone can send a token with an unknown kid. */
const PAUSE = 10_000

/** Most addresses of one host whose keys are kept, and most bytes of them. */
const LIMITS = { limit: 200, maxBytes: 8 * 1024 * 1024, lifetime: Number.POSITIVE_INFINITY }

/** Most keys of a set. The rest is ignored. */
const MAX_KEYS = 30

/** An address and the result of its last fetch. */
interface Kept {
  readonly jwks?: JwkSet
  /** End of the last successful fetch, in milliseconds since the epoch. Its keys stay in use after failures. */
  readonly fetchedAt: number
  readonly triedAt: number
}

/** The members of a public key. All others are dropped, so that they never reach the crypto library. */
const MEMBERS = ['kty', 'kid', 'alg', 'use', 'crv', 'n', 'e', 'x', 'y', 'x5t#S256'] as const

/** Reads a public key of a client. Undefined for another kind, and for a private key that was published by mistake (RFC 7517 §5, §9.2). */
export function publicKeyOf(key: unknown): JwkSet['keys'][number] | undefined {
  if (!isJsonObject(key) || 'd' in key || !['RSA', 'EC', 'OKP'].includes(key.kty as string)) return undefined
  const texts = MEMBERS.map(name => [name, key[name]] as const).filter(
    ([, value]) => typeof value === 'string',
  )
  const { x5c } = key
  const chain = Array.isArray(x5c) && x5c.every(each => typeof each === 'string') ? { x5c } : {}
  return { ...Object.fromEntries(texts), ...chain }
}

/** @throws Error for a text that is no JWK Set with a usable key (RFC 7517 §5) */
function readKeys(body: string): JwkSet {
  const wrong = (problem: string) => new Error(`${problem}${but(insteadOfKeySet(body))}`)
  const document = parsedJson(body)
  if (document === undefined) throw wrong('it answered no JSON')
  const listed = isJsonObject(document) ? (document as JsonObject).keys : undefined
  if (!Array.isArray(listed)) throw wrong(`it answered no JWK Set: keys is ${shown(listed)}`)
  const keys = listed.slice(0, MAX_KEYS).flatMap(each => publicKeyOf(each) ?? [])
  if (keys.length === 0) throw new Error('it answered no public key')
  return { keys }
}

/**
 * Makes the store of clients' keys.
 * @param ports.fetchDocument absent: no address is asked
 */
export function createClientKeys(ports: DocumentPorts & { readonly now: () => number }): ClientKeys {
  const { now } = ports
  const readDocument = documentReader(ports)
  const kept = createExpiringMap<Kept>({ ...LIMITS, now })
  const underWay = new Map<string, Promise<Kept>>()
  // Keys that only a client of the lab file may fetch do not serve a stranger who names the same address.
  const keyOf = (client: KeyedClient, url: string) => `${documentKind(client)} ${url}`
  const since = (time: number) => Math.abs(now() - time)

  async function fetched(
    client: KeyedClient,
    url: string,
    reason: FetchReason,
    publish: Publish,
  ): Promise<Kept> {
    const about = { client_id: client.client_id, jwks_uri: url, reason }
    const key = keyOf(client, url)
    const former = kept.get(key)
    const result = await (async (): Promise<Kept> => {
      try {
        const accept = 'application/jwk-set+json, application/json'
        const address = { url, accept, kind: documentKind(client) }
        const jwks = await readDocument(address, ({ body }) => readKeys(body))
        const kids = jwks.keys.map(({ kid }) => kid).filter(kid => kid !== undefined)
        publish({ type: 'client_keys.fetched', ...about, kids })
        return { jwks, fetchedAt: now(), triedAt: now() }
      } catch (error) {
        const problem = error instanceof Error ? error.message : 'unknown'
        publish({ type: 'client_keys.failed', ...about, description: problem, rule: 'RFC 7591 §2' })
        const { jwks, fetchedAt = Number.NEGATIVE_INFINITY } = former ?? {}
        return defined({ jwks, fetchedAt, triedAt: now() })
      }
    })()
    kept.set(key, result, new URL(url).host)
    return result
  }

  function fetchOnce(client: KeyedClient, url: string, reason: FetchReason, publish: Publish): Promise<Kept> {
    const key = keyOf(client, url)
    const joined = underWay.get(key)
    if (joined !== undefined) return joined
    const fetching = fetched(client, url, reason, publish).finally(() => underWay.delete(key))
    underWay.set(key, fetching)
    return fetching
  }

  /** Returns the reason to fetch an address now; undefined while its keys serve, or when it is too soon. */
  function reasonOf(entry: Kept | undefined, kid: string | undefined): FetchReason | undefined {
    if (entry === undefined) return 'first use'
    if (since(entry.triedAt) < PAUSE) return undefined
    if (entry.jwks === undefined) return 'first use'
    if (since(entry.fetchedAt) >= KEPT) return 'age'
    const isKnown = kid === undefined || entry.jwks.keys.some(each => each.kid === kid)
    return isKnown ? undefined : 'unknown kid'
  }

  return async (client, { publish, kid }) => {
    const { jwks, jwks_uri: url } = client
    if (jwks !== undefined) return jwks as JwkSet
    if (url === undefined) throw new ClientKeysError('the client is registered without keys')
    markDependent(publish)
    const entry = kept.get(keyOf(client, url))
    const reason = reasonOf(entry, kid)
    const result = reason === undefined ? entry : await fetchOnce(client, url, reason, publish)
    if (result?.jwks !== undefined) return result.jwks
    throw new ClientKeysError(`the document at the client's jwks_uri: ${UNREADABLE}`)
  }
}
