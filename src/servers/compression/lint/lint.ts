import { header, mediaType } from '../../../protocol/http/message.js'
import { check } from '../../../protocol/oauth/check.js'
import type { Ask } from '../client/ask.js'
import { compressible } from '../compress-response.js'
import { codingOf } from '../studies/verdict.js'
import {
  acceptableChecks,
  headChecks,
  negotiationChecks,
  oldClientChecks,
  rangeChecks,
  savingChecks,
  statusChecks,
  tagChecks,
  varyChecks,
} from './answer-checks.js'
import { bodyChecks, codingProblem, isTwiceCoded, unlabelledCoding } from './body-checks.js'
import { withMend } from './mend.js'
import type { LintCheck, LintResult, LintResults, Read } from './requests.js'
import { requestAll } from './requests.js'

/** The result of a lint. */
export interface Lint {
  /** The field Server of the first answer. Absent without that field. */
  readonly server?: string
  readonly checks: readonly LintCheck[]
}

const readOf = ({ request, answer }: LintResult): Read[] =>
  answer === undefined ? [] : [{ request, answer, coding: codingOf(answer), headers: answer.headers }]

/** Checks that every answer came, and was as long as it says. */
function failures(results: readonly LintResult[]): LintCheck[] {
  const of = (kind: 'cut' | 'none') => results.find(({ failure }) => failure?.kind === kind)
  const [cut, none] = [of('cut'), of('none')]
  const text = ({ request, failure }: LintResult) => `${failure!.message} (to ${request.to})`
  const lengths = cut
    ? check('length', false, 'RFC 9112 §6.3', text(cut))
    : check('length', true, 'RFC 9112 §6.3', 'every answer is as long as it says')
  return none ? [lengths, check('answer', false, 'RFC 9110 §9.3', text(none))] : [lengths]
}

/** Checks the content codings of one resource. */
function lintCodings(results: LintResults): LintCheck[] {
  const { bare, again, gzip, others, head, fresh, range } = results
  const gets = [bare, gzip, ...others]
  const reads = gets.flatMap(readOf)
  const extra = [again, head, ...(fresh ? [fresh] : []), ...(range ? [range] : [])]
  const ok = reads.filter(({ answer }) => answer.status >= 200 && answer.status < 300)
  const valid = ok.filter(
    read =>
      unlabelledCoding(read, results) === undefined &&
      !isTwiceCoded(read, results) &&
      codingProblem(read) === undefined,
  )
  const raw = bare.answer?.content?.length ?? bare.answer?.body.length ?? 0
  const type = bare.answer === undefined ? '' : mediaType(bare.answer)
  return [
    ...failures([...gets, ...extra]),
    ...acceptableChecks(reads),
    ...statusChecks(reads),
    ...bodyChecks(results, ok),
    ...negotiationChecks(results, valid),
    ...varyChecks(results, valid),
    ...tagChecks(results, valid),
    ...headChecks(results),
    ...oldClientChecks(ok),
    ...rangeChecks(results),
    ...savingChecks(valid, raw, compressible(type), type),
  ].map(withMend)
}

/**
 * Requests one resource in several ways, as real clients do, and checks its answers.
 * @throws UserError when the resource is no page to measure, TransportError when no answer comes, TimeoutError
 */
export async function lintResource(url: string, ask: Ask): Promise<Lint> {
  const results = await requestAll(url, ask)
  const server = results.bare.answer && header(results.bare.answer, 'server')
  const checks = lintCodings(results)
  return server === undefined ? { checks } : { server, checks }
}
