import type { FlowRecord, Outcome, Step } from '../flows/step.js'
import { jsonLine } from './json-line.js'
import { type Masking, maskStep } from './mask.js'

export { jsonLine }

/** The members of `value` that are there. */
function present(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
}

function stepJson({ type, n, of, name, from, to, rfc, url, exchange, checks, token, tokens, note }: Step) {
  return present({ type, n, of, name, from, to, rfc, url, exchange, checks, token, tokens, note })
}

function outcomeJson({ type, outcome, expected, tamper, error, tokens }: Outcome) {
  return present({ type, outcome, expected, tamper, error, tokens })
}

/**
 * A record of a flow as it is written by `--json`: `type` first, only the members that apply. Whole tokens are the
 * result and stay; passwords, client secrets, cookies and csrf values are hidden unless secrets are to be shown.
 */
export function flowJson(record: FlowRecord, options: { readonly showSecrets: boolean }): string {
  const masking: Masking = options.showSecrets ? 'none' : 'lasting'
  return jsonLine(record.type === 'step' ? stepJson(maskStep(record, masking)) : outcomeJson(record))
}
