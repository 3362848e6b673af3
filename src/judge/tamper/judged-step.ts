import type { Step, StepName } from '../../flows/step.js'
import { isBreach } from '../../protocol/oauth/check.js'
import type { Move, Refusal, Situation } from './move.js'
import { tamperCheck, type Verdict } from './verdict.js'

/** The steps in which a server shows error pages. */
const pages: ReadonlySet<StepName> = new Set(['login_form', 'logout_request', 'logout_confirmation'])

/** True when the flow may end with this step: a check failed, or the server shows an error. */
export function mayBeLast({ name, checks = [], token, tokens = [], exchange }: Step): boolean {
  const all = [...checks, ...(token?.checks ?? []), ...tokens.flatMap(each => each.checks)]
  return all.some(isBreach) || (pages.has(name) && (exchange?.response?.status ?? 0) >= 400)
}

/** The move with the refusals that a pushed request may get at once (RFC 9126 §2.3). */
export function moveFor(move: Move, { pushed }: Situation): Move {
  if (!pushed || move.at !== 'authorization_request' || move.afterPush) return move
  const atOnce: Refusal = { by: 'token', status: [400, 401], errors: [] }
  return { ...move, expects: [atOnce, ...move.expects] }
}

/** The step with the changed message, for moves of the browser. */
export function messageOf({ at }: Move): StepName {
  return at === 'login' || at === 'logout_request' ? at : 'login_form'
}

function verdictNote({ expected, found, observed, harmless }: Verdict): string {
  if (expected) return `as expected: ${found}`
  if (harmless !== undefined) return `not refused, which harms nobody here: ${found}`
  return observed.kind === 'refused'
    ? `refused in another way: ${found}`
    : `not refused as expected: ${found}`
}

/** The step with its verdict. */
export function judgedStep(step: Step, verdict: Verdict): Step {
  return {
    ...step,
    checks: [...(step.checks ?? []), tamperCheck(verdict)],
    note: verdictNote(verdict),
  }
}
