import { bindingOf } from '../screen/key-table.js'
import type { KeyPress } from '../screen/keys.js'
import type { Size } from '../screen/size.js'
import { HELD_KEYS } from './held.js'
import { commandOf } from './keymap.js'
import { perform } from './perform.js'
import { pressInMenu } from './press-menu.js'
import { decide, hold, logIn, search, typeValue } from './press-panels.js'
import type { PressPorts } from './press-ports.js'
import { RETRY_KEYS } from './retry-panel.js'

/** Makes the function that carries a key press out. What is in front gets the key: a panel, what is typed, a menu. */
export function createPress(ports: PressPorts): (press: KeyPress, size: Size) => void {
  const { store } = ports
  return (press, size) => {
    store.dispatch({ type: 'untell' })
    const { login, held, noAnswer, finding, menu } = store.get()
    if (login) return logIn(press, ports)
    if (held?.editing) return typeValue(press, ports)
    if (held) {
      const command = bindingOf(HELD_KEYS, press.name, held)?.command
      return command && hold(command, ports)
    }
    if (noAnswer !== undefined) {
      const command = bindingOf(RETRY_KEYS, press.name, undefined)?.command
      return command && decide(command, ports)
    }
    if (finding !== undefined) return search(press, finding, size, ports)
    if (menu) return pressInMenu(press, menu, ports)
    const command = commandOf(press.name, store.get())
    if (command !== undefined) perform(command, size, ports)
  }
}
