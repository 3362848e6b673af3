import type { Signs } from '../../render/text/signs.js'
import { foreign } from '../../render/text/spans.js'
import { entriesOf } from './entries.js'
import type { FlowState } from './state.js'

/** One plain line for the scrollback: what became of the flow. */
export function lastLine(state: FlowState, command: string, clientId: string, signs: Signs): string {
  const { outcome, steps } = state
  const name = `${command} ${foreign(clientId, signs)}`
  if (outcome === undefined) {
    const last = steps.at(-1)
    return last === undefined
      ? `${name}: left before the first step`
      : `${name}: left after step ${last.n} of ${last.of}, ${foreign(last.title, signs)}`
  }
  if (outcome.logged_out) return foreign(`${signs.done} ${name}: logged out`, signs)
  if (outcome.outcome === 'granted') {
    const { token_type: type, expires_in: lifetime, scope } = outcome.tokens ?? {}
    const details = [type, lifetime === undefined ? undefined : `${lifetime} s`, scope && `scope ${scope}`]
    const text = details.filter(detail => detail !== undefined && detail !== '').join(', ')
    return foreign(`${signs.done} ${name}: granted${text === '' ? '' : `, ${text}`}`, signs)
  }
  const { error, error_description: description, rule } = outcome.error ?? {}
  const at = entriesOf(state).find(({ status }) => status === 'refused')
  const place = at === undefined ? '' : ` at step ${at.n}`
  const because = [error, description].filter(text => text !== undefined).join(': ')
  const ruled = rule === undefined ? '' : ` (${rule})`
  return foreign(`${signs.refused} ${name}: ${outcome.outcome}${place}: ${because}${ruled}`, signs)
}
