import { UserError } from '../../../protocol/errors.js'
import { type HeaderList, header } from '../../../protocol/http/message.js'
import { parseAcceptEncoding } from '../../../protocol/http/negotiation.js'

/** The parts of an answer that the rules of content negotiation concern. */
interface OfferAnswer {
  readonly status: number
  readonly contentEncoding: string | null
  readonly vary: string | null
}

/** Returns the value of Content-Encoding in lower case, and `identity` for a raw answer. */
export function codingOf({ contentEncoding }: Pick<OfferAnswer, 'contentEncoding'>): string {
  return contentEncoding?.trim().toLowerCase() || 'identity'
}

/** True when Vary names Accept-Encoding, so that caches keep different codings apart. */
export function varies(vary: string | null): boolean {
  const names = (vary ?? '').split(',').map(name => name.trim().toLowerCase())
  return names.includes('accept-encoding') || names.includes('*')
}

/**
 * Returns the meaning of an offer for one coding (RFC 9110 §12.5.3).
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
 * Returns the rule that an answer breaks, in one sentence. Returns undefined for a correct answer. A raw answer is always
 * correct, because no server has to use a coding.
 * @param offer the value of Accept-Encoding; null when none was sent
 */
export function brokenRule(offer: string | null, answer: OfferAnswer): string | undefined {
  const { status, vary } = answer
  if (status >= 500) return `the server fails with ${status} (RFC 9110 §12.5.3: send it without coding)`
  const coding = codingOf(answer)
  if (coding === 'identity') return undefined
  if (offer === null) return `it comes as ${coding}, which nobody asked for`
  const asked = askedFor(offer, coding)
  if (asked === 'not asked') return `it comes as ${coding}, which is not offered (RFC 9110 §12.5.3)`
  if (asked === 'refused') return `it comes as ${coding}, which is refused (RFC 9110 §12.4.2)`
  return varies(vary) ? undefined : 'it comes coded without Vary: Accept-Encoding (RFC 9110 §12.5.5)'
}

/**
 * Checks that an answer is a page to measure.
 * @throws UserError of kind `refused` for an error page, a redirect, or another answer that is no page
 */
export function checkPage(
  url: string,
  answer: { readonly status: number; readonly headers: HeaderList },
): void {
  const { status } = answer
  if (status >= 200 && status < 300) return
  const location = header(answer, 'location')
  if (status >= 300 && status < 400 && location !== undefined) {
    throw new UserError(`${url} redirects (HTTP ${status}), so there is no page to measure`, 'refused', [
      `Follow redirects:   --follow   (to ${location})`,
    ])
  }
  const kind = status < 400 ? 'no page' : 'an error page'
  throw new UserError(`${url} answers HTTP ${status}: ${kind} is not measured`, 'refused', [
    'Name a page that answers 200. A field of the request, such as a cookie:   -H "Name: value"',
  ])
}
