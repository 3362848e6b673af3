import { createExpiringMap } from '../../../protocol/bounded-maps.js'
import { makeUserCode } from './user-code.js'
import { POLL_INTERVAL, type WaitingRequest } from './waiting-request.js'

/** A device authorization that waits for a person's decision (RFC 8628). */
export interface DeviceRequest extends WaitingRequest {
  readonly userCode: string
}

/** Device authorizations in memory. */
export interface DeviceCodes {
  /** Lifetime of a device code, in milliseconds. */
  readonly lifetime: number
  issue(asked: Pick<DeviceRequest, 'client' | 'scope' | 'resources' | 'details'>): {
    readonly deviceCode: string
    readonly request: DeviceRequest
  }
  /** Returns the request of a device. Expired requests are still returned for a while. */
  find(deviceCode: string): DeviceRequest | undefined
  /** Returns the request that a person may decide about: neither expired nor decided. */
  undecided(userCode: string): DeviceRequest | undefined
}

/** Most devices that wait. */
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
  const byUserCode = createExpiringMap<DeviceRequest>(bounds)
  const hasExpired = ({ expiresAt }: DeviceRequest) => now() >= expiresAt
  const undecided = (userCode: string) => {
    const request = byUserCode.get(userCode)
    return request === undefined || request.decision || hasExpired(request) ? undefined : request
  }
  const freeUserCode = (): string => {
    const code = makeUserCode(random)
    return undecided(code) ? freeUserCode() : code
  }
  return {
    lifetime,
    issue(asked) {
      const deviceCode = Buffer.from(random(32)).toString('base64url')
      const request: DeviceRequest = {
        ...asked,
        userCode: freeUserCode(),
        expiresAt: now() + lifetime,
        redeemed: false,
        interval: POLL_INTERVAL,
      }
      byDeviceCode.set(deviceCode, request)
      byUserCode.set(request.userCode, request)
      return { deviceCode, request }
    },
    find: deviceCode => byDeviceCode.get(deviceCode),
    undecided,
  }
}
