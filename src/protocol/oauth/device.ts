import { isUrl } from '../http/address.js'
import type { Exchange } from '../http/exchange.js'
import { answerValues } from './answer-values.js'
import { errorInSuccess } from './error-in-success.js'
import { jsonObject, refusalIn } from './token.js'

/** `grant_type` of the device authorization grant (RFC 8628 §3.4). */
export const DEVICE_GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code'

/** Default pause between two polls of a device, in milliseconds (RFC 8628 §3.2). */
const DEFAULT_INTERVAL = 5000

/** A device authorization response (RFC 8628 §3.2), with times in milliseconds. */
export interface DeviceAuthorization {
  readonly deviceCode: string
  readonly userCode: string
  readonly verificationUri: string
  readonly verificationUriComplete?: string
  readonly expiresIn: number
  readonly interval: number
}

/**
 * Checks the response of the device authorization endpoint (RFC 8628 §3.2).
 * @throws OAuthError with the broken rule, or with the error that the server sent
 */
export function deviceAuthorizationResponse(exchange: Exchange): DeviceAuthorization {
  const rule = 'RFC 8628 §3.2'
  const what = 'the device authorization endpoint'
  if (exchange.response?.status !== 200) throw refusalIn(exchange, what)
  const refusal = errorInSuccess(exchange, what)
  if (refusal) throw refusal
  const members = jsonObject(exchange, what, rule)
  const { text, milliseconds, invalid } = answerValues(members, rule)
  const address = (name: string): string => {
    const url = text(name)
    if (!/^https?:\/\//i.test(url) || !isUrl(url)) throw invalid(`${name} is not an address`)
    return url
  }
  const expiresIn = milliseconds('expires_in')
  if (expiresIn === undefined) throw invalid('expires_in is missing')
  return {
    deviceCode: text('device_code'),
    userCode: text('user_code'),
    verificationUri: address('verification_uri'),
    ...(members.verification_uri_complete !== undefined && {
      verificationUriComplete: address('verification_uri_complete'),
    }),
    expiresIn,
    interval: milliseconds('interval') ?? DEFAULT_INTERVAL,
  }
}
