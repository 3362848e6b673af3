import type { FormPairs } from '../../../protocol/http/form.js'
import { MAX_PARAMETERS } from '../../../protocol/http/form.js'
import { JWT_CLAIMS } from '../../../protocol/oauth/authorization-request.js'
import { shown } from '../../../protocol/oauth/check.js'
import type { JsonObject } from '../../../protocol/values.js'
import { PARAMETERS } from '../endpoints/authorization/authorization-parameters.js'
import { invalidObject } from './invalid-object.js'

/** Parameters that are JSON in a request object, and the text of that JSON in a query. */
const JSON_PARAMETERS: readonly string[] = ['claims', 'authorization_details', 'registration']

/** Parameters that may be numbers in a request object (RFC 9101 §4). */
const NUMBER_PARAMETERS: readonly string[] = ['max_age']

/** Returns the value of a parameter as a query has it. @throws OAuthError `invalid_request_object` */
function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  const known = PARAMETERS.some(each => each === name)
  const isList = typeof value === 'object' && value !== null
  if (JSON_PARAMETERS.includes(name) && isList) return JSON.stringify(value)
  if (typeof value === 'number' && (NUMBER_PARAMETERS.includes(name) || !known)) return String(value)
  // Parameters that the server does not know are ignored, whatever they are (RFC 6749 §3.1).
  if (!known && name !== 'resource') return JSON.stringify(value)
  throw invalidObject(`${name} in the request object is no string`, {
    rule: 'RFC 9101 §4',
    evidence: `${name}: ${shown(value)}`,
  })
}

/**
 * Returns the parameters of a request object as a query would have them (RFC 9101 §4). Claims about the JWT itself are left out.
 * @throws OAuthError `invalid_request_object` for a value of a wrong type, and for a request object within
 */
export function objectParameters(claims: JsonObject): FormPairs {
  const inside = ['request', 'request_uri'].find(name => Object.hasOwn(claims, name))
  if (inside !== undefined) {
    throw invalidObject(`${inside} may not be in a request object`, { rule: 'RFC 9101 §4' })
  }
  const pairs = Object.entries(claims)
    .filter(([name]) => !JWT_CLAIMS.includes(name))
    .flatMap(([name, value]) => {
      // A repeated parameter of a query is a list in JSON (RFC 8707 §2).
      const values: readonly unknown[] = name === 'resource' && Array.isArray(value) ? value : [value]
      return values.map(each => [name, textOf(name, each)] as const)
    })
  if (pairs.length > MAX_PARAMETERS) {
    throw invalidObject(`the request object has more than ${MAX_PARAMETERS} parameters`, {
      rule: 'RFC 9101 §4',
    })
  }
  return pairs
}
