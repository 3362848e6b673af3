import type { Exchange } from '../../protocol/http/exchange.js'
import { header } from '../../protocol/http/message.js'
import { lacksChallenge } from '../../protocol/oauth/bearer.js'
import { advice, type Check } from '../../protocol/oauth/check.js'
import type { Citation } from '../../protocol/rules/rule.js'

function ruleFor(authorization: string): Citation {
  return /^basic /i.test(authorization) ? 'RFC 6749 §5.2' : 'RFC 6750 §3'
}

/** The check of a 401 to a request with an Authorization header; none for all other answers. */
export function challengeChecks(exchange: Exchange | undefined): Check[] {
  const authorization = exchange && header(exchange.request, 'authorization')
  if (exchange === undefined || authorization === undefined || !lacksChallenge(exchange)) return []
  const detail = '401 without a WWW-Authenticate header, which has to say how to authenticate'
  return [advice('challenge', false, ruleFor(authorization), detail)]
}
