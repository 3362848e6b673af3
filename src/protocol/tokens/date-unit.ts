import { type Check, check } from '../oauth/check.js'
import type { DecodedJwt } from './decode.js'

/** Rule of the unit of dates: a NumericDate counts seconds. */
const DATE_UNIT_RULE = 'RFC 7519 §2'

/** Checks that dates count seconds. 1e11 seconds is the year 5138, so a larger number counts milliseconds. */
export function checkDateUnit(claims: DecodedJwt['claims']): Check {
  const late = ['exp', 'nbf', 'iat'].filter(name => {
    const value = claims[name]
    return typeof value === 'number' && value > 1e11
  })
  const detail =
    late.length === 0
      ? 'seconds'
      : `${late.join(', ')} in milliseconds; a NumericDate counts seconds since 1970-01-01`
  return check('unit', late.length === 0, DATE_UNIT_RULE, detail)
}
