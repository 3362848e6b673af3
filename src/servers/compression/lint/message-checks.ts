import { header, headerValues } from '../../../protocol/http/message.js'
import { advice, check } from '../../../protocol/oauth/check.js'
import { codingOf } from '../studies/verdict.js'
import type { LintAnswer, LintCheck, LintResults, Read } from './model.js'
import { RANGE } from './requests.js'

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
