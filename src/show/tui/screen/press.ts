import { behindHelp, helpOf } from './help.js'
import {
  type Controls,
  carryOut,
  type Front,
  type KeyTable,
  type Press,
  type ScreenKeys,
} from './key-rows.js'
import type { KeyPress } from './keys.js'
import { pressInPicker } from './picker.js'
import type { Size } from './size.js'
import { without } from './store.js'

/** Carries out a key press on the help page: a list whose choice is pressed as a key of the screen behind it. */
function pressInHelp<State extends Front, Ports>(
  keys: KeyTable<State, Press<State, Ports>>,
  on: Press<State, Ports>,
): void {
  const { store, state } = on
  const { entries, picking } = helpOf(keys, state)
  const close = (): void => store.update(behindHelp)
  const choose = (index: number): void => {
    const { key, off } = entries[index]!
    if (off !== undefined) store.update(now => ({ ...now, notice: { text: off, good: false } }))
    else {
      close()
      carryOut(keys, { ...on, key, press: { name: key, text: '' }, state: store.get() })
    }
  }
  if (on.key === '?' && !picking.typing) close()
  else
    pressInPicker(on, entries, {
      picking,
      choose,
      close,
      change: next => store.update(now => ({ ...now, help: { ...now.help, ...next } })),
    })
}

/** Makes the function that carries out a key press. */
export function createPress<State extends Front, Ports>(
  { keys, inFront }: ScreenKeys<State, Ports>,
  ports: Ports & Controls<State>,
): (press: KeyPress, size: Size) => void {
  const { store } = ports
  return (press, size) => {
    if (store.get().notice !== undefined) store.update(state => without(state, 'notice') as State)
    const state = store.get()
    const on = { ...ports, press, key: press.name, state, size }
    if (inFront?.(on)) return
    if (state.page === 'help') pressInHelp(keys, on)
    else carryOut(keys, on)
  }
}
