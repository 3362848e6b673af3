import type { FormPairs } from '../../protocol/http/form.js'
import { advice, type Check, check, shown } from '../../protocol/oauth/check.js'
import { isJsonObject, type JsonObject } from '../../protocol/values.js'

/** The login that an authorization request asks for. */
export interface LoginWish {
  /** Authentication context classes separated by spaces, the preferred one first. */
  readonly acrValues?: string
  /** Highest age of the login, in seconds. */
  readonly maxAge?: number
  /** The claims that the request asks for one by one (OpenID Connect Core §5.5). */
  readonly claims?: JsonObject
}

/** The demands that an id_token must meet. */
export interface LoginDemand extends LoginWish {
  /** Time of the request, in milliseconds since the epoch. */
  readonly askedAt: number
}

/** Clocks of client and server may differ by this time, in seconds. */
const LEEWAY = 10

const RULE = 'OpenID Connect Core §3.1.3.7'

/** Returns the parameters of an authorization request that ask for a login (OpenID Connect Core §3.1.2.1, §5.5). */
export function loginParameters({ acrValues, maxAge, claims }: LoginWish): FormPairs {
  return [
    ...(acrValues === undefined ? [] : [['acr_values', acrValues] as const]),
    ...(maxAge === undefined ? [] : [['max_age', String(maxAge)] as const]),
    ...(claims === undefined ? [] : [['claims', JSON.stringify(claims)] as const]),
  ]
}

/** Returns the demands of a request that is made now. */
export function loginDemand({ acrValues, maxAge, claims }: LoginWish, askedAt: number): LoginDemand {
  return {
    askedAt,
    ...(acrValues !== undefined && { acrValues }),
    ...(maxAge !== undefined && { maxAge }),
    ...(claims !== undefined && { claims }),
  }
}

/** The wish of a request about one claim of the id_token (OpenID Connect Core §5.5.1). */
interface ClaimWish {
  readonly essential: boolean
  /** The accepted values. Undefined: every value. */
  readonly values: readonly unknown[] | undefined
}

/** Returns the wish for a claim of the id_token; undefined where the request does not name the claim. */
function wishFor(name: string, claims: JsonObject | undefined): ClaimWish | undefined {
  const asked = isJsonObject(claims?.id_token) ? claims.id_token : {}
  if (!Object.hasOwn(asked, name)) return undefined
  const wish = asked[name]
  if (!isJsonObject(wish)) return { essential: false, values: undefined }
  const { essential, value, values } = wish
  const accepted = value === undefined ? values : [value]
  return { essential: essential === true, values: Array.isArray(accepted) ? accepted : undefined }
}

/** True for a request whose claims demand a login of some class. */
export function demandsAcr({ claims }: LoginWish): boolean {
  const wish = wishFor('acr', claims)
  return wish?.essential === true && wish.values !== undefined
}

/**
 * Checks that the class of the login is one that was asked for. An essential claim is a demand, everything else a wish,
 * which the server need not meet (OpenID Connect Core §5.5.1, §5.5.1.1).
 */
function acrCheck(acr: unknown, { acrValues, claims }: LoginWish): Check[] {
  const wish = wishFor('acr', claims)
  const wanted = wish?.values ?? acrValues?.split(' ')
  if (wish === undefined && wanted === undefined) return []
  const fits = wanted === undefined ? typeof acr === 'string' : wanted.includes(acr)
  const detail = fits ? shown(acr) : `${shown(acr)}, not ${wanted?.map(shown).join(' or ') ?? 'any class'}`
  return [wish?.essential ? check('acr', fits, RULE, detail) : advice('acr', fits, RULE, detail)]
}

/** Checks that the login is as new as max_age asks. The time of the request counts, not that of a slow person. */
function ageCheck(authTime: unknown, { maxAge, claims, askedAt }: LoginDemand, now: number): Check[] {
  if (maxAge === undefined) {
    const wish = wishFor('auth_time', claims)
    if (!wish?.essential) return []
    return [check('auth_time', Number.isFinite(authTime), RULE, shown(authTime))]
  }
  if (typeof authTime !== 'number' || !Number.isFinite(authTime)) {
    const rule = 'OpenID Connect Core §3.1.2.1'
    return [check('auth_time', false, rule, `max_age was asked for, and auth_time is ${shown(authTime)}`)]
  }
  if (authTime > now / 1000 + LEEWAY) return [check('auth_time', false, RULE, 'it is in the future')]
  const age = Math.floor(askedAt / 1000) - authTime
  const when = age < 0 ? 'after the request' : `${age} s before the request`
  return [check('auth_time', age <= maxAge + LEEWAY, RULE, `logged in ${when}, max_age ${maxAge}`)]
}

/** Checks that the user is the one that the request named (OpenID Connect Core §5.5.1). */
function subCheck(sub: unknown, { claims }: LoginWish): Check[] {
  const values = wishFor('sub', claims)?.values
  if (values === undefined) return []
  return [
    check('sub', values.includes(sub), 'OpenID Connect Core §5.5.1', `${shown(sub)}, as claims names it`),
  ]
}

/** Checks the claims of an id_token about its login (OpenID Connect Core §3.1.3.7, items 12 and 13). */
export function loginChecks(
  claims: JsonObject,
  demand: LoginDemand | undefined,
  now: number,
): readonly Check[] {
  if (demand === undefined) return []
  return [
    ...acrCheck(claims.acr, demand),
    ...ageCheck(claims.auth_time, demand, now),
    ...subCheck(claims.sub, demand),
  ]
}
