import { CIBA_GRANT_TYPE } from '../../../protocol/oauth/answers.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import type { Publish } from '../events.js'
import { authenticationOf } from '../logins/authentication.js'
import type { BaseParts } from '../parts.js'
import { type BackchannelRequest, POLL_INTERVAL, type WaitingRequest } from '../stores/device-codes.js'
import { type Grant, invalidGrant, required } from './grant.js'

/** A grant whose client polls until a person has decided on another device. */
interface PolledGrant<Request extends WaitingRequest> {
  readonly grantType: string
  /** The parameter with the code of the request, such as `device_code`. */
  readonly parameter: string
  readonly request: Citation
  readonly errors: Citation
  find(code: string): Request | undefined
  /** Called for each poll of an expired request. Absent: nothing happens. */
  expired?(request: Request, publish: Publish): void
}

/** Tolerance for a client whose timer runs fast, in milliseconds. */
const TOLERANCE = 250

/** Makes a grant with polling: of devices (RFC 8628 §3.4), and of backchannel authentication (OpenID Connect CIBA Core §10.1). */
function polledGrant<Request extends WaitingRequest>(
  { grantType, parameter, request: asked, errors: rule, find, expired }: PolledGrant<Request>,
  { now, registry, refreshTokens }: BaseParts,
): Grant {
  const redeemedBefore = () => invalidGrant(`the ${parameter} was redeemed before`, rule)

  /** Returns the error for a client whose person has not decided yet. */
  function wait(request: Request): OAuthError<'authorization_pending' | 'slow_down'> {
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
    grantType,
    parameters: [parameter],
    async decide(client, parameters, { publish }) {
      const request = find(required(parameters[parameter], parameter, asked))
      if (request === undefined) throw invalidGrant(`the ${parameter} is unknown`, rule)
      if (request.client.client_id !== client.client_id) {
        throw invalidGrant(`the ${parameter} was issued to another client`, rule)
      }
      if (request.redeemed) throw redeemedBefore()
      if (now() >= request.expiresAt) {
        expired?.(request, publish)
        throw new OAuthError('expired_token', { description: `the ${parameter} has expired`, rule })
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

/** `grant_type` of the device authorization grant (RFC 8628 §3.4). */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** The device authorization grant (RFC 8628 §3.4). A device polls until the person has decided. */
export function deviceCodeGrant(parts: BaseParts): Grant {
  const device = {
    grantType: DEVICE_GRANT,
    parameter: 'device_code',
    request: 'RFC 8628 §3.4',
    errors: 'RFC 8628 §3.5',
    find: parts.deviceCodes.find,
  } as const
  return polledGrant(device, parts)
}

/** The grant of backchannel authentication (OpenID Connect CIBA Core §10.1). A client with a ping may poll as well. */
export function cibaGrant(parts: BaseParts): Grant {
  const { find } = parts.backchannelRequests
  return polledGrant(
    {
      grantType: CIBA_GRANT_TYPE,
      parameter: 'auth_req_id',
      request: 'OpenID Connect CIBA Core §10.1',
      errors: 'OpenID Connect CIBA Core §11',
      find,
      expired: reportExpiry,
    },
    parts,
  )
}

/** Reports once that nobody decided about a request in time. */
function reportExpiry(request: BackchannelRequest, publish: Publish): void {
  if (request.expiryReported || request.decision) return
  request.expiryReported = true
  publish({ type: 'ciba.expired', client_id: request.client.client_id, username: request.username })
}
