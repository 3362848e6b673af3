import type { KeyObject } from 'node:crypto'
import { advice, type Check, check, isBreach, NO_ISSUER, shown } from '../../protocol/oauth/check.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { decodeIfJwt } from '../../protocol/tokens/decode.js'
import { isJwe } from '../../protocol/tokens/encryption.js'
import { verifyJwt } from '../../protocol/tokens/verify.js'
import type { JsonObject } from '../../protocol/values.js'
import { defined } from '../../protocol/values.js'
import type { StepToken } from '../step.js'
import { openEncrypted } from './open-encrypted.js'
import {
  CLOCK_LEEWAY,
  type KnownKeys,
  type RegisteredAlgorithm,
  responseKeys,
  stepToken,
  unexpectedAlgorithm,
} from './verify-tokens.js'

/** The values that a response JWT is compared with. */
export interface ResponseJwtExpectations extends KnownKeys {
  /** Absent where it is not known: `iss` is pointed out, and not compared. */
  readonly issuer?: string | undefined
  readonly clientId: string
  readonly algorithms?: unknown
  readonly registeredAlgorithm?: RegisteredAlgorithm | undefined
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** A response JWT with the checks of JARM §2.4. */
export interface VerifiedResponse {
  readonly token: StepToken
  readonly claims: JsonObject
  readonly refusal?: OAuthError
}

const RULE = 'JARM §2.4'

/** Checks of claims that JARM does not name: they keep their own rule. */
const CLAIMED = new Set(['nbf', 'iat'])

const refused = (description: string) => new OAuthError('invalid_response', { description, rule: RULE })

/** A response JWT before its verification. */
export interface ArrivedResponse {
  readonly jwt: string
  readonly token: StepToken
}

/** Decrypts and decodes a response JWT. @throws OAuthError for a text that is no JWT, or cannot be decrypted */
export async function openResponse(text: string, key: KeyObject | undefined): Promise<ArrivedResponse> {
  const jwt = await openEncrypted(text, 'authorization response', key, RULE)
  if (decodeIfJwt(jwt) === undefined) throw refused('the parameter response is no signed JWT')
  const decrypted = isJwe(text) ? [check('decryption', true, RULE, 'with the key of the client')] : []
  return { jwt, token: stepToken('authorization_response', jwt, decrypted) }
}

/** RS256 is expected where neither side names another algorithm (JARM §3). */
function algorithmCheck(
  decoded: NonNullable<ReturnType<typeof decodeIfJwt>>,
  { algorithms: announced, registeredAlgorithm }: ResponseJwtExpectations,
): Check {
  const { alg } = decoded.header
  if (alg === 'none') return check('alg', false, RULE, 'none: nobody signed this answer')
  const isSilent = !Array.isArray(announced) || announced.length === 0
  const registered = registeredAlgorithm ?? (isSilent ? 'RS256' : undefined)
  const [wrong] = unexpectedAlgorithm(decoded, { announced, registered }, 'JARM §3')
  return wrong ?? check('alg', true, 'JARM §3', shown(alg))
}

/** Verifies a response JWT in the order of JARM §2.4: issuer, audience, expiry, signature. */
export async function verifyResponse(
  { jwt, token }: ArrivedResponse,
  expected: ResponseJwtExpectations,
): Promise<VerifiedResponse> {
  const { issuer, clientId: audience, now, algorithms } = expected
  const decoded = decodeIfJwt(jwt)!
  const { claims } = decoded
  const keys = responseKeys(decoded, expected, algorithms)
  if (keys === undefined) {
    const refusal = refused('the answer is signed, and no keys are published to verify it with')
    return { token, claims, refusal }
  }
  const { checks } = await verifyJwt(jwt, keys, {
    ...defined({ issuer }),
    audience,
    now,
    tolerance: CLOCK_LEEWAY,
  })
  const [signature, ...about] = checks.map(
    (each): Check => (CLAIMED.has(each.name) ? each : { ...each, rule: RULE }),
  )
  const unknown =
    issuer === undefined ? [advice('iss', false, RULE, `${shown(claims.iss)}; ${NO_ISSUER}`)] : []
  const all = [...token.checks, ...unknown, ...about, algorithmCheck(decoded, expected), signature!]
  const broken = all.find(isBreach)
  return defined({ token: { ...token, checks: all }, claims, refusal: broken && refusalOf(broken) })
}

function refusalOf({ name, rule, detail }: Check): OAuthError {
  const code = name === 'iss' ? 'issuer_mismatch' : 'invalid_response'
  const said = detail === undefined ? '' : `: ${detail}`
  const description = `the ${name} of the response JWT is not accepted${said}`
  return new OAuthError(code, { description, rule })
}
