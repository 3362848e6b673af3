import { OAuthError } from '../oauth/oauth-error.js'
import type { VerificationKeys } from '../tokens/verify.js'
import type { FetchReason, Publish } from './events.js'
import type { KeySource } from './key-source.js'
import type { PublishedKeys } from './published-keys.js'

/** Keys are fetched anew after this, milliseconds. */
export const KEYS_MAX_AGE = 10 * 60_000

/** Between two fetches for a key that is not there, milliseconds: made-up `kid`s do not become traffic. */
export const REFRESH_FLOOR = 30_000

/** After a fetch that failed, milliseconds. */
export const RETRY_PAUSE = 2000

/** What fetched keys need. */
export interface FetchedKeysParts {
  readonly issuer: string
  /** @throws OAuthError `temporarily_unavailable` */
  readonly fetchKeys: () => Promise<PublishedKeys>
  readonly now: () => number
  readonly publish: Publish
}

/**
 * The keys an issuer publishes: fetched when first needed, kept, fetched anew when they are old and, now and then,
 * when a token names a key that is not there (rotation). Whoever asks meanwhile waits for the same fetch.
 */
export function createFetchedKeys({ issuer, fetchKeys, now, publish }: FetchedKeysParts): KeySource {
  let held: { readonly keys: VerificationKeys; readonly at: number; readonly jwksUri: string } | undefined
  let failed: { readonly error: OAuthError; readonly at: number } | undefined
  let pending: Promise<VerificationKeys> | undefined
  let refreshedAt: number | undefined

  /** Whether less than `span` has passed; a clock that was set back does not make anything younger. */
  const within = (span: number, since: number | undefined) => {
    const passed = since === undefined ? span : now() - since
    return passed >= 0 && passed < span
  }

  async function load(reason: FetchReason): Promise<VerificationKeys> {
    try {
      const { jwks, jwksUri } = await fetchKeys()
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

  function fetchOnce(reason: FetchReason): Promise<VerificationKeys> {
    if (pending !== undefined) return pending
    if (failed !== undefined && within(RETRY_PAUSE, failed.at)) return Promise.reject(failed.error)
    pending = load(reason)
    return pending
  }

  return {
    async current() {
      if (held !== undefined && within(KEYS_MAX_AGE, held.at)) return { keys: held.keys, fresh: false }
      return { keys: await fetchOnce(held === undefined ? 'first' : 'max_age'), fresh: true }
    },
    async newerThan(seen) {
      if (held !== undefined && held.keys !== seen) return held.keys
      if (pending === undefined) {
        if (within(REFRESH_FLOOR, refreshedAt)) return seen
        refreshedAt = now()
      }
      return fetchOnce('unknown_kid')
    },
    origin() {
      const seconds = Math.max(0, Math.floor((now() - (held?.at ?? 0)) / 1000))
      return { jwks_uri: held?.jwksUri ?? '', fetched: seconds === 0 ? 'now' : `${seconds} s ago` }
    },
  }
}
