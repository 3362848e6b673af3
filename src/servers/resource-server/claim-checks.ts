import { ownerOf } from '../../protocol/bounded-maps.js'
import { bounded } from '../../protocol/events.js'
import { readAuthorizationDetails } from '../../protocol/oauth/authorization-details.js'
import { type Check, check, firstFailed, shown } from '../../protocol/oauth/check.js'
import type { BearerErrorCode, DpopErrorCode } from '../../protocol/oauth/oauth-error.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { sameResource } from '../../protocol/oauth/scope.js'
import type { Citation } from '../../protocol/rules/rule.js'
import { idTokenMark } from '../../protocol/second-reading.js'
import type { DecodedJwt } from '../../protocol/tokens/decode.js'
import { checkDateUnit } from '../../protocol/tokens/explain.js'
import { checkClaims } from '../../protocol/tokens/verify.js'
import type { ResourceRoute } from './settings.js'

type Claims = DecodedJwt['claims']

/** Returns the owner of what the bearer of a token leaves in a memory: the client and the subject at its issuer. */
export function presenterOf({ iss, client_id: client, sub }: Claims): string {
  return ownerOf(String(iss), String(client), String(sub))
}

/** The settings that claims are compared with. */
export interface ClaimRules {
  readonly issuer: string
  readonly audiences: readonly string[]
  /** Allowed difference between clocks, in seconds; default 0. */
  readonly tolerance?: number
}

/** Checks the claims of an access token: unit of the dates, issuer, lifetime, audience. */
export function checkAccessClaims(claims: Claims, rules: ClaimRules, now: number): readonly Check[] {
  const { issuer, tolerance = 0 } = rules
  return [
    checkDateUnit(claims),
    ...checkClaims(claims, { issuer, now, tolerance }),
    checkAudience(claims.aud, rules.audiences),
  ]
}

function checkAudience(aud: unknown, accepted: readonly string[]): Check {
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud]
  const found = accepted.find(each =>
    audiences.some(aud => typeof aud === 'string' && sameResource(aud, each)),
  )
  const detail =
    found ?? `${audiences.slice(0, 5).map(shown).join(' ')}, accepted here: ${accepted.join(' ')}`
  return check('aud', found !== undefined, 'RFC 7519 §4.1.3', detail)
}

const ACCESS_TOKEN_TYPES = ['jwt', 'at+jwt']

/**
 * Checks that a JWT can be an access token. Another `typ` means another kind of JWT (RFC 8725 §3.11).
 * An id_token has no `typ` of its own, so we recognise an id_token by its claims. One sign is the hash of a token or
 * code. The other is a nonce without a scope or client: some servers put a nonce into access tokens too.
 */
export function checkKind({ header, claims }: DecodedJwt): readonly Check[] {
  const { typ } = header
  const name = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : undefined
  const known = typ === undefined || (name !== undefined && ACCESS_TOKEN_TYPES.includes(name))
  const type = check('typ', known, 'RFC 9068 §4', shown(typ))
  if (name === 'at+jwt') return [type]
  const mark = idTokenMark(claims)
  const detail =
    mark === undefined ? 'no id_token' : `an id_token is for the client, not for this server (${mark})`
  return [type, check('use', mark === undefined, 'RFC 8725 §3.12', detail)]
}

/** Returns the scope values of a token, from `scope` (RFC 9068 §2.2.3) or the common `scp`; text or a list. */
export function scopeOf({ scope, scp }: Claims): readonly string[] {
  const value = scope ?? scp
  if (typeof value === 'string') return value.split(' ').filter(each => each !== '')
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
}

/**
 * Checks that a token sent as Bearer is bound to no key: anyone who stole a bound token could send it so.
 * @param jkt thumbprint of the key that the token is bound to; undefined for an unbound token
 * @throws OAuthError `invalid_token` (RFC 9449 §7.2)
 */
export function checkBearer(jkt: string | undefined): void {
  if (jkt === undefined) return
  throw invalidToken(
    'this token is bound to a key: send it as Authorization: DPoP, with a proof in the DPoP header',
    'RFC 9449 §7.2',
  )
}

/** The claims of an accepted token. */
interface Claimed {
  readonly claims: Readonly<Record<string, unknown>>
}

/**
 * Checks that a token has authorization details of the type that a route needs, for this place: details with locations
 * are for those alone (RFC 9396 §2.2, §9).
 * @throws OAuthError `insufficient_scope` (RFC 6750 §3.1)
 */
