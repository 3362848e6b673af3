/** A content coding that can be asked for by name (RFC 9110 §8.4.1). */
export type Coding = 'br' | 'gzip'

/** One member of an Accept-Encoding field. */
export interface OfferedCoding {
  /** As it was sent. */
  readonly sent: string
  /** In lower case, `x-gzip` as `gzip`; `*` and `identity` among them. Empty where it cannot be read. */
  readonly coding: string
  /** The weight, 0 to 1; 0 refuses. */
  readonly q: number
  /** Why this member says nothing, where that is so. */
  readonly ignored?: string
}

/** The chosen coding, and why. */
export interface Negotiated {
  readonly coding: Coding | 'identity'
  /** One sentence without a full stop. */
  readonly why: string
  /** Section of RFC 9110. */
  readonly rule: string
}

/** More members than this are not read: a field of 16 kB holds a few thousand. */
const MAX_MEMBERS = 1000

// RFC 9110 §5.6.2 token, §12.4.2 qvalue.
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const QVALUE = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

const withoutSpace = (part: string): string => part.replace(/^[ \t]+|[ \t]+$/g, '')

function readMember(sent: string): OfferedCoding {
  const [name = '', ...parameters] = sent.split(';').map(withoutSpace)
  if (!TOKEN.test(name)) return { sent, coding: '', q: 0, ignored: 'it is no token (RFC 9110 §5.6.2)' }
  const lower = name.toLowerCase()
  const coding = lower === 'x-gzip' ? 'gzip' : lower
  const weights = parameters.filter(each => /^q[ \t]*=/i.test(each))
  if (weights.length === 0) {
    // Only a weight may follow (§12.5.3); anything else is skipped, as servers do.
    return { sent, coding, q: 1 }
  }
  const value = weights[0]!.slice(2)
  if (weights.length > 1 || !QVALUE.test(value)) {
    return { sent, coding, q: 0, ignored: 'its weight is not 0 to 1 with at most three digits (§12.4.2)' }
  }
  return { sent, coding, q: Number(value) }
}

/**
 * Reads Accept-Encoding (RFC 9110 §12.5.3). Never throws: what cannot be read is kept, with the reason why it counts for nothing.
 * @param lines the values of all fields of that name, in order; they are one list (§5.3)
 * @returns undefined where there is no such field
 */
export function parseAcceptEncoding(lines: readonly string[]): OfferedCoding[] | undefined {
  if (lines.length === 0) return undefined
  return lines
    .join(',')
    .split(',', MAX_MEMBERS)
    .map(withoutSpace)
    .filter(member => member !== '')
    .map(readMember)
}

/** The weight an offer gives to `coding`: its own, else that of `*`, else `missing`. The first of equal names counts. */
function weight(offer: readonly OfferedCoding[], coding: string, missing: number): number {
  const named = offer.find(each => each.coding === coding)
  return (named ?? offer.find(each => each.coding === '*'))?.q ?? missing
}

/**
 * Chooses the coding of an answer: the highest weight wins, among equals the first of `available`, and no coding only where it is
 * preferred to all of them or nothing else is acceptable.
 * @param offer from parseAcceptEncoding
 * @param available what the server can make, the preferred one first
 */
export function negotiate(
  offer: readonly OfferedCoding[] | undefined,
  available: readonly Coding[],
): Negotiated {
  if (offer === undefined) {
    return {
      coding: 'identity',
      why: 'no Accept-Encoding was sent, so nothing was asked for',
      rule: '12.5.3',
    }
  }
  const read = offer.filter(each => each.ignored === undefined)
  const candidates = available
    .map(coding => ({ coding, q: weight(read, coding, 0) }))
    .filter(({ q }) => q > 0)
    .sort((a, b) => b.q - a.q)
  const best = candidates[0]
  if (best === undefined) {
    const refused = read.some(each => each.q === 0)
    return {
      coding: 'identity',
      why:
        read.length === 0
          ? 'the list is empty: no coding is wanted'
          : refused
            ? 'no coding that this server makes is acceptable; q=0 refuses'
            : 'no coding that this server makes is offered',
      rule: read.length === 0 || !refused ? '12.5.3' : '12.4.2',
    }
  }
  const identity = read.find(each => each.coding === 'identity')
  if (identity !== undefined && identity.q > best.q) {
    return { coding: 'identity', why: 'identity has the highest weight', rule: '12.4.2' }
  }
  const rival = candidates[1]
  const named = read.some(each => each.coding === best.coding)
  if (rival === undefined) {
    const why = named ? `${best.coding} is offered` : `* stands for ${best.coding}`
    return { coding: best.coding, why, rule: '12.5.3' }
  }
  return rival.q < best.q
    ? { coding: best.coding, why: `${best.coding} has the highest weight`, rule: '12.4.2' }
    : { coding: best.coding, why: `${best.coding} is what this server prefers among equals`, rule: '12.5.3' }
}
