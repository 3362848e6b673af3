import {
  type AuthorizationDetail,
  type AuthorizationDetails,
  coversDetail,
} from '../../protocol/oauth/authorization-details.js'
import { advice, type Check, check } from '../../protocol/oauth/check.js'

const RULE = 'RFC 9396 §7'

/** Compares the authorization details asked for with the granted ones. A server may add members (RFC 9396 §7.1). */
export function detailsCheck(
  asked: AuthorizationDetails | undefined,
  answered: AuthorizationDetails | undefined,
): Check[] {
  const name = 'authorization_details'
  if (asked === undefined && answered === undefined) return []
  if (answered === undefined) {
    const problem = 'missing: the server granted none of them, or does not know the parameter'
    return [advice(name, false, RULE, problem)]
  }
  const beyond = answered.filter(each => !(asked ?? []).some(other => isWithin(each, other)))
  if (beyond.length > 0) {
    return [advice(name, false, RULE, `beyond what was asked for: ${beyond.map(shownDetail).join(', ')}`)]
  }
  const types = answered.map(({ type }) => type).join(', ') || 'none'
  const whole = (asked ?? []).every(each =>
    answered.some(other => isWithin(other, each) && isWithin(each, other)),
  )
  return [check(name, true, RULE, `${whole ? 'as asked' : 'not more than asked'}: ${types}`)]
}

function isWithin(granted: AuthorizationDetail, asked: AuthorizationDetail): boolean {
  if (granted.type !== asked.type) return false
  const names = Object.keys(asked).filter(name => Object.hasOwn(granted, name))
  const [had, wanted] = [granted, asked].map(detail => ({
    ...Object.fromEntries(names.map(name => [name, detail[name]])),
    type: asked.type,
  }))
  // A limit that is gone would give more; an added member is no right (RFC 9396 §7.1).
  return names.length === Object.keys(asked).length && coversDetail(wanted!, had!)
}

const shownDetail = (detail: AuthorizationDetail): string => {
  const text = JSON.stringify(detail)
  return text.length > 120 ? `${text.slice(0, 119)}…` : text
}
