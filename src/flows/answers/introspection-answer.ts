import type { KeyObject } from 'node:crypto'
import type { Exchange } from '../../protocol/http/exchange.js'
import { header, mediaType } from '../../protocol/http/message.js'
import { jsonObject, refusalIn } from '../../protocol/oauth/answers.js'
import { advice, type Check, check, shown } from '../../protocol/oauth/check.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { decodeIfJwt } from '../../protocol/tokens/decode.js'
import { verifyJwt } from '../../protocol/tokens/verify.js'
import { defined, isJsonObject, type JsonObject } from '../../protocol/values.js'
import { openEncrypted } from './open-encrypted.js'
import { CLOCK_LEEWAY, type KnownKeys, responseKeys, unexpectedAlgorithm } from './verify-tokens.js'

/** Media type of an introspection answer in a JWT (RFC 9701 §4). */
export const INTROSPECTION_JWT = 'application/token-introspection+jwt'

/** An introspection answer that passed its checks. */
export interface IntrospectionAnswer {
  readonly active: boolean
  readonly members: JsonObject
  readonly checks: readonly Check[]
  readonly signed?: JsonObject
}

/** The values that an introspection answer is compared with. */
export interface IntrospectionExpectations extends KnownKeys {
  /** Absent: the client compares nothing. */
  readonly issuer?: string | undefined
  readonly clientId: string
  readonly algorithms?: unknown
  readonly decryptionKey?: KeyObject | undefined
  /** Milliseconds since the epoch. */
  readonly now: number
}

/**
 * Reads an introspection answer: plain JSON (RFC 7662 §2.2), or a JWT that the server signed (RFC 9701 §5).
 * @throws OAuthError for a refusal, and for an answer that breaks a rule; UnreadableAnswer
 */
export async function readIntrospection(
  exchange: Exchange,
  expected: IntrospectionExpectations,
): Promise<IntrospectionAnswer> {
  const { request, response } = exchange
  if (response?.status !== 200) throw refusalIn(exchange, 'the introspection endpoint')
  if (mediaType(response) === INTROSPECTION_JWT) return readSigned(response.body.trim(), expected)
  const members = jsonObject(exchange, 'the introspection endpoint', 'RFC 7662 §2.2')
  const answer = judged(members, expected.now)
  if (!(header(request, 'accept') ?? '').includes(INTROSPECTION_JWT)) return answer
  const unsigned = 'a signed answer was asked for, and JSON came: anyone on the way could have made it'
  return { ...answer, checks: [advice('signed', false, 'RFC 9701 §5', unsigned), ...answer.checks] }
}

async function readSigned(text: string, expected: IntrospectionExpectations): Promise<IntrospectionAnswer> {
  const rule = 'RFC 9701 §5'
  const refused = (description: string) => new OAuthError('invalid_response', { description, rule })
  const jwt = await openEncrypted(text, 'introspection answer', expected.decryptionKey)
  const decoded = decodeIfJwt(jwt)
  if (decoded === undefined)
    throw refused(`the introspection endpoint answered ${INTROSPECTION_JWT}, and no JWT`)
  const { issuer, clientId, now, algorithms: announced } = expected
  const keys = responseKeys(decoded, expected, announced)
  if (keys === undefined) throw refused('the answer is signed, and no keys are published to verify it with')
  // The answer has no expiry of its own: exp of the token is inside (RFC 9701 §5).
  const usual = { audience: clientId, now, mayLackExp: true, tolerance: CLOCK_LEEWAY }
  const claimed = defined({ issuer, ...usual })
  const { checks: verified } = await verifyJwt(jwt, keys, claimed)
  const { typ } = decoded.header
  const { iat, token_introspection: inside } = decoded.claims
  const isTyped = typeof typ === 'string' && /^(application\/)?token-introspection\+jwt$/i.test(typ)
  const checks = [
    check('typ', isTyped, 'RFC 9701 §8.1', shown(typ)),
    ...unexpectedAlgorithm(decoded, { announced }, rule),
    ...verified,
    ...(typeof iat === 'number' ? [] : [check('iat', false, rule, shown(iat))]),
  ]
  const broken = checks.find(({ ok }) => !ok)
  if (broken !== undefined) {
    const description = `the ${broken.name} of the signed answer is not accepted: ${broken.detail ?? 'it is wrong'}`
    throw new OAuthError('invalid_response', { description, rule: broken.rule })
  }
  if (!isJsonObject(inside)) throw refused('the signed answer has no object token_introspection')
  const answer = judged(inside, now)
  return { ...answer, checks: [...checks, ...answer.checks], signed: decoded.header }
}

/** @throws OAuthError for an answer that does not say if the token is active */
function judged(members: JsonObject, now: number): IntrospectionAnswer {
  const rule = 'RFC 7662 §2.2'
  const { active, exp, nbf } = members
  if (typeof active !== 'boolean') {
    const description = `the answer has no boolean active: ${shown(active)}`
    throw new OAuthError('invalid_response', { description, rule })
  }
  if (!active) {
    const more = Object.keys(members).filter(name => name !== 'active')
    const detail = more.length === 0 ? 'no more than that' : `it also has ${more.slice(0, 5).join(', ')}`
    return { active, members, checks: [advice('silent', more.length === 0, rule, detail)] }
  }
  const checks: Check[] = [check('active', true, rule, 'true')]
  const isPast = typeof exp === 'number' && exp * 1000 + CLOCK_LEEWAY * 1000 < now
  const isEarly = typeof nbf === 'number' && nbf * 1000 - CLOCK_LEEWAY * 1000 > now
  if (isPast) checks.push(advice('exp', false, 'RFC 7662 §4', 'it is active, and expired by this clock'))
  if (isEarly)
    checks.push(advice('nbf', false, 'RFC 7662 §4', 'it is active before it is valid by this clock'))
  return defined({ active, members, checks })
}
