import type { Signs } from '../../render/text/signs.js'
import type { Line } from '../../render/text/spans.js'
import { foreign, lineWidth, span, spread } from '../../render/text/spans.js'
import { cutMiddle } from '../../render/text/text.js'
import { helpLines } from '../screen/help.js'
import type { Hint } from '../screen/hints.js'
import { hintLine, tableHints } from '../screen/hints.js'
import { MENU_KEYS } from '../screen/menu.js'
import type { Size } from '../screen/size.js'
import { EDIT_KEYS, HELD_KEYS } from './held.js'
import { FLOW_KEYS } from './keymap.js'
import { LOGIN_KEYS } from './login-keys.js'
import { RETRY_KEYS } from './retry-panel.js'
import type { FlowState } from './state.js'

/** The hints that mean something in this state. */
function hintsOf(state: FlowState, signs: Signs): Hint[] {
  const { login, held, noAnswer, menu, finding } = state
  if (login) return tableHints(LOGIN_KEYS, login, signs)
  if (finding !== undefined || held?.editing) return tableHints(EDIT_KEYS, undefined, signs)
  if (held) return tableHints(HELD_KEYS, held, signs)
  if (noAnswer !== undefined) return tableHints(RETRY_KEYS, undefined, signs)
  if (menu) return tableHints(MENU_KEYS, undefined, signs)
  return tableHints(FLOW_KEYS, state, signs)
}

/** The last line: what is searched for, what the last key led to, or the hints. */
export function bottomLine(state: FlowState, columns: number, gap: number, signs: Signs): Line {
  const hints = hintsOf(state, signs)
  const { finding, message } = state
  if (finding !== undefined) {
    const typed = [span(' / ', 'now'), span(foreign(finding, signs), 'strong'), span(signs.caret, 'now')]
    return spread(typed, hintLine(hints, 40, 2), columns, signs)
  }
  if (message === undefined) return hintLine(hints, columns, gap)
  // Help and the way out stay.
  const kept = hintLine(
    hints.filter(({ keep }) => keep >= 10),
    columns,
    2,
  )
  const room = columns - lineWidth(kept) - 4
  return spread(
    [
      span(` ${message.good ? signs.done : signs.look} `, message.good ? 'done' : 'look'),
      span(cutMiddle(foreign(message.text, signs), Math.max(8, room), signs.ellipsis)),
    ],
    kept,
    columns,
    signs,
  )
}

/** The help page of the flow screen. */
export function helpOf(size: Size, signs: Signs): Line[] {
  return helpLines(FLOW_KEYS, ['at the login: tab field, ^b your browser, esc cancel'], size, signs)
}
