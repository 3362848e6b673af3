import type { FormPairs } from '../../protocol/http/form.js'
import { advice, type Check, check, shown } from '../../protocol/oauth/check.js'
import { isJsonObject, type JsonObject } from '../../protocol/values.js'

export interface LoginWish {
  /** Separated by spaces, the preferred class first. */
  readonly acrValues?: string
  /** Seconds. */
  readonly maxAge?: number
  /** OpenID Connect Core §5.5. */
  readonly claims?: JsonObject
}

export interface LoginDemand extends LoginWish {
  /** Milliseconds since the epoch. */
  readonly askedAt: number
}

/** Seconds between the clocks of client and server. */
const LEEWAY = 10

const RULE = 'OpenID Connect Core §3.1.3.7'

/** The parameters of a request for a login (OpenID Connect Core §3.1.2.1, §5.5). */
export function loginParameters({ acrValues, maxAge, claims }: LoginWish): FormPairs {
  return [
    ...(acrValues === undefined ? [] : [['acr_values', acrValues] as const]),
    ...(maxAge === undefined ? [] : [['max_age', String(maxAge)] as const]),
    ...(claims === undefined ? [] : [['claims', JSON.stringify(claims)] as const]),
  ]
}

/** The demands of a request that is made now. */
export function loginDemand({ acrValues, maxAge, claims }: LoginWish, askedAt: number): LoginDemand {
  return {
    askedAt,
    ...(acrValues !== undefined && { acrValues }),
    ...(maxAge !== undefined && { maxAge }),
    ...(claims !== undefined && { claims }),
  }
}

/** OpenID Connect Core §5.5.1. */
interface ClaimWish {
  readonly essential: boolean
  /** Undefined: every value is accepted. */
  readonly values: readonly unknown[] | undefined
}

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

/** Only an essential claim is a demand; a server need not meet a wish (OpenID Connect Core §5.5.1, §5.5.1.1). */
function acrCheck(acr: unknown, { acrValues, claims }: LoginWish): Check[] {
  const wish = wishFor('acr', claims)
  const wanted = wish?.values ?? acrValues?.split(' ')
  if (wish === undefined && wanted === undefined) return []
  const fits = wanted === undefined ? typeof acr === 'string' : wanted.includes(acr)
  const detail = fits ? shown(acr) : `${shown(acr)}, not ${wanted?.map(shown).join(' or ') ?? 'any class'}`
  return [wish?.essential ? check('acr', fits, RULE, detail) : advice('acr', fits, RULE, detail)]
}

/** The time of the request counts, not that of a slow person. */
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

/** OpenID Connect Core §5.5.1. */
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
