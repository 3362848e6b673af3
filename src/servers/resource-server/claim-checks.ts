import { type Check, check, shown } from '../../protocol/oauth/check.js'
import { sameResource } from '../../protocol/oauth/scope.js'
import type { DecodedJwt } from '../../protocol/tokens/decode.js'
import { checkDateUnit } from '../../protocol/tokens/explain.js'
import { checkClaims } from '../../protocol/tokens/verify.js'

type Claims = DecodedJwt['claims']

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

/** Claims of an id_token that an access token never has (OpenID Connect Core §3.1.3.6, §3.3.2.11). */
const ID_TOKEN_CLAIMS = ['at_hash', 'c_hash', 's_hash']

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

function idTokenMark(claims: Claims): string | undefined {
  const hash = ID_TOKEN_CLAIMS.find(name => claims[name] !== undefined)
  if (hash !== undefined) return `it has ${hash}`
  const allows = ['scope', 'scp', 'client_id'].some(name => claims[name] !== undefined)
  return claims.nonce !== undefined && !allows ? 'it has a nonce and no scope' : undefined
}

/** Returns the scope values of a token, from `scope` (RFC 9068 §2.2.3) or the common `scp`; text or a list. */
export function scopeOf({ scope, scp }: Claims): readonly string[] {
  const value = scope ?? scp
  if (typeof value === 'string') return value.split(' ').filter(each => each !== '')
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
}
