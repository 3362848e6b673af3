import { header, headerValues } from '../../../protocol/http/message.js'
import { advice, check } from '../../../protocol/oauth/check.js'
import { askedFor, codingOf, varies } from '../studies/verdict.js'
import { type LintAnswer, type LintCheck, type LintResults, RANGE, type Read } from './requests.js'

const all = (answer: LintAnswer, name: string): string => headerValues(answer, name).join(', ')

/**
 * Compares HEAD with GET. A wrong Content-Length is a fault. Other fields may be missing when only the making of a body gives
 * their value (RFC 9110 §9.3.2).
 */
export function headChecks({ head, gzip, bare, again }: LintResults): LintCheck[] {
  const [to, of] = [gzip.answer, head.answer]
  if (to === undefined || of === undefined) return []
  const rule = 'RFC 9110 §9.3.2'
  const checks: LintCheck[] = []
  const [length, its] = [header(of, 'content-length'), header(to, 'content-length')]
  const stable = bare.answer && again.answer && Buffer.compare(bare.answer.body, again.answer.body) === 0
  if (length !== undefined && stable) {
    const comparable = its !== undefined || codingOf(of) === codingOf(to)
    const right = !comparable || Number(length) === to.body.length
    const detail = right
      ? `Content-Length of HEAD is ${length}`
      : `Content-Length of HEAD is ${length}, and GET sends ${to.body.length} bytes`
    checks.push(check('head_length', right, 'RFC 9110 §8.6', detail))
    if (!right) return checks
  }
  const differing = ['content-encoding', 'vary', 'content-type', 'etag'].filter(
    name => all(to, name) !== all(of, name),
  )
  checks.push(
    differing.length === 0
      ? advice('head', true, rule, 'HEAD has the fields of GET')
      : advice('head', false, rule, `HEAD and GET differ in ${differing.join(', ')}`),
  )
  return checks
}

/** Checks that an HTTP/1.0 client gets no chunks, which it would take for content. */
export function oldClientChecks(reads: readonly Read[]): LintCheck[] {
  const old = reads.find(({ request }) => request.httpVersion === '1.0')
  if (old === undefined) return []
  const rule = 'RFC 9112 §6.1'
  const transfer = all(old.answer, 'transfer-encoding')
  return transfer === ''
    ? [check('http10', true, rule, 'no Transfer-Encoding to an HTTP/1.0 client')]
    : [check('http10', false, rule, `Transfer-Encoding: ${transfer} to ${old.request.to}`)]
}

/** Returns the part of `body` that the range names, and the length of the whole body. */
const part = (body: Uint8Array): Uint8Array => body.subarray(RANGE.first, RANGE.last + 1)

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/**
 * Checks a range: it must be cut from the body that its fields describe. A client joins parts of a coded body, so its parts
 * need an ETag of their own (RFC 9110 §15.3.7.3).
 */
export function rangeChecks({ range, bare, gzip }: LintResults): LintCheck[] {
  const [came, raw, coded] = [range?.answer, bare.answer, gzip.answer]
  if (came?.status !== 206 || raw === undefined || coded === undefined) return []
  const rule = 'RFC 9110 §14.2'
  const fault = (detail: string): LintCheck[] => [check('range', false, rule, detail)]
  const coding = codingOf(came)
  if (coding === 'identity') {
    if (same(came.body, part(raw.body)))
      return [check('range', true, rule, 'a range is cut from the raw body')]
    return same(came.body, part(coded.body)) && codingOf(coded) !== 'identity'
      ? fault(`a range is cut from the ${codingOf(coded)} bytes, without Content-Encoding`)
      : fault('a range is not the part of the raw body that it names')
  }
  if (!same(came.body, part(coded.body))) {
    return fault(`a range in ${coding} is not the part of the ${coding} body that it names`)
  }
  // A weak ETag makes If-Range fail, so a client starts again (RFC 9110 §13.1.5). Last-Modified is the same for each coding.
  const tag = header(came, 'etag')
  return tag !== undefined && tag !== header(raw, 'etag')
    ? [check('range', true, rule, `a range is cut from the ${coding} bytes, which have an ETag of their own`)]
    : fault(
        `a range is cut from the ${coding} bytes, without an ETag of their own: the next part may be of raw bytes`,
      )
}

