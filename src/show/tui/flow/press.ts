import { bindingOf } from '../screen/key-table.js'
import type { KeyPress } from '../screen/keys.js'
import { createPress } from '../screen/press.js'
import type { Size } from '../screen/size.js'
import { actionsOf } from './flow-actions.js'
import { HELD_KEYS } from './held.js'
import { type Command, commandOf } from './keymap.js'
import { pressInFlowMenu } from './press-menu.js'
import { decide, hold, logIn, search, typeValue } from './press-panels.js'
import type { PressPorts } from './press-ports.js'
import { RETRY_KEYS } from './retry-panel.js'
import type { FlowState } from './state.js'

/** Gives a key to the panel, the typed text or the menu in front; returns false when there is none. */
function pressInFront(press: KeyPress, size: Size, ports: PressPorts): boolean {
  const { login, held, noAnswer, finding, menu } = ports.store.get()
  if (login) logIn(press, ports)
  else if (held?.editing) typeValue(press, ports)
  else if (held) {
    const command = bindingOf(HELD_KEYS, press.name, held)?.command
    if (command) hold(command, ports)
  } else if (noAnswer !== undefined) {
    const command = bindingOf(RETRY_KEYS, press.name, undefined)?.command
    if (command) decide(command, ports)
  } else if (finding !== undefined) search(press, finding, size, ports)
  else if (menu) pressInFlowMenu(press, menu, ports)
  else return false
  return true
}

/** Makes the function that carries out a key press. */
export function createFlowPress(ports: PressPorts): (press: KeyPress, size: Size) => void {
  const { store, quit, suspend } = ports
  return createPress<FlowState, Command>({
    get: store.get,
    commandOf,
    quit,
    suspend,
    clearNotice: () => store.dispatch({ type: 'clearMessage' }),
    pressInFront: (press, size) => pressInFront(press, size, ports),
    actions: (state, _key, size) => actionsOf(state, size, ports),
  })
}
