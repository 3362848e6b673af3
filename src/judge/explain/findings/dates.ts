import { otherLifetime } from '../../../protocol/second-reading.js'
import { checkDateUnit } from '../../../protocol/tokens/explain.js'
import { type Finding, finding, type Judge } from '../finding.js'
import { readJwt } from '../jwt.js'
import { answeredJson, issuedTokens, type Message, presentedToken } from '../message.js'
import { receivedAt } from '../recorded.js'
import { type IssuedJwt, issuedJwts, tokenName } from './parts.js'

/** Difference between two clocks that is no finding, in milliseconds. */
const SKEW = 60_000

const inWords = (ms: number): string =>
  ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} minutes`

function judgeIssued({ kind, jwt, message }: IssuedJwt): Finding[] {
  const unit = checkDateUnit(jwt.claims)
  if (!unit.ok) {
    const next = 'divide by 1000 where the token is made'
    return [
      finding(
        'fault',
        'milliseconds',
        'RFC 7519 §2',
        message,
        `the ${tokenName(kind)} has ${unit.detail}`,
        next,
      ),
    ]
  }
  const { exp, iat } = jwt.claims
  const received = receivedAt(message.recorded)
  if (typeof exp === 'number' && exp * 1000 < received - SKEW) {
    const text = `the ${tokenName(kind)} had expired ${inWords(received - exp * 1000)} before it arrived, by the clock of the recording`
    return [
      finding(
        'fault',
        'expired-on-arrival',
        'RFC 7519 §4.1.4',
        message,
        text,
        'compare the clocks of both computers',
      ),
    ]
  }
  if (typeof iat === 'number' && iat * 1000 > received + SKEW) {
    const text = `the ${tokenName(kind)} says that it was issued ${inWords(iat * 1000 - received)} after it arrived, by the clock of the recording`
    return [
      finding(
        'weakness',
        'issued-in-future',
        'RFC 7519 §4.1.6',
        message,
        text,
        'compare the clocks of both computers',
      ),
    ]
  }
  return []
}

/** The end of an access token, in milliseconds since the epoch: its exp, else what the token answer announced. */
function endOf(token: string, messages: readonly Message[]): number | undefined {
  const exp = readJwt(token)?.claims.exp
  // Dates in milliseconds have a finding of their own.
  if (typeof exp === 'number') return exp > 1e11 ? undefined : exp * 1000
  const issued = issuedTokens(messages).find(({ value }) => value === token)
  const seconds = issued && answeredJson(issued.message)?.expires_in
  return issued && typeof seconds === 'number'
    ? receivedAt(issued.message.recorded) + seconds * 1000
    : undefined
}

/** Judges the times of tokens by the clock of the recording. */
export const judgeDates: Judge = conversation => {
  const { messages } = conversation
  for (const message of messages) {
    const { expires_in: lifetime } = message.kind === 'token_request' ? (answeredJson(message) ?? {}) : {}
    const unit = typeof lifetime === 'number' ? otherLifetime(lifetime) : undefined
    if (unit === undefined) continue
    const text = `expires_in is ${lifetime}: ${unit}`
    return [
      finding('weakness', 'expires-in-unit', 'RFC 6749 §5.1', message, text, 'send the lifetime in seconds'),
    ]
  }
  const arrived = issuedJwts(conversation).flatMap(judgeIssued)
  if (arrived.length > 0) return arrived
  for (const message of messages) {
    if (!/^(resource|userinfo)_request$/.test(message.kind)) continue
    const end = endOf(presentedToken(message) ?? '', messages)
    const late = end === undefined ? 0 : message.recorded.sent - end
    if (late <= 0) continue
    const text = `the access token had expired ${inWords(late)} before it was sent, by the clock of the recording`
    const next = 'refresh the token before it ends, or after a 401'
    return [finding('fault', 'expired-token-sent', 'RFC 7519 §4.1.4', message, text, next)]
  }
  return []
}
