import type { HttpRequest } from '../../protocol/http/message.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { VerificationKeys } from '../../protocol/tokens/keys.js'
import type { Context, FetchReason } from './events.js'
import type { KeySource } from './key-source.js'
import type { PublishedKeys } from './published-keys.js'

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
