import { parseAcceptEncoding } from '../../http/negotiation.js'

/** The parts of an answer that the rules of content negotiation concern. */
export interface OfferAnswer {
  readonly status: number
  readonly contentEncoding: string | null
  readonly vary: string | null
}

/** True when Vary keeps the variants of different codings apart. */
export function varies(vary: string | null): boolean {
  const names = (vary ?? '').split(',').map(name => name.trim().toLowerCase())
  return names.includes('accept-encoding') || names.includes('*')
}

/**
 * Says what an offer means for one coding (RFC 9110 §12.5.3).
 * @param offer the value of Accept-Encoding; null when none was sent
 */
export function askedFor(offer: string | null, coding: string): 'asked' | 'not asked' | 'refused' {
  if (coding === 'identity') return 'asked'
  const members = parseAcceptEncoding(offer === null ? [] : [offer]) ?? []
  const read = members.filter(each => each.ignored === undefined)
  const member = read.find(each => each.coding === coding) ?? read.find(each => each.coding === '*')
  if (member === undefined) return 'not asked'
  return member.q === 0 ? 'refused' : 'asked'
}

/**
 * Returns the rule that an answer breaks, in one sentence, or undefined. A raw answer breaks none: a server may always leave a body
 * as it is.
 * @param offer the value of Accept-Encoding; null when none was sent
 */
export function brokenRule(
  offer: string | null,
  { status, contentEncoding, vary }: OfferAnswer,
): string | undefined {
  if (status >= 500) return `the server fails with ${status} (RFC 9110 §12.5.3: send it without coding)`
  const coding = contentEncoding?.trim().toLowerCase() || 'identity'
  if (coding === 'identity') return undefined
  if (offer === null) return `it comes as ${coding}, which nobody asked for`
  const asked = askedFor(offer, coding)
  if (asked === 'not asked') return `it comes as ${coding}, which is not offered (RFC 9110 §12.5.3)`
  if (asked === 'refused') return `it comes as ${coding}, which is refused (RFC 9110 §12.4.2)`
  return varies(vary) ? undefined : 'it comes coded without Vary: Accept-Encoding (RFC 9110 §12.5.5)'
}
