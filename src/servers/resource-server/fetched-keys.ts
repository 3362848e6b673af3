import type { HttpRequest } from '../../protocol/http/message.js'
import { shown } from '../../protocol/oauth/check.js'
import { metadataUrls, type PublishedMetadata, parseMetadata } from '../../protocol/oauth/metadata.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { Citation } from '../../protocol/rules/rule.js'
import type { JwkSet, VerificationKeys } from '../../protocol/tokens/keys.js'
import { isJsonObject, type JsonObject } from '../../protocol/values.js'
import { refused } from './claim-checks.js'
import type { Context, FetchReason } from './events.js'
import type { KeySource } from './key-source.js'
import type { FetchJson } from './settings.js'

/** Age at which keys are fetched again, in milliseconds. */
export const KEYS_MAX_AGE = 10 * 60_000

/** Shortest time between two fetches for an unknown `kid`, in milliseconds. It stops invented `kid`s from causing traffic. */
export const REFRESH_FLOOR = 30_000

/** Pause after a failed fetch, in milliseconds. */
export const RETRY_PAUSE = 2000

/** The parts that `createFetchedKeys` uses. */
export interface FetchedKeysParts {
  readonly issuer: string
  /**
   * @param cause the id of the request that needs the keys
   * @throws OAuthError `temporarily_unavailable`
   */
  readonly fetchKeys: (cause: number | undefined) => Promise<PublishedKeys>
  readonly now: () => number
}

/**
 * Makes the source of the keys that an issuer publishes. They are fetched on first use, and again when they are old.
 * A token with an unknown `kid` also causes a fetch (key rotation), limited by REFRESH_FLOOR. Concurrent requests
 * share one fetch.
 */
export function createFetchedKeys({ issuer, fetchKeys, now }: FetchedKeysParts): KeySource {
  let held: { readonly keys: VerificationKeys; readonly at: number; readonly jwksUri: string } | undefined
  let failed: { readonly error: OAuthError; readonly at: number } | undefined
  let pending: Promise<VerificationKeys> | undefined
  let refreshedAt: number | undefined

  /** True when less than `span` milliseconds have passed. False when the clock was set back to before `since`. */
  const within = (span: number, since: number | undefined) => {
    const passed = since === undefined ? span : now() - since
    return passed >= 0 && passed < span
  }

  async function load(
    reason: FetchReason,
    { id }: HttpRequest,
    { publish }: Context,
  ): Promise<VerificationKeys> {
    try {
      const { jwks, jwksUri } = await fetchKeys(id)
      const keys: VerificationKeys = { kind: 'jwks', jwks }
      const kids = jwks.keys.flatMap(({ kid }) => (kid === undefined ? [] : [kid]))
      publish({ type: 'keys.fetched', issuer, jwks_uri: jwksUri, reason, kids })
      held = { keys, at: now(), jwksUri }
      failed = undefined
      return keys
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      publish({ type: 'keys.failed', issuer, reason, description: error.description, rule: error.rule })
      failed = { error, at: now() }
      throw error
    } finally {
      pending = undefined
    }
  }

  function fetchOnce(reason: FetchReason, request: HttpRequest, context: Context): Promise<VerificationKeys> {
    if (pending !== undefined) return pending
    if (failed !== undefined && within(RETRY_PAUSE, failed.at)) return Promise.reject(failed.error)
    pending = load(reason, request, context)
    return pending
  }

  return {
    async current(request, context) {
      if (held !== undefined && within(KEYS_MAX_AGE, held.at)) return { keys: held.keys, fresh: false }
      const reason = held === undefined ? 'first' : 'max_age'
      return { keys: await fetchOnce(reason, request, context), fresh: true }
    },
    async newerThan(seen, request, context) {
      if (held !== undefined && held.keys !== seen) return held.keys
      if (pending === undefined) {
        if (within(REFRESH_FLOOR, refreshedAt)) return seen
        refreshedAt = now()
      }
      return fetchOnce('unknown_kid', request, context)
    },
    origin() {
      if (held === undefined) return undefined
      const seconds = Math.floor((now() - held.at) / 1000)
      return { jwks_uri: held.jwksUri, fetched: seconds <= 0 ? 'now' : `${seconds} s ago` }
    },
  }
}

/** The keys of an issuer, and the URL that they came from. */
export interface PublishedKeys {
  readonly jwksUri: string
  readonly jwks: JwkSet
}

/** Time limit for discovery and keys together, in milliseconds. */
const FETCH_TIME = 10_000

