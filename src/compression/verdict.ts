import { negotiate, parseAcceptEncoding } from '../http/negotiation.js'
import { CODINGS } from './codings.js'

/** An answer to an offer, as far as the rules look at it. */
export interface OfferAnswer {
  readonly status: number
  readonly contentEncoding: string | null
  readonly vary: string | null
}

/** Whether Vary keeps variants of codings apart. */
export function varies(vary: string | null): boolean {
  const names = (vary ?? '').split(',').map(name => name.trim().toLowerCase())
  return names.includes('accept-encoding') || names.includes('*')
}

const coded = (contentEncoding: string | null): string | undefined => {
  const name = contentEncoding?.trim().toLowerCase()
  return name === undefined || name === '' || name === 'identity' ? undefined : name
}

/**
 * The rule that this answer breaks, in one sentence; undefined where it keeps them all. A raw answer breaks none: a server may always
 * leave a body as it is.
 * @param offer the value of Accept-Encoding; null: none was sent
 */
export function brokenRule(
  offer: string | null,
  { status, contentEncoding, vary }: OfferAnswer,
): string | undefined {
  const coding = coded(contentEncoding)
  if (status >= 500) return `the server fails with ${status} (RFC 9110 §12.5.3: send it without coding)`
  if (coding === undefined) return undefined
  if (offer === null) return `it comes as ${coding}, which nobody asked for`
  const members = (parseAcceptEncoding([offer]) ?? []).filter(each => each.ignored === undefined)
  const member = members.find(each => each.coding === coding) ?? members.find(each => each.coding === '*')
  if (member === undefined) return `it comes as ${coding}, which is not offered (RFC 9110 §12.5.3)`
  if (member.q === 0) return `it comes as ${coding}, which is refused (RFC 9110 §12.4.2)`
  return varies(vary) ? undefined : 'it comes coded without Vary: Accept-Encoding (RFC 9110 §12.5.5)'
}

/** The coding that the rules choose for this offer, where a server makes br and gzip. */
export function chosenCoding(offer: string | null): string {
  return negotiate(parseAcceptEncoding(offer === null ? [] : [offer]), CODINGS).coding
}
