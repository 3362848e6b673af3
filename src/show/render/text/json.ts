import type { FlowRecord, Outcome, Step, StepToken } from '../../../flows/step.js'
import { jsonLine } from '../../../protocol/safe-output/json-line.js'
import { type Masking, maskExchange, maskUrl, maskValue } from '../../../protocol/safe-output/mask.js'

export { jsonLine }

/** The written members of a step, in this order. */
export const STEP_MEMBERS = [
  ...['type', 'n', 'of', 'name', 'from', 'to', 'rfc', 'url'],
  ...['exchange', 'checks', 'token', 'tokens', 'note'],
] as const satisfies readonly (keyof Step)[]

/** The written members of an outcome, in this order. */
export const OUTCOME_MEMBERS = [
  ...['type', 'outcome', 'logged_out', 'expected', 'tamper', 'error', 'tokens'],
] as const satisfies readonly (keyof Outcome)[]

/** The members of a record that are there. */
function present<Written extends object>(record: Written, members: readonly (keyof Written)[]): object {
  const there = members.filter(each => record[each] !== undefined)
  return Object.fromEntries(there.map(each => [each, record[each]]))
}

function maskToken(token: StepToken, masking: Masking): StepToken {
  return masking === 'all' ? { ...token, value: maskValue(token.value) } : token
}

/** A step with its secrets hidden, explained claims kept. */
function maskStep(step: Step, masking: Masking): Step {
  if (masking === 'none') return step
  const { url, exchange, token, tokens } = step
  return {
    ...step,
    ...(url !== undefined && { url: maskUrl(url, masking) }),
    ...(exchange && { exchange: maskExchange(exchange, masking) }),
    ...(token && { token: maskToken(token, masking) }),
    ...(tokens && { tokens: tokens.map(each => maskToken(each, masking)) }),
  }
}

/**
 * A record of a flow as it is written by `--json`: `type` first, only the members that apply. Whole tokens are the
 * result and stay; passwords, client secrets, cookies and csrf values are hidden unless secrets are to be shown.
 */
export function flowJson(record: FlowRecord, options: { readonly showSecrets: boolean }): string {
  const masking: Masking = options.showSecrets ? 'none' : 'lasting'
  return jsonLine(
    record.type === 'step'
      ? present(maskStep(record, masking), STEP_MEMBERS)
      : present(record, OUTCOME_MEMBERS),
  )
}
