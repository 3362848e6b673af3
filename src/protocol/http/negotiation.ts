import type { SectionOf } from '../rules/rule.js'
import { withoutEnds } from '../values.js'

/** A content coding that a client can request by name (RFC 9110 §8.4.1). */
export type Coding = 'br' | 'zstd' | 'gzip'

/** One member of an Accept-Encoding field. */
export interface OfferedCoding {
  /** The member as it was sent. */
  readonly sent: string
  /** The coding in lower case, with `x-gzip` as `gzip`; may be `*` or `identity`. Empty when it is malformed. */
  readonly coding: string
  /** The weight, 0 to 1. 0 refuses the coding. */
  readonly q: number
  /** The reason why this member is ignored. Absent for a valid member. */
  readonly ignored?: string
}

/** The chosen coding and the reason. */
export interface Negotiated<Available extends string = Coding> {
  readonly coding: Available | 'identity'
  /** One sentence without a full stop. */
  readonly why: string
  /** Section of RFC 9110. */
  readonly rule: SectionOf<'RFC 9110'>
}

/** Most members that are read. A field of 16 kB can hold thousands. */
const MAX_MEMBERS = 1000

// RFC 9110 §5.6.2 token, §12.4.2 qvalue.
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const QVALUE = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

const withoutSpace = (part: string): string => withoutEnds(part, ' \t')

/** The weight among the parameters of a member: 1 without one, undefined for a malformed one (RFC 9110 §12.4.2). */
function weightIn(parameters: readonly string[]): number | undefined {
  const [first, ...more] = parameters.filter(each => /^q[ \t]*=/i.test(each))
  if (first === undefined) return 1
  const value = first.slice(2)
  return more.length === 0 && QVALUE.test(value) ? Number(value) : undefined
}

function readMember(sent: string): OfferedCoding {
  const [name = '', ...parameters] = sent.split(';').map(withoutSpace)
  if (!TOKEN.test(name)) return { sent, coding: '', q: 0, ignored: 'it is no token (RFC 9110 §5.6.2)' }
  const lower = name.toLowerCase()
  const coding = lower === 'x-gzip' ? 'gzip' : lower
  // Only a weight may follow a coding (§12.5.3). We skip other parameters, as servers do.
  const q = weightIn(parameters)
  if (q !== undefined) return { sent, coding, q }
  return { sent, coding, q: 0, ignored: 'its weight is not 0 to 1 with at most three digits (§12.4.2)' }
}

/**
 * Reads Accept-Encoding (RFC 9110 §12.5.3). Never throws: a malformed member is kept, with the reason in `ignored`.
 * @param lines the values of all Accept-Encoding fields, in order; they form one list (§5.3)
 * @returns undefined without such a field
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

/** Returns the weight of `coding` in an offer: its own, or that of `*`, or `missing`. The first of equal names counts. */
function weight(offer: readonly OfferedCoding[], coding: string, missing: number): number {
  const named = offer.find(each => each.coding === coding)
  return (named ?? offer.find(each => each.coding === '*'))?.q ?? missing
}

/**
 * Chooses the coding of a response. The highest weight wins, and among equals the first of `available`. The result is
 * `identity` only when its weight is the highest or nothing else is acceptable.
 * @param offer from parseAcceptEncoding
 * @param available the codings that the server can make, the preferred one first
 */
export function negotiate<Available extends string>(
  offer: readonly OfferedCoding[] | undefined,
  available: readonly Available[],
): Negotiated<Available> {
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

/**
 * True for an Accept field that names text/html and gives no media range a higher weight, as that of a browser does
 * (RFC 9110 §12.5.1). A wildcard alone, as curl sends, does not count.
 * @param lines the values of all Accept fields, in order; they form one list (§5.3)
 */
export function prefersHtml(lines: readonly string[]): boolean {
  const ranges = lines
    .join(',')
    .split(',', MAX_MEMBERS)
    .map(range => {
      const [type = '', ...parameters] = range.split(';').map(withoutSpace)
      return { type: type.toLowerCase(), q: weightIn(parameters) ?? 0 }
    })
  const html = ranges.find(({ type }) => type === 'text/html')?.q ?? 0
  return html > 0 && ranges.every(({ q }) => q <= html)
}
