import { createExpiringMap } from '../../../protocol/bounded-maps.js'
import type { AcrDemand } from '../parameters/acr-demand.js'
import { POLL_INTERVAL, type WaitingRequest } from '../stores/waiting-request.js'

/** A client's request that waits for the person whom it names (OpenID Connect CIBA Core §7.1). */
export interface BackchannelRequest extends WaitingRequest {
  /** The secret of the client (OpenID Connect CIBA Core §7.3). */
  readonly authReqId: string
  /** The name of the request on the page of the person. It opens nothing for the client. */
  readonly handle: string
  readonly username: string
  /** The text that both devices show. Absent: none. */
  readonly bindingMessage?: string | undefined
  readonly acr: AcrDemand
  /** The token of a client that is pinged. Absent: it polls alone. */
  readonly notificationToken?: string | undefined
  /** True when the log has the expiry. */
  expiryReported?: boolean
}

/** The members of a request that its client chose. */
export type AskedRequest = Pick<
  BackchannelRequest,
  'client' | 'scope' | 'resources' | 'details' | 'username' | 'bindingMessage' | 'acr' | 'notificationToken'
>

/** The requests of all clients, in memory. */
export interface BackchannelRequests {
  /** Longest lifetime of a request, in milliseconds. */
  readonly lifetime: number
  /** Keeps a request. Returns undefined when too many requests wait for the person. */
  issue(asked: AskedRequest, lifetime: number): BackchannelRequest | undefined
  /** Returns a request of any age. Expired requests are still returned for a while. */
  find(authReqId: string): BackchannelRequest | undefined
  /** Returns the requests that a person may decide about, the newest first. */
  waitingFor(username: string): readonly BackchannelRequest[]
}

/** Most requests that wait for one person. */
const MAX_FOR_PERSON = 100

/** Most requests in memory. */
const MAX_REQUESTS = 10_000

/** Most bytes of them. */
const MAX_BYTES = 16 * 1024 * 1024

/** @param options.lifetime longest time for the person's decision, in milliseconds */
export function createBackchannelRequests(options: {
  readonly lifetime: number
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
}): BackchannelRequests {
  const { lifetime, now, random } = options
  // Twice the lifetime, so that a late client gets expired_token and not invalid_grant (OpenID Connect CIBA Core §11).
  const bounds = { lifetime: 2 * lifetime, limit: MAX_REQUESTS, maxBytes: MAX_BYTES, now }
  const byId = createExpiringMap<BackchannelRequest>(bounds)
  const byPerson = createExpiringMap<readonly BackchannelRequest[]>(bounds)
  const unpredictable = () => Buffer.from(random(32)).toString('base64url')
  const waitingFor = (username: string) =>
    (byPerson.get(username) ?? []).filter(each => each.decision === undefined && now() < each.expiresAt)
  return {
    lifetime,
    issue(asked, wanted) {
      const waiting = waitingFor(asked.username)
      if (waiting.length >= MAX_FOR_PERSON) return undefined
      const request: BackchannelRequest = {
        ...asked,
        authReqId: unpredictable(),
        handle: unpredictable(),
        expiresAt: now() + Math.min(wanted, lifetime),
        redeemed: false,
        interval: POLL_INTERVAL,
      }
      byId.set(request.authReqId, request)
      byPerson.set(asked.username, [request, ...waiting])
      return request
    },
    find: byId.get,
    waitingFor,
  }
}
