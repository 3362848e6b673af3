import type { KeyTable } from '../screen/key-rows.js'
import { carryOut, pressInLine, quitKeys } from '../screen/key-rows.js'
import {
  type Held,
  heldAccepted,
  heldCancelled,
  heldEditing,
  heldMoved,
  heldRemoved,
  heldTyped,
  heldUndone,
} from './held.js'
import { clearField, eraseIn, type LoginForm, loginAnswer, otherField, typeIn } from './login.js'
import { breakAlways, type FlowPress } from './menus.js'
import type { FlowState } from './state.js'

type PanelKeys = KeyTable<FlowState, FlowPress>

const inLogin =
  (change: (form: LoginForm) => LoginForm) =>
  (state: FlowState): FlowState =>
    state.login === undefined ? state : { ...state, login: change(state.login) }

function submit({ state: { login }, store, runner }: FlowPress): void {
  const answer = login && loginAnswer(login)
  if (answer) runner.answer(answer)
  else if (login && login.field !== 'code' && (login.field === 'username') === (login.username !== ''))
    store.update(inLogin(otherField))
}

const AT_LOGIN = 'At the login'

/** The keys of the login panel; every other key types itself. */
export const LOGIN_KEYS: PanelKeys = [
  { keys: ['enter'], group: AT_LOGIN, help: ['enter', 'log in'], hint: ['enter log in', 9], does: submit },
  {
    keys: ['tab', 'shift-tab', 'up', 'down'],
    group: AT_LOGIN,
    help: ['tab ↓ ↑', 'the other field'],
    hint: ['tab field', 6, ({ login }) => login?.field !== 'code'],
    change: inLogin(otherField),
  },
  {
    keys: ['backspace'],
    group: AT_LOGIN,
    help: ['backspace', 'erase a character'],
    change: inLogin(eraseIn),
  },
  {
    keys: ['ctrl-u'],
    group: AT_LOGIN,
    help: ['^u', 'empty the field'],
    hint: ['^u clear', 5],
    change: inLogin(clearField),
  },
  {
    keys: ['ctrl-b'],
    group: AT_LOGIN,
    help: ['^b', 'log in with your own browser'],
    hint: ['^b your browser', 8],
    does: ({ runner }) => runner.answer({ kind: 'browser' }),
  },
  {
    keys: ['esc'],
    group: AT_LOGIN,
    help: ['esc', 'cancel'],
    hint: ['esc cancel', 7],
    does: ({ runner }) => runner.answer({ kind: 'cancel' }),
  },
  {
    keys: ['ctrl-c'],
    group: AT_LOGIN,
    help: ['^C', 'quit now'],
    hint: ['^C quit', 10],
    does: ({ quit }) => quit(true),
  },
  { keys: ['ctrl-z'], group: AT_LOGIN, help: ['^Z', 'suspend'], does: ({ suspend }) => suspend() },
]

const inHeld =
  (change: (held: Held) => Held) =>
  (state: FlowState): FlowState =>
    state.held === undefined ? state : { ...state, held: change(state.held) }

const BEFORE = 'Before a request is sent'
const anyPart = ({ held }: FlowState): boolean => held !== undefined && held.parts.length > 0

/** The keys while a request is held. */
export const HELD_KEYS: PanelKeys = [
  {
    keys: ['enter'],
    group: BEFORE,
    help: ['enter', 'send it'],
    hint: ['enter send', 9],
    does: ({ state, runner }) => runner.release(state.held?.parts ?? []),
  },
  {
    keys: ['j', 'down', 'tab'],
    group: BEFORE,
    help: ['j k ↓ ↑', 'move'],
    hint: ['j k move', 3],
    change: inHeld(held => heldMoved(held, 1)),
  },
  { keys: ['k', 'up', 'shift-tab'], group: BEFORE, change: inHeld(held => heldMoved(held, -1)) },
  {
    keys: ['e'],
    group: BEFORE,
    help: ['e', 'edit the value'],
    hint: ['e edit', 8],
    when: anyPart,
    change: inHeld(held => heldEditing(held, false)),
  },
  {
    keys: ['d'],
    group: BEFORE,
    help: ['d', 'leave it out'],
    hint: ['d leave out', 6],
    when: anyPart,
    change: inHeld(heldRemoved),
  },
  {
    keys: ['a'],
    group: BEFORE,
    help: ['a', 'add name=value after it'],
    hint: ['a add', 5],
    change: inHeld(held => heldEditing(held, true)),
  },
  {
    keys: ['u'],
    group: BEFORE,
    help: ['u', 'undo all changes'],
    hint: ['u undo', 4],
    when: ({ held }) => held !== undefined && held.parts !== held.request.parts,
    change: inHeld(heldUndone),
  },
  { keys: ['b'], group: BEFORE, help: ['b', 'break before every request, or not'], does: breakAlways },
  {
    keys: ['s'],
    group: BEFORE,
    help: ['s', 'show, hide secrets'],
    change: state => ({ ...state, showSecrets: !state.showSecrets }),
  },
  {
    keys: ['esc', 'q'],
    group: BEFORE,
    help: ['esc q', 'send it as it was'],
    hint: ['esc as it was', 7],
    does: ({ state, runner }) => runner.release(state.held?.request.parts ?? []),
  },
  ...quitKeys<FlowState, FlowPress>(BEFORE),
]

const NO_ANSWER = 'When no answer comes'

/** The keys while a request got no answer and may be sent again. */
export const RETRY_KEYS: PanelKeys = [
  {
    keys: ['enter', 'r'],
    group: NO_ANSWER,
    help: ['enter r', 'send it again'],
    hint: ['enter send it again', 9],
    does: ({ runner }) => runner.retry(true),
  },
  {
    keys: ['esc', 'q'],
    group: NO_ANSWER,
    help: ['esc q', 'let the flow fail'],
    hint: ['esc let the flow fail', 8],
    does: ({ runner }) => runner.retry(false),
  },
  ...quitKeys<FlowState, FlowPress>(NO_ANSWER),
]

/** Gives a key to the panel in front; returns false when there is none. */
export function pressInPanel(on: FlowPress): boolean {
  const { state, store, press } = on
  const { login, held, noAnswer } = state
  if (login) {
    if (!carryOut(LOGIN_KEYS, on)) store.update(inLogin(form => typeIn(form, press.text)))
  } else if (held?.editing) {
    const line = {
      text: held.editing.text,
      change: (text: string) => store.update(inHeld(now => heldTyped(now, text))),
      accept: () => store.update(inHeld(heldAccepted)),
      cancel: () => store.update(inHeld(heldCancelled)),
    }
    pressInLine(press, line, on)
  } else if (held) carryOut(HELD_KEYS, on)
  else if (noAnswer !== undefined) carryOut(RETRY_KEYS, on)
  else return false
  return true
}