const RULE = 'RFC 9110 §12.5.3'

/** Joins the clients of a fault, two at most. */
function clients(reads: readonly Read[]): string {
  const names = reads.slice(0, 2).map(({ request }) => request.to)
  return `${names.join(', and to ')}${reads.length > 2 ? `, and to ${reads.length - 2} more` : ''}`
}

const faultOf = (name: string, reads: readonly Read[], end: string): LintCheck =>
  check(
    name,
    false,
    RULE,
    `${[...new Set(reads.map(({ coding }) => coding))].join(' and ')} to ${clients(reads)}${end}`,
  )

/**
 * Checks that every coding was requested. One cause makes several wrong answers, so the first failed check ends the list: a
 * server that always sends gzip has one fault.
 */
export function negotiationChecks({ bare }: LintResults, reads: readonly Read[]): LintCheck[] {
  const coded = reads.filter(({ coding }) => coding !== 'identity')
  const wrong = coded
    .map(read => ({ read, asked: askedFor(read.request.offer, read.coding) }))
    .filter(({ asked }) => asked !== 'asked')
  const of = (test: (each: { read: Read; asked: string }) => boolean): Read[] =>
    wrong.filter(test).map(({ read }) => read)
  const toBare = of(({ read }) => read.request === bare.request)
  if (toBare.length > 0) return [faultOf('unasked', toBare, ', which may not be able to decode it')]
  const checks: LintCheck[] = reads.some(({ request }) => request === bare.request)
    ? [check('unasked', true, RULE, 'raw to a client that offers nothing')]
    : []
  const unoffered = of(({ asked }) => asked === 'not asked')
  if (unoffered.length > 0) return [...checks, faultOf('not_offered', unoffered, ', which cannot decode it')]
  checks.push(check('not_offered', true, RULE, 'no coding that a client did not offer'))
  const zero = of(({ read }) => read.request.offer === 'gzip;q=0')
  if (zero.length > 0) return [...checks, faultOf('weight_zero', zero, ': a weight of 0 refuses')]
  checks.push(check('weight_zero', true, RULE, 'no gzip to gzip;q=0'))
  const refused = of(({ asked }) => asked === 'refused')
  if (refused.length > 0) return [...checks, faultOf('refused', refused, '')]
  return [...checks, check('refused', true, RULE, 'raw to a client that refuses all')]
}

/** Checks that no client gets 406: the raw answer is acceptable unless a client refuses it. */
export function acceptableChecks(reads: readonly Read[]): LintCheck[] {
  const without = reads.filter(({ answer }) => answer.status === 406)
  const name = 'not_acceptable'
  return without.length === 0
    ? [check(name, true, RULE, 'no client gets 406')]
    : [check(name, false, RULE, `406 to ${clients(without)}: the raw answer is acceptable`)]
}

/** Checks that all clients get the same status. */
export function statusChecks(reads: readonly Read[]): LintCheck[] {
  const rest = reads.filter(({ answer }) => answer.status !== 406)
  const first = rest[0]
  const other = rest.filter(({ answer }) => answer.status !== first?.answer.status)
  const rule = 'RFC 9110 §8.4'
  if (first === undefined || other.length === 0) {
    return [check('status', true, rule, `${first?.answer.status ?? 406} to every client`)]
  }
  const [differing] = other
  const others = `${differing!.answer.status} to ${clients(other)}`
  return [check('status', false, rule, `${first.answer.status} to ${first.request.to}, but ${others}`)]
}

