import { createExpiringMap, type ExpiringMap } from '../../../protocol/bounded-maps.js'
import type { AuthorizationDetails } from '../../../protocol/oauth/authorization-details.js'
import type { Client } from '../../../protocol/oauth/client.js'
import type { Authentication } from '../logins/authentication.js'
import type { AcrDemand } from '../parameters/login-demands.js'

/** A device authorization that waits for a person's decision (RFC 8628). */
export interface DeviceRequest extends WaitingRequest {
  readonly userCode: string
}

/** Device authorizations in memory. */
export interface DeviceCodes {
  readonly lifetime: number
  /** @param owner the client, or a part of it that cannot push out the others */
  issue(
    asked: Pick<DeviceRequest, 'client' | 'scope' | 'resources' | 'details'>,
    owner: string,
  ): {
    readonly deviceCode: string
    readonly request: DeviceRequest
  }
  /** Returns the request of a device. Expired requests are still returned for a while. */
  find(deviceCode: string): DeviceRequest | undefined
  /** Returns the request that a person may decide about: neither expired nor decided. */
  undecided(userCode: string): DeviceRequest | undefined
}

/** Most devices of an owner that wait. */
const MAX_DEVICES = 10_000

/** Most bytes of them. */
const MAX_BYTES = 16 * 1024 * 1024

/** @param options.lifetime time for the person's decision, in milliseconds */
export function createDeviceCodes(options: {
  readonly lifetime: number
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
}): DeviceCodes {
  const { lifetime, now, random } = options
  // Twice the lifetime of a code, so that a late device gets expired_token and not invalid_grant (RFC 8628 §3.5).
  const bounds = { lifetime: 2 * lifetime, limit: MAX_DEVICES, maxBytes: MAX_BYTES, now }
  const byDeviceCode = createExpiringMap<DeviceRequest>(bounds)
  /** The device codes, which know when a request was pushed out. */
  const byUserCode = createExpiringMap<string>(bounds)
  const hasExpired = ({ expiresAt }: DeviceRequest) => now() >= expiresAt
  const undecided = (userCode: string) => {
    const request = byDeviceCode.get(byUserCode.get(userCode) ?? '')
    return request === undefined || request.decision || hasExpired(request) ? undefined : request
  }
  const freeUserCode = (): string => {
    const code = makeUserCode(random)
    return undecided(code) ? freeUserCode() : code
  }
  return {
    lifetime,
    issue(asked, owner) {
      const deviceCode = Buffer.from(random(32)).toString('base64url')
      const request: DeviceRequest = {
        ...asked,
        userCode: freeUserCode(),
        expiresAt: now() + lifetime,
        redeemed: false,
        interval: POLL_INTERVAL,
      }
      byDeviceCode.set(deviceCode, request, owner)
      byUserCode.set(request.userCode, deviceCode, owner)
      return { deviceCode, request }
    },
    find: deviceCode => byDeviceCode.get(deviceCode),
    undecided,
  }
}

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

type AskedRequest = Pick<
  BackchannelRequest,
  'client' | 'scope' | 'resources' | 'details' | 'username' | 'bindingMessage' | 'acr' | 'notificationToken'
>

/** The requests of all clients, in memory. */
export interface BackchannelRequests {
  /** Longest lifetime of a request, in milliseconds. */
  readonly lifetime: number
  /** Keeps a request. A client with too many for one person loses its oldest for that person. */
  issue(asked: AskedRequest, lifetime: number): BackchannelRequest
  /** Returns a request. Expired requests are still returned for a while. */
  find(authReqId: string): BackchannelRequest | undefined
  /** Returns the requests that a person may decide about, the newest first. */
  waitingFor(username: string): readonly BackchannelRequest[]
}

/** Most requests of a client for one person. */
const MAX_FOR_PERSON = 50

/** Most requests of a client. */
const MAX_REQUESTS = 10_000

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
  /** The requests by their ids, in a map for each user. */
  const byPerson = new Map<string, ExpiringMap<BackchannelRequest>>()
  const unpredictable = () => Buffer.from(random(32)).toString('base64url')
  const waitingFor = (username: string) =>
    (byPerson.get(username)?.values() ?? [])
      .filter(each => each.decision === undefined && now() < each.expiresAt && byId.get(each.authReqId))
      .reverse()
  return {
    lifetime,
    issue(asked, wanted) {
      const { username, client } = asked
      const person = byPerson.get(username) ?? createExpiringMap({ ...bounds, limit: MAX_FOR_PERSON })
      byPerson.set(username, person)
      const request: BackchannelRequest = {
        ...asked,
        authReqId: unpredictable(),
        handle: unpredictable(),
        expiresAt: now() + Math.min(wanted, lifetime),
        redeemed: false,
        interval: POLL_INTERVAL,
      }
      byId.set(request.authReqId, request, client.client_id)
      person.set(request.authReqId, request, client.client_id)
      return request
    },
    find(authReqId) {
      const found = byId.get(authReqId)
      return found && byPerson.get(found.username)?.get(authReqId)
    },
    waitingFor,
  }
}

/** A person's decision about a request that waits on another device. */
type WaitingDecision =
  | ({ readonly kind: 'approved'; readonly username: string } & Authentication)
  | { readonly kind: 'denied' }

/** A request that waits for a person's decision, while its client polls the token endpoint. */
export interface WaitingRequest {
  readonly client: Client
  readonly scope: readonly string[]
  /** Resources of the access token (RFC 8707). */
  readonly resources: readonly string[]
  /** Authorization details of the access token (RFC 9396 §2). Absent: none. */
  readonly details?: AuthorizationDetails | undefined
  /** End of the wait, in milliseconds since the epoch. */
  readonly expiresAt: number
  decision?: WaitingDecision
  redeemed: boolean
  polledAt?: number
  /** Shortest time between two polls, in milliseconds. */
  interval: number
}

/** Shortest time between two polls in milliseconds, and the increase after a poll that came too soon (RFC 8628 §3.5). */
export const POLL_INTERVAL = 5000

/**
 * The letters of a user code (RFC 8628 §6.1). Only consonants, so that no code spells a word, and none that looks like
 * a digit. Eight of these 20 letters give 34.5 bits.
 */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8

/** Makes a new user code, such as `WDJB-MJHT`. */
export function makeUserCode(random: (length: number) => Uint8Array): string {
  let code = ''
  while (code.length < LENGTH) {
    // Bytes from 240 on are dropped: 240 is a multiple of 20, so every letter is equally likely.
    for (const byte of random(LENGTH)) if (byte < 240) code += LETTERS[byte % LETTERS.length]!
  }
  return `${code.slice(0, 4)}-${code.slice(4, LENGTH)}`
}

/** Converts a typed user code to the form that was shown; undefined for a text that cannot be a user code. */
export function readUserCode(typed: string): string | undefined {
  const code = typed
    .slice(0, 64)
    .toUpperCase()
    .replace(/[\s\p{P}]/gu, '')
  if (code.length !== LENGTH || [...code].some(letter => !LETTERS.includes(letter))) return undefined
  return `${code.slice(0, 4)}-${code.slice(4)}`
}
