import type { Client } from '../../oauth/client.js'
import { createExpiringMap } from './expiring-map.js'
import { makeUserCode } from './user-code.js'

/** A person's decision about a device. */
export type DeviceDecision =
  | { readonly kind: 'approved'; readonly username: string /** Milliseconds. */; readonly loginAt: number }
  | { readonly kind: 'denied' }

/** A device that asks for tokens, and waits until a person has decided elsewhere (RFC 8628). */
export interface DeviceRequest {
  readonly client: Client
  readonly scope: readonly string[]
  readonly userCode: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  decision?: DeviceDecision
  redeemed: boolean
  /** When the device asked last, and how long it has to wait between two questions; milliseconds. */
  polledAt?: number
  interval: number
}

/** Requests of devices in memory. */
export interface DeviceCodes {
  /** Milliseconds. */
  readonly lifetime: number
  issue(
    client: Client,
    scope: readonly string[],
  ): { readonly deviceCode: string; readonly request: DeviceRequest }
  /** The request of a device, expired ones too for a while. */
  find(deviceCode: string): DeviceRequest | undefined
  /** The request a person may decide about: not expired, not decided. */
  undecided(userCode: string): DeviceRequest | undefined
  hasExpired(request: DeviceRequest): boolean
}

/** Milliseconds between two questions of a device, and what is added when it asks too soon (RFC 8628 §3.5). */
export const POLL_INTERVAL = 5000

/** Largest number of waiting devices. */
const MAX_DEVICES = 10_000

/** @param options.lifetime how long a person may take, in milliseconds */
export function createDeviceCodes(options: {
  readonly lifetime: number
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
}): DeviceCodes {
  const { lifetime, now, random } = options
  // Longer than the codes live, so that a late device learns that its code expired.
  const bounds = { lifetime: 2 * lifetime, limit: MAX_DEVICES, now }
  const byDeviceCode = createExpiringMap<DeviceRequest>(bounds)
  const byUserCode = createExpiringMap<DeviceRequest>(bounds)
  const hasExpired = ({ expiresAt }: DeviceRequest) => now() >= expiresAt
  const undecided = (userCode: string) => {
    const found = byUserCode.get(userCode)
    return found === undefined || found.decision || hasExpired(found) ? undefined : found
  }
  const freeUserCode = (): string => {
    const code = makeUserCode(random)
    return undecided(code) ? freeUserCode() : code
  }
  return {
    lifetime,
    issue(client, scope) {
      const deviceCode = Buffer.from(random(32)).toString('base64url')
      const request: DeviceRequest = {
        ...{ client, scope, userCode: freeUserCode(), expiresAt: now() + lifetime },
        ...{ redeemed: false, interval: POLL_INTERVAL },
      }
      byDeviceCode.set(deviceCode, request)
      byUserCode.set(request.userCode, request)
      return { deviceCode, request }
    },
    find: deviceCode => byDeviceCode.get(deviceCode),
    undecided,
    hasExpired,
  }
}
