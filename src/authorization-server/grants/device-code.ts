import { OAuthError } from '../../oauth/oauth-error.js'
import { authenticationOf } from '../logins/authentication.js'
import { type DeviceCodes, type DeviceRequest, POLL_INTERVAL } from '../stores/device-codes.js'
import type { RefreshTokens } from '../stores/refresh-tokens.js'
import type { Registry } from '../stores/registry.js'
import type { Grant } from './grant.js'
import { invalidGrant, required } from './refusals.js'

/** `grant_type` of the device authorization grant (RFC 8628 §3.4). */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** The parts that the grant uses. */
export interface DeviceCodeParts {
  readonly now: () => number
  readonly registry: Registry
  readonly deviceCodes: DeviceCodes
  readonly refreshTokens: RefreshTokens
}

/** Tolerance for a device whose timer runs fast, in milliseconds. */
const TOLERANCE = 250

/** The device authorization grant (RFC 8628 §3.4). A device polls until the person has decided. */
export function deviceCodeGrant(parts: DeviceCodeParts): Grant {
  const { now, registry, deviceCodes, refreshTokens } = parts
  const rule = 'RFC 8628 §3.5'

  const redeemedBefore = () => invalidGrant('the device_code was redeemed before', rule)

  /** Returns the error for a device whose person has not decided yet. */
  function wait(request: DeviceRequest): OAuthError<'authorization_pending' | 'slow_down'> {
    const { polledAt, interval } = request
    const at = now()
    request.polledAt = at
    if (polledAt === undefined || at >= polledAt + interval - TOLERANCE) {
      return new OAuthError('authorization_pending', { description: 'the person has not decided yet', rule })
    }
    request.interval += POLL_INTERVAL
    const description = `asked too soon; wait ${request.interval / 1000} seconds between two requests`
    return new OAuthError('slow_down', { description, rule })
  }

  return {
    grantType: DEVICE_GRANT,
    parameters: ['device_code'],
    async decide(client, parameters) {
      const code = required(parameters.device_code, 'device_code', 'RFC 8628 §3.4')
      const request = deviceCodes.find(code)
      if (request === undefined) throw invalidGrant('the device_code is unknown', rule)
      if (request.client.client_id !== client.client_id) {
        throw invalidGrant('the device_code was issued to another client', rule)
      }
      if (request.redeemed) throw redeemedBefore()
      if (deviceCodes.hasExpired(request)) {
        throw new OAuthError('expired_token', { description: 'the device_code has expired', rule })
      }
      const { decision, scope, resources, details = [] } = request
      if (decision === undefined) throw wait(request)
      if (decision.kind === 'denied') {
        throw new OAuthError('access_denied', { description: 'the resource owner refused', rule })
      }
      if (registry.user(decision.username) === undefined) {
        throw invalidGrant('there is no such user any more', rule)
      }
      const { username } = decision
      const login = authenticationOf(decision)
      return {
        subject: username,
        scope,
        login,
        authorizedResources: resources,
        authorizedDetails: details,
        redeem(entitlement) {
          if (request.redeemed) throw redeemedBefore()
          request.redeemed = true
          return refreshTokens.issueFor({ ...entitlement, details }, login)
        },
      }
    },
  }
}
