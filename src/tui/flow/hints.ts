import type { Signs } from '../../render/signs.js'
import type { Line } from '../../render/spans.js'
import { helpLines } from '../screen/help.js'
import type { Hint } from '../screen/hints.js'
import { tableHints } from '../screen/hints.js'
import { FLOW_KEYS } from './keymap.js'
import { LOGIN_HINTS } from './login-keys.js'
import type { FlowState } from './state.js'

/** The hints that mean something in this state. */
export function hintsOf(state: FlowState, signs: Signs): Hint[] {
  return state.login ? [...LOGIN_HINTS] : tableHints(FLOW_KEYS, state, signs)
}

/** The help page of the flow screen. */
export function helpOf(columns: number, signs: Signs): Line[] {
  return helpLines(FLOW_KEYS, ['at the login: tab field, ^b your browser, esc cancel'], columns, signs)
}
