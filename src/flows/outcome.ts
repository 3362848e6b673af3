import { TimeoutError, TransportError } from '../protocol/errors.js'
import { UnreadableAnswer } from '../protocol/oauth/answers.js'
import type { Check } from '../protocol/oauth/check.js'
import { OAuthError } from '../protocol/oauth/oauth-error.js'
import type { TokenResponse } from '../protocol/oauth/token.js'
import type { Outcome } from './step.js'

/** The end of a flow that went well. */
export function granted(tokens: Partial<TokenResponse>): Outcome {
  return { type: 'outcome', outcome: 'granted', tokens }
}

function failed(error: string, description: string, hints: readonly string[] = []): Outcome {
  const failure = { error, error_description: description }
  return { type: 'outcome', outcome: 'failed', error: hints.length === 0 ? failure : { ...failure, hints } }
}

/**
 * A broken rule is `refused`; no answer, or an unreadable one, is `failed` (also `timeout`, `interrupted`).
 * @throws anything else: a wrong option or a mistake in this program is not an outcome
 */
export function outcomeOf(error: unknown, signal: AbortSignal): Outcome {
  if (signal.aborted) return failed('interrupted', 'the flow was interrupted')
  if (error instanceof OAuthError) {
    const { code, description, rule, hints } = error
    return {
      type: 'outcome',
      outcome: error instanceof UnreadableAnswer ? 'failed' : 'refused',
      error: { error: code, error_description: description, rule, ...(hints && { hints }) },
    }
  }
  if (error instanceof TimeoutError) return failed('timeout', error.message, error.hints)
  if (error instanceof TransportError) return failed(error.code, error.message, error.hints)
  throw error
}

const checkNames: Readonly<Record<string, string>> = {
  state_mismatch: 'state',
  issuer_mismatch: 'iss',
  subject_mismatch: 'sub',
}

/** Shows a refusal as the check that found it. */
export function failedCheck(error: OAuthError, name = checkNames[error.code] ?? error.code): Check {
  const { description, evidence, rule } = error
  const detail = evidence === undefined ? description : `${description}: ${evidence}`
  return { name, ok: false, rule, detail }
}