/** Checks that coding makes the body smaller. */
export function savingChecks(
  reads: readonly Read[],
  raw: number,
  compressible: boolean,
  type: string,
): LintCheck[] {
  const rule = 'RFC 9110 §8.4.1'
  const sizes = new Map(
    reads.filter(({ coding }) => coding !== 'identity').map(read => [read.coding, read.answer.body.length]),
  )
  if (reads.length === 0) return []
  if (sizes.size === 0) {
    return raw > 0 && compressible
      ? [advice('savings', false, rule, `${type} of ${raw} bytes, never compressed`)]
      : [advice('savings', true, rule, 'no content here gets smaller by compression')]
  }
  return [...sizes].map(([coding, size]) => {
    const name = `savings_${coding}`
    if (size > raw) return advice(name, false, rule, `${size} bytes for ${raw}: larger than raw`)
    const percent = raw === 0 ? 0 : Math.round((1 - size / raw) * 1000) / 10
    return advice(name, true, rule, `${size} of ${raw} bytes: ${percent} % saved`)
  })
}

const hasVary = (answer: LintAnswer): boolean => varies(all(answer, 'vary'))

/** True for the servers that send no Vary with 304, whatever their settings for compression are. */
const isNginx = (answer: LintAnswer): boolean =>
  /^(?:nginx|openresty)\b/i.test(header(answer, 'server') ?? '')

/** Checks that caches can keep the codings apart. A resource with one coding for every client needs no Vary. */
export function varyChecks({ bare, fresh }: LintResults, reads: readonly Read[]): LintCheck[] {
  const rule = 'RFC 9110 §12.5.5'
  const coded = reads.filter(({ coding }) => coding !== 'identity')
  if (coded.length === 0 || new Set(reads.map(({ coding }) => coding)).size === 1) return []
  const without = [...new Set(coded.filter(({ answer }) => !hasVary(answer)).map(({ coding }) => coding))]
  if (without.length > 0) {
    const detail = `${without.join(' and ')} without Vary: Accept-Encoding: a cache may send it to clients that cannot decode it`
    return [check('vary', false, rule, detail)]
  }
  const checks: LintCheck[] = [check('vary', true, rule, 'the coded answers have Vary: Accept-Encoding')]
  const raw = reads.find(({ request, coding }) => request === bare.request && coding === 'identity')
  if (raw) {
    const detail = hasVary(raw.answer)
      ? 'the raw answer has it too'
      : 'the raw answer does not have it: a cache may send it to every client'
    checks.push(advice('vary_raw', hasVary(raw.answer), rule, detail))
  }
  const { answer } = fresh ?? {}
  if (answer?.status === 304) {
    const name = 'vary_304'
    const must = 'RFC 9110 §15.4.5'
    if (hasVary(answer)) checks.push(check(name, true, must, '304 has Vary as 200 has'))
    else if (isNginx(answer))
      checks.push(
        advice(name, false, must, '304 without Vary, as nginx always does: caches keep the Vary of the 200'),
      )
    else checks.push(check(name, false, must, '304 without Vary, which the 200 has: a cache may forget it'))
  }
  return checks
}

/** Checks that a strong ETag names one coding (RFC 9110 §8.8.1). */
export function tagChecks({ gzip, fresh }: LintResults, reads: readonly Read[]): LintCheck[] {
  const rule = 'RFC 9110 §8.8.1'
  const tagged = reads.filter(({ answer }) => /^"/.test(header(answer, 'etag') ?? ''))
  const byTag = new Map<string, Read>()
  for (const read of tagged) {
    const tag = header(read.answer, 'etag')!
    const first = byTag.get(tag) ?? read
    byTag.set(tag, first)
    if (first.coding !== read.coding) {
      const [a, b] = [first, read].map(({ coding }) => (coding === 'identity' ? 'raw' : coding))
      return [check('etag', false, rule, `${a} and ${b} have the same strong ETag ${tag}`)]
    }
  }
  const tag = gzip.answer && header(gzip.answer, 'etag')
  if (tag === undefined || !reads.some(({ coding }) => coding !== 'identity')) return []
  const checks: LintCheck[] = [check('etag', true, rule, `${tag} in gzip names no other coding`)]
  if (fresh?.answer !== undefined) {
    const { status } = fresh.answer
    const detail = `${status} to If-None-Match with the ETag of the gzip answer`
    checks.push(advice('if_none_match', status === 304, 'RFC 9110 §13.1.2', detail))
  }
  return checks
}
