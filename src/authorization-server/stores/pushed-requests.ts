import type { FormPairs } from '../../http/form.js'
import { createExpiringMap } from './expiring-map.js'

/** The prefix of every request_uri of this server (RFC 9126 §2.2). */
export const REQUEST_URI_PREFIX = 'urn:ietf:params:oauth:request_uri:'

/** A pushed request can be opened for so long, in milliseconds. */
export const PUSHED_LIFETIME = 90_000

/** How long a person may take for the login after it was opened: milliseconds. */
const LOGIN_TIME = 30 * 60_000

/** Largest number of remembered pushed requests. */
const MAX_REQUESTS = 10_000

/** Authorization requests that clients pushed (RFC 9126). */
export interface PushedRequests {
  /** Keeps a request. Returns its request_uri. */
  push(clientId: string, pairs: FormPairs): string
  /**
   * The request under a request_uri, for the client that pushed it and the browser that opens it first: that one
   * may reload its page and send its form, all others find nothing (RFC 9126 §7.3).
   */
  open(requestUri: string, clientId: string, browser: string): FormPairs | undefined
  /** Forgets a request that was answered. */
  spend(requestUri: string): void
  readonly size: number
}

interface Pushed {
  readonly clientId: string
  readonly pairs: FormPairs
  readonly at: number
  openedBy?: string
}

/** Pushed requests in memory. */
export function createPushedRequests(options: {
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
}): PushedRequests {
  const { now, random } = options
  const requests = createExpiringMap<Pushed | 'spent'>({
    lifetime: PUSHED_LIFETIME + LOGIN_TIME,
    limit: MAX_REQUESTS,
    now,
  })
  return {
    push(clientId, pairs) {
      const requestUri = `${REQUEST_URI_PREFIX}${Buffer.from(random(32)).toString('base64url')}`
      requests.set(requestUri, { clientId, pairs, at: now() })
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
    spend: requestUri => requests.set(requestUri, 'spent'),
    get size() {
      return requests.size
    },
  }
}
