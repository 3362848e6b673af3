import { foreign } from '../../../protocol/safe-output/safe.js'
import type { Verdict } from '../../../protocol/tokens/verify.js'
import type { ReviewExplanation } from '../../../servers/kubernetes/client/explain-review.js'
import type { IssuerKeys, Reviewed } from '../../../servers/kubernetes/client/verify-token.js'
import type { Signs } from '../text/signs.js'
import { columns } from './columns.js'
import { reviewAdvice, reviewLines } from './review-lines.js'

/** A token verified by keys, and beside that by a review. */
export interface VerifiedToken {
  readonly keys: IssuerKeys
  readonly oidc: Verdict
  /** Undefined when no cluster was asked. */
  readonly reviewed: Reviewed | undefined
  /** Undefined without a review. */
  readonly explained: ReviewExplanation | undefined
}

/** Both verdicts, for stdout. `room` is the width of the terminal, in columns. */
export function verifyLines(
  { keys, oidc, reviewed, explained }: VerifiedToken,
  signs: Signs,
  room: number | undefined,
): string[] {
  const safe = (text: string) => foreign(text, signs)
  const rows = oidc.checks.map(({ name, ok, rule, detail = '' }) => [
    `${ok ? signs.done : signs.refused} ${safe(name)}`,
    safe(detail),
    safe(rule),
  ])
  const byKeys = [
    `By the keys of ${safe(keys.issuer)}, from ${safe(keys.from)}`,
    ...columns(rows, '  ', room),
  ]
  if (reviewed?.review === undefined || explained === undefined) return byKeys
  const review = reviewLines(reviewed.review, explained, signs, room && room - 2)
  return [...byKeys, '', 'By the review of the API server', ...review.map(line => `  ${line}`)]
}

/** The reason why there is no review, or why the verdicts differ, for stderr. */
export function verifyAdvice({ oidc, reviewed, explained }: VerifiedToken, signs: Signs): string[] {
  if (reviewed === undefined) {
    return ['The cluster was not asked: name it with --cluster or --context to have both answers.']
  }
  if (explained === undefined) {
    return [foreign(`There is no review beside it: ${reviewed.reviewProblem ?? ''}`, signs)]
  }
  if (oidc.ok === explained.authenticated) return []
  return [
    oidc.ok
      ? 'They differ: keys do not show that an account or a pod was deleted. A check by keys alone accepts this token until exp.'
      : 'They differ: the API server forgives 60 s of clock difference, and compares the audience with its own.',
    ...reviewAdvice(explained, signs),
  ]
}
