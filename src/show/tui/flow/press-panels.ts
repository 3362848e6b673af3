import { bindingOf } from '../screen/key-table.js'
import type { KeyPress } from '../screen/keys.js'
import { erased, typed } from '../screen/line-input.js'
import type { Size } from '../screen/size.js'
import { breakAlways } from './breakpoints.js'
import { goToHit } from './go-to-hit.js'
import type { EditCommand, HeldChange, HeldCommand } from './held.js'
import { EDIT_KEYS } from './held.js'
import { loginAnswer } from './login-form.js'
import type { LoginCommand } from './login-keys.js'
import { loginCommandOf } from './login-keys.js'
import type { PressPorts } from './press-ports.js'
import type { RetryCommand } from './retry-panel.js'

/** A key in the login panel. */
export function logIn(press: KeyPress, { store, runner, quit, suspend }: PressPorts): void {
  const form = store.get().login
  const command = loginCommandOf(press)
  if (command === undefined) store.dispatch({ type: 'typed', text: press.text })
  if (command === undefined || form === undefined) return
  const submit = (): void => {
    const answer = loginAnswer(form)
    if (answer) runner.answer(answer)
    else if (form.field !== 'code' && (form.field === 'username') === (form.username !== ''))
      store.dispatch({ type: 'otherField' })
  }
  const does: Readonly<Record<LoginCommand, () => void>> = {
    submit,
    otherField: () => store.dispatch({ type: 'otherField' }),
    erase: () => store.dispatch({ type: 'erase' }),
    clearField: () => store.dispatch({ type: 'clearField' }),
    browser: () => runner.answer({ kind: 'browser' }),
    cancel: () => runner.answer({ kind: 'cancel' }),
    interrupt: () => quit(true),
    suspend,
  }
  does[command]()
}

/** Performs a command on a held request. */
export function hold(command: HeldCommand, ports: PressPorts): void {
  const { store, runner, quit, suspend } = ports
  const change = (what: 'edit' | 'add' | 'remove' | 'undo') =>
    store.dispatch({ type: 'changeHeld', change: { what } })
  const move = (by: number) => store.dispatch({ type: 'changeHeld', change: { what: 'move', by } })
  const { held } = store.get()
  if (held === undefined) return
  const does: Readonly<Record<HeldCommand, () => void>> = {
    send: () => runner.release(held.parts),
    asItWas: () => runner.release(held.request.parts),
    edit: () => change('edit'),
    add: () => change('add'),
    remove: () => change('remove'),
    undo: () => change('undo'),
    next: () => move(1),
    previous: () => move(-1),
    breakAlways: () => breakAlways(ports),
    secrets: () => store.dispatch({ type: 'secrets' }),
    quit: () => quit(false),
    interrupt: () => quit(true),
    suspend,
  }
  does[command]()
}

/** A key while a value of a held request is typed. */
export function typeValue(press: KeyPress, { store, quit, suspend }: PressPorts): void {
  const command = bindingOf(EDIT_KEYS, press.name, undefined)?.command
  const change = (by: HeldChange) => store.dispatch({ type: 'changeHeld', change: by })
  if (command === undefined) change({ what: 'type', text: press.text })
  else if (command === 'interrupt') quit(true)
  else if (command === 'suspend') suspend()
  else change({ what: command })
}

/** Performs the decision about a request that got no answer. */
export function decide(command: RetryCommand, { runner, quit, suspend }: PressPorts): void {
  const does: Readonly<Record<RetryCommand, () => void>> = {
    again: () => runner.retry(true),
    fail: () => runner.retry(false),
    quit: () => quit(false),
    interrupt: () => quit(true),
    suspend,
  }
  does[command]()
}

/** A key while it is typed what to search for. */
export function search(
  press: KeyPress,
  text: string,
  size: Size,
  { store, quit, suspend, context }: PressPorts,
): void {
  const command = bindingOf(EDIT_KEYS, press.name, undefined)?.command
  const find = (next: string | undefined) => store.dispatch({ type: 'finding', text: next })
  if (command === undefined) {
    find(typed(text, press.text, 200))
    return
  }
  const accept = (): void => {
    find(undefined)
    if (text !== '') goToHit(store, size, context(), text, 0)
  }
  const does: Readonly<Record<EditCommand, () => void>> = {
    accept,
    cancel: () => find(undefined),
    // Erasing beyond the first character leaves, as in a pager.
    erase: () => find(text === '' ? undefined : erased(text)),
    clear: () => find(''),
    interrupt: () => quit(true),
    suspend,
  }
  does[command]()
}