/** Most keys read from a set. The rest is ignored. */
const MAX_KEYS = 100

/** Options of a fetch of keys. */
export interface FetchOptions {
  /** Limit in milliseconds. It holds even when `fetchJson` never settles. */
  readonly time?: number
  /** The id of the request that needs the keys. */
  readonly cause?: number | undefined
}

const unavailable = (description: string, rule: Citation) =>
  refused(
    'temporarily_unavailable',
    `the keys of the authorization server cannot be fetched: ${description}`,
    rule,
  )

/**
 * Fetches the keys of an issuer: first its metadata (OpenID Connect Discovery §4, then RFC 8414 §3), then `jwks_uri`.
 * @throws OAuthError `temporarily_unavailable`, with the reason in its description
 */
export async function fetchPublishedKeys(
  issuer: string,
  fetchJson: FetchJson,
  { time = FETCH_TIME, cause }: FetchOptions = {},
): Promise<PublishedKeys> {
  const signal = AbortSignal.timeout(time)
  const tooLate = new Promise<never>((_, reject) => {
    const give = () => reject(unavailable(`no answer within ${time / 1000} s`, 'RFC 8414 §3'))
    signal.addEventListener('abort', give)
  })
  const get = (url: string) => Promise.race([answerOf(url, fetchJson(url, { signal, cause })), tooLate])
  // After a success nobody awaits `tooLate`: without a handler its rejection would end the process.
  tooLate.catch(() => {})
  const metadata = await discover(issuer, get)
  const jwksUri = keysAddress(metadata)
  return { jwksUri, jwks: readJwks(await get(jwksUri), jwksUri) }
}

/** @returns the JSON that was answered with status 200 */
async function answerOf(url: string, answer: ReturnType<FetchJson>): Promise<unknown> {
  try {
    const { status, body } = await answer
    if (status !== 200) throw unavailable(`${url} answered ${status}`, 'RFC 8414 §3.2')
    if (body === undefined) throw unavailable(`${url} answered no JSON`, 'RFC 8414 §3.2')
    return body
  } catch (error) {
    if (error instanceof OAuthError) throw error
    throw unavailable(`${url}: ${error instanceof Error ? error.message : 'no answer'}`, 'RFC 8414 §3')
  }
}

async function discover(issuer: string, get: (url: string) => Promise<unknown>): Promise<PublishedMetadata> {
  let first: OAuthError | undefined
  for (const url of metadataUrls(issuer)) {
    try {
      return parseMetadata(await get(url), issuer)
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      first ??= error.code === 'temporarily_unavailable' ? error : unavailable(error.description, error.rule)
    }
  }
  throw first
}

function keysAddress({ issuer, jwks_uri: jwksUri }: PublishedMetadata): string {
  if (jwksUri === undefined) throw unavailable('the metadata names no jwks_uri', 'RFC 8414 §2')
  if (/^https:/i.test(issuer) && !/^https:/i.test(jwksUri)) {
    throw unavailable('the issuer uses https and its jwks_uri does not', 'RFC 8414 §2')
  }
  return jwksUri
}

const MEMBERS = ['kty', 'kid', 'alg', 'use', 'crv', 'n', 'e', 'x', 'y'] as const

/**
 * Reads the public text members of each asymmetric key. All other members of a foreign set are dropped, so they
 * never reach the crypto library.
 */
function readJwks(document: unknown, url: string): JwkSet {
  const keys = isJsonObject(document) ? document.keys : undefined
  if (!Array.isArray(keys)) throw unavailable(`${url} is no JWK Set: keys is ${shown(keys)}`, 'RFC 7517 §5')
  const usable = keys.slice(0, MAX_KEYS).filter(isPublicKey)
  if (usable.length === 0) throw unavailable(`${url} has no key to verify with`, 'RFC 7517 §5')
  return {
    keys: usable.map(key => {
      const members = MEMBERS.map(name => [name, key[name]]).filter(([, value]) => typeof value === 'string')
      return { kty: key.kty, ...Object.fromEntries(members) }
    }),
  }
}

/** True for a public key to verify with. False for unknown types, and for a private key published by mistake (RFC 7517 §5). */
function isPublicKey(key: unknown): key is JsonObject & { readonly kty: string } {
  if (!isJsonObject(key) || 'd' in key) return false
  if (key.use !== undefined && key.use !== 'sig') return false
  return key.kty === 'RSA' || key.kty === 'EC' || key.kty === 'OKP'
}
