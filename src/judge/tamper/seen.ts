import { answerMembers } from '../../flows/answers/answer-members.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { defined } from '../../protocol/values.js'

/** The values seen on the way to a token request. */
export interface Seen {
  /** The scope that the last answer granted. */
  readonly scope?: string
  /** How long the device code, the auth_req_id or the request_uri of the last answer lives, in milliseconds. */
  readonly statedLifetime?: number
}

/** The limits in an answer that a later request may exceed: its scope, and the lifetime of what it names. */
export function seenIn(exchange: Exchange): Seen {
  const {
    scope,
    device_code: device,
    auth_req_id: id,
    request_uri: uri,
    expires_in: seconds,
  } = answerMembers(exchange)
  const isNamed = [device, id, uri].some(each => each !== undefined)
  return defined({
    scope: typeof scope === 'string' ? scope : undefined,
    statedLifetime: isNamed && typeof seconds === 'number' ? seconds * 1000 : undefined,
  })
}
