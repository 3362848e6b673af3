import { header, headerValues } from '../../../protocol/http/message.js'
import { advice, check } from '../../../protocol/oauth/check.js'
import { varies } from '../studies/verdict.js'
import type { LintAnswer, LintCheck, LintResults, Read } from './model.js'

const all = (answer: LintAnswer, name: string): string => headerValues(answer, name).join(', ')
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
