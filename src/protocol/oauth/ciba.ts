import type { Exchange } from '../http/exchange.js'
import { answerValues } from './answer-values.js'
import { errorInSuccess } from './error-in-success.js'
import { jsonObject, refusalIn } from './token.js'

/** `grant_type` of a token request with an auth_req_id (OpenID Connect CIBA Core §10.1). */
export const CIBA_GRANT_TYPE = 'urn:openid:params:grant-type:ciba'

/** Default pause between two polls, in milliseconds (OpenID Connect CIBA Core §7.3). */
const DEFAULT_INTERVAL = 5000

/** The acknowledgement of a backchannel authentication request (OpenID Connect CIBA Core §7.3), with times in milliseconds. */
export interface BackchannelAcknowledgement {
  readonly authReqId: string
  readonly expiresIn: number
  readonly interval: number
}

/** Name of the endpoint in messages. */
const WHAT = 'the backchannel authentication endpoint'

/**
 * Checks the answer of the backchannel authentication endpoint (OpenID Connect CIBA Core §7.3).
 * @throws OAuthError with the broken rule, or with the error that the server sent
 */
export function backchannelAcknowledgement(exchange: Exchange): BackchannelAcknowledgement {
  const rule = 'OpenID Connect CIBA Core §7.3'
  if (exchange.response?.status !== 200) throw refusalIn(exchange, WHAT, 'OpenID Connect CIBA Core §13')
  const refusal = errorInSuccess(exchange, WHAT)
  if (refusal) throw refusal
  const { text, milliseconds, invalid } = answerValues(jsonObject(exchange, WHAT, rule), rule)
  const expiresIn = milliseconds('expires_in')
  if (expiresIn === undefined) throw invalid('expires_in is missing')
  if (expiresIn === 0) throw invalid('expires_in is not positive')
  return {
    authReqId: text('auth_req_id'),
    expiresIn,
    interval: milliseconds('interval') ?? DEFAULT_INTERVAL,
  }
}
