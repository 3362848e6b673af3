import type { KeyObject } from 'node:crypto'
import type { Exchange } from '../../protocol/http/exchange.js'
import { mediaType } from '../../protocol/http/message.js'
import { readUserinfo, userinfoClaims } from '../../protocol/oauth/answers.js'
import type { Check } from '../../protocol/oauth/check.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { decodeIfJwt } from '../../protocol/tokens/decode.js'
import { verifyJwt } from '../../protocol/tokens/verify.js'
import { defined, isJsonObject, type JsonObject } from '../../protocol/values.js'
import { openEncrypted } from './open-encrypted.js'
import {
  CLOCK_LEEWAY,
  type KnownKeys,
  type RegisteredAlgorithm,
  responseKeys,
  unexpectedAlgorithm,
} from './verify-tokens.js'

/** A userinfo response that passed its checks. */
export interface UserinfoAnswer {
  readonly checks: readonly Check[]
  readonly note: string
  readonly claims: JsonObject
}

/** The values that a userinfo response is compared with. */
export interface UserinfoExpectations extends KnownKeys {
  readonly issuer?: string | undefined
  readonly clientId: string
  readonly subject: string | undefined
  /** True for a client without an id_token, which accepts any subject. */
  readonly anySubject?: boolean
  readonly algorithms?: unknown
  readonly registeredAlgorithm?: RegisteredAlgorithm | undefined
  readonly decryptionKey?: KeyObject | undefined
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Names the claims that other parties make, from `_claim_sources` (OpenID Connect Core §5.6.2). */
export function foreignClaims({
  _claim_names: names,
  _claim_sources: sources,
}: JsonObject): string | undefined {
  if (!isJsonObject(names)) return undefined
  const said = Object.entries(names)
    .slice(0, MOST_CLAIMS)
    .map(([claim, source]) => {
      const from = isJsonObject(sources) ? sources[String(source)] : undefined
      if (!isJsonObject(from)) return `${claim} from nowhere`
      if (typeof from.endpoint === 'string') return `${claim} from ${from.endpoint}`
      const issuer = typeof from.JWT === 'string' ? decodeIfJwt(from.JWT)?.claims.iss : undefined
      return `${claim} from ${typeof issuer === 'string' ? issuer : 'an unknown issuer'}`
    })
  return said.length === 0 ? undefined : `claims of others, not verified: ${said.join(', ')}`
}

const MOST_CLAIMS = 5

/** Reads plain JSON or a signed JWT (OpenID Connect Core §5.3.2). @throws OAuthError, UnreadableAnswer */
export async function readUserinfoAnswer(
  exchange: Exchange,
  expected: UserinfoExpectations,
): Promise<UserinfoAnswer> {
  const { response } = exchange
  const signed = response?.status === 200 && mediaType(response) === 'application/jwt'
  if (signed) {
    const inside = await openEncrypted(response.body.trim(), 'userinfo', expected.decryptionKey)
    // Claims that are only encrypted are JSON.
    if (!inside.startsWith('{')) return readSigned(inside, expected)
    return readPlain({ ...exchange, response: { ...response, body: inside } }, expected)
  }
  return readPlain(exchange, expected)
}

/** A response must have `sub` (OpenID Connect Core §5.3.2). */
function anySubjectIn({ sub }: JsonObject): string {
  if (typeof sub === 'string' && sub !== '') return sub
  const description = 'userinfo has no sub: nobody knows whose claims these are'
  throw new OAuthError('invalid_response', { description, rule: 'OpenID Connect Core §5.3.2' })
}

function readPlain(exchange: Exchange, expected: UserinfoExpectations): UserinfoAnswer {
  if (expected.anySubject && expected.subject === undefined) {
    const subject = anySubjectIn(userinfoClaims(exchange))
    return { ...readPlain(exchange, { ...expected, subject }), checks: [] }
  }
  const { sub, claims, checks } = readUserinfo(exchange, expected.subject)
  const others = foreignClaims(claims)
  return { checks, claims, note: others === undefined ? `sub=${sub}` : `sub=${sub}; ${others}` }
}

async function readSigned(jwt: string, expected: UserinfoExpectations): Promise<UserinfoAnswer> {
  const refused = (description: string) =>
    new OAuthError('invalid_response', { description, rule: 'OpenID Connect Core §5.3.4' })
  const decoded = decodeIfJwt(jwt)
  if (decoded === undefined) throw refused('userinfo answered application/jwt, and no signed JWT')
  const keys = responseKeys(decoded, expected, expected.algorithms)
  if (keys === undefined) throw refused('userinfo is signed, and no keys are published to verify it with')
  const {
    issuer,
    clientId,
    subject = expected.anySubject ? anySubjectIn(decoded.claims) : '',
    now,
    algorithms: announced,
    registeredAlgorithm: registered,
  } = expected
  const usual = { audience: clientId, subject, now, mayLackExp: true, tolerance: CLOCK_LEEWAY }
  const claimed = defined({ issuer, ...usual })
  const { checks } = await verifyJwt(jwt, keys, claimed)
  const foreign = unexpectedAlgorithm(decoded, { announced, registered }, 'OpenID Connect Core §5.3.4')
  const broken = [...foreign, ...checks].find(each => !each.ok)
  if (broken?.name === 'sub') {
    throw new OAuthError('subject_mismatch', {
      description: `userinfo is about ${broken.detail}, the id_token about ${subject}`,
      rule: broken.rule,
    })
  }
  if (broken !== undefined) {
    throw refused(`the ${broken.name} of the signed userinfo is not accepted: ${broken.detail}`)
  }
  const others = foreignClaims(decoded.claims)
  const note = `sub=${subject}, signed by ${String(decoded.header.alg)}`
  return { checks, claims: decoded.claims, note: others === undefined ? note : `${note}; ${others}` }
}
