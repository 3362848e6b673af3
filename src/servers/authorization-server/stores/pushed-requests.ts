import { createExpiringMap } from '../../../protocol/bounded-maps.js'
import type { FormPairs } from '../../../protocol/http/form.js'

/** Prefix of every request_uri of this server (RFC 9126 §2.2). */
export const REQUEST_URI_PREFIX = 'urn:ietf:params:oauth:request_uri:'

/** Time in which a browser may open a pushed request, in milliseconds. */
export const PUSHED_LIFETIME = 90_000

/** Time for the login after a browser has opened the request, in milliseconds. */
const LOGIN_TIME = 30 * 60_000

/** Most pushed requests of an owner. */
const MAX_REQUESTS = 10_000

/** Most bytes of them. */
const MAX_BYTES = 32 * 1024 * 1024

/** Authorization requests that clients pushed (RFC 9126). */
export interface PushedRequests {
  /**
   * Stores a request. Returns its request_uri.
   * @param owner the client, or a part of it that cannot push out the others
   */
  push(clientId: string, pairs: FormPairs, owner: string): string
  /**
   * Returns the request of a request_uri for the client that pushed it and the first browser that opens it. That
   * browser may reload the page and send the form. Other clients and browsers get undefined (RFC 9126 §7.3).
   */
  open(requestUri: string, clientId: string, browser: string): FormPairs | undefined
  spend(requestUri: string): void
  readonly size: number
}

interface Pushed {
  readonly owner: string
  readonly clientId: string
  readonly pairs: FormPairs
  readonly at: number
  openedBy?: string
}

/** Pushed requests in memory. */
export function createPushedRequests(options: {
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
  /** The beginning of every request_uri. Default: REQUEST_URI_PREFIX. */
  readonly prefix?: string
}): PushedRequests {
  const { now, random, prefix = REQUEST_URI_PREFIX } = options
  const requests = createExpiringMap<Pushed | 'spent'>({
    lifetime: PUSHED_LIFETIME + LOGIN_TIME,
    limit: MAX_REQUESTS,
    maxBytes: MAX_BYTES,
    now,
  })
  return {
    push(clientId, pairs, owner) {
      const requestUri = `${prefix}${Buffer.from(random(32)).toString('base64url')}`
      requests.set(requestUri, { owner, clientId, pairs, at: now() }, owner)
      return requestUri
    },
    open(requestUri, clientId, browser) {
      const found = requests.get(requestUri)
      if (found === undefined || found === 'spent' || found.clientId !== clientId) return undefined
      const age = now() - found.at
      if (found.openedBy === undefined ? age >= PUSHED_LIFETIME : found.openedBy !== browser) return undefined
      if (age >= PUSHED_LIFETIME + LOGIN_TIME) return undefined
      found.openedBy = browser
      return found.pairs
    },
    spend(requestUri) {
      const found = requests.get(requestUri)
      if (found !== undefined && found !== 'spent') requests.set(requestUri, 'spent', found.owner)
    },
    get size() {
      return requests.size
    },
  }
}