export function requireDetails(
  { claims }: Claimed,
  { path, authorization_details: needed }: ResourceRoute,
  baseUrl: string,
): void {
  if (needed === undefined) return
  const read = readAuthorizationDetails(claims.authorization_details ?? [])
  const details = 'details' in read ? read.details.filter(({ type }) => type === needed) : []
  const here = [baseUrl, `${baseUrl}${path}`]
  const found = details.some(
    ({ locations }) =>
      locations === undefined ||
      (Array.isArray(locations) &&
        locations.some(each => typeof each === 'string' && here.some(place => sameResource(each, place)))),
  )
  if (found) return
  const had = details.length === 0 ? 'the token has none' : 'those of the token are for other locations'
  const description = `authorization details of the type ${needed} are needed here; ${had}`
  throw refused('insufficient_scope', description, 'RFC 9396 §9')
}

/** An accepted token and its scope. */
interface ScopedToken {
  readonly claims: Readonly<Record<string, unknown>>
  readonly scope: readonly string[]
}

/**
 * Checks that a token has every scope value that a route needs.
 * @throws OAuthError `insufficient_scope` (RFC 6750 §3.1)
 */
export function requireScope({ scope: granted }: ScopedToken, needed = ''): void {
  const missing = needed.split(' ').filter(each => each !== '' && !granted.includes(each))
  if (missing.length === 0) return
  const had = granted.length === 0 ? 'the token has no scope' : `the token has ${granted.join(' ')}`
  throw refused(
    'insufficient_scope',
    `the scope ${missing.join(' ')} is needed here; ${had}`,
    'RFC 6750 §3.1',
  )
}

/** The login that a route needs behind a token. */
export type LoginDemand = Pick<ResourceRoute, 'acr_values' | 'max_age'>

const RULE = 'RFC 9470 §3'

/**
 * Checks that the login behind a token is as strong and as new as a route needs (RFC 9470 §3, §6). Returns the checks
 * that passed.
 * @param now milliseconds since the epoch
 * @throws OAuthError `insufficient_user_authentication`
 */
export function requireLogin(
  { claims: { acr, auth_time: authTime } }: Claimed,
  { acr_values: wanted, max_age: maxAge }: LoginDemand,
  now: number,
): readonly Check[] {
  const checks: Check[] = []
  if (wanted !== undefined) {
    const had = typeof acr === 'string' ? `the token has ${bounded(acr)}` : 'the token has none'
    if (typeof acr !== 'string' || !wanted.split(' ').includes(acr)) {
      throw insufficient(`a stronger login is needed here: acr ${wanted.replaceAll(' ', ' or ')}; ${had}`)
    }
    checks.push(check('acr', true, RULE, acr))
  }
  if (maxAge !== undefined) {
    const age = typeof authTime === 'number' ? Math.floor(now / 1000) - authTime : undefined
    const had = age === undefined ? 'the token has no auth_time' : `this one is ${age} s old`
    if (age === undefined || age > maxAge) {
      throw insufficient(`a newer login is needed here: at most ${maxAge} s old; ${had}`)
    }
    checks.push(check('auth_time', true, RULE, `${age} s ago, at most ${maxAge} s`))
  }
  return checks
}

function insufficient(description: string) {
  return refused('insufficient_user_authentication', description, RULE)
}

const problems: Readonly<Record<string, string>> = {
  signature: 'the signature is not accepted',
  iss: 'the token is not from the issuer this server trusts',
  aud: 'the token is not for this server',
  exp: 'the token is no longer valid',
  nbf: 'the token is not valid yet',
  iat: 'the token is not valid yet',
}

/** Returns the error for the first check that failed; undefined when all checks passed (RFC 6750 §3.1). */
export function refusalOf(checks: readonly Check[]): OAuthError | undefined {
  const broken = firstFailed(checks)
  if (broken === undefined) return undefined
  const { name, rule, detail = 'wrong' } = broken
  const problem = problems[name]
  return invalidToken(`${problem === undefined ? '' : `${problem}; `}${name}: ${bounded(detail)}`, rule)
}

/** Returns the error for a token that is not accepted (RFC 6750 §3.1). */
export function invalidToken(description: string, rule: Citation): OAuthError {
  return refused('invalid_token', description, rule)
}

/** Returns an error of the resource server. */
export function refused(
  code: BearerErrorCode | DpopErrorCode,
  description: string,
  rule: Citation,
): OAuthError {
  return new OAuthError(code, { description, rule })
}
