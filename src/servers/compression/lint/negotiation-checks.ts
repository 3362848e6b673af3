import { advice, check } from '../../../protocol/oauth/check.js'
import { askedFor } from '../studies/verdict.js'
import type { LintCheck, LintResults, Read } from './model.js'

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
