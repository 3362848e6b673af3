import type { DeviceCodes } from '../stores/device-codes.js'
import type { Grant } from './grant.js'
import { type PolledGrantParts, polledGrant } from './polled-grant.js'

/** `grant_type` of the device authorization grant (RFC 8628 §3.4). */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** The parts that the grant uses. */
export interface DeviceCodeParts extends PolledGrantParts {
  readonly deviceCodes: DeviceCodes
}

/** The device authorization grant (RFC 8628 §3.4). A device polls until the person has decided. */
export function deviceCodeGrant(parts: DeviceCodeParts): Grant {
  const device = {
    grantType: DEVICE_GRANT,
    parameter: 'device_code',
    request: 'RFC 8628 §3.4',
    errors: 'RFC 8628 §3.5',
    find: parts.deviceCodes.find,
  } as const
  return polledGrant(device, parts)
}
