import { carryOut, type KeyTable, keyRows, pressInLine, quitKeys } from '../screen/key-rows.js'
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
const row = keyRows<FlowState, FlowPress>

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

/** The keys of the login panel; every other key types itself. */
export const LOGIN_KEYS: PanelKeys = row('At the login', [
  ['enter', 'log in', { does: submit }, ['enter log in', 9]],
  [
    'tab shift-tab up down',
    ['tab ↓ ↑', 'the other field'],
    { change: inLogin(otherField) },
    ['tab field', 6, ({ login }) => login?.field !== 'code'],
  ],
  ['backspace', 'erase a character', { change: inLogin(eraseIn) }],
  ['ctrl-u', ['^u', 'empty the field'], { change: inLogin(clearField) }, ['^u clear', 5]],
  [
    'ctrl-b',
    ['^b', 'log in with your own browser'],
    { does: ({ runner }) => runner.answer({ kind: 'browser' }) },
    ['^b your browser', 8],
  ],
  ['esc', 'cancel', { does: ({ runner }) => runner.answer({ kind: 'cancel' }) }, ['esc cancel', 7]],
  ['ctrl-c', ['^C', 'quit now'], { does: ({ quit }) => quit(true) }, ['^C quit', 10]],
  ['ctrl-z', ['^Z', 'suspend'], { does: ({ suspend }) => suspend() }],
])

const inHeld =
  (change: (held: Held) => Held) =>
  (state: FlowState): FlowState =>
    state.held === undefined ? state : { ...state, held: change(state.held) }

const BEFORE = 'Before a request is sent'
const anyPart = ({ held }: FlowState): boolean => held !== undefined && held.parts.length > 0

/** The keys while a request is held. */
export const HELD_KEYS: PanelKeys = [
  ...row(BEFORE, [
    [
      'enter',
      'send it',
      { does: ({ state, runner }) => runner.release(state.held?.parts ?? []) },
      ['enter send', 9],
    ],
    ['j down tab', ['j k ↓ ↑', 'move'], { change: inHeld(held => heldMoved(held, 1)) }, ['j k move', 3]],
    ['k up shift-tab', undefined, { change: inHeld(held => heldMoved(held, -1)) }],
    ['e', 'edit the value', { change: inHeld(held => heldEditing(held, false)) }, ['e edit', 8], anyPart],
    ['d', 'leave it out', { change: inHeld(heldRemoved) }, ['d leave out', 6], anyPart],
    ['a', 'add name=value after it', { change: inHeld(held => heldEditing(held, true)) }, ['a add', 5]],
    [
      'u',
      'undo all changes',
      { change: inHeld(heldUndone) },
      ['u undo', 4],
      ({ held }) => held !== undefined && held.parts !== held.request.parts,
    ],
    ['b', 'break before every request, or not', { does: breakAlways }],
    ['s', 'show, hide secrets', { change: state => ({ ...state, showSecrets: !state.showSecrets }) }],
    [
      'esc q',
      'send it as it was',
      { does: ({ state, runner }) => runner.release(state.held?.request.parts ?? []) },
      ['esc as it was', 7],
    ],
  ]),
  ...quitKeys<FlowState, FlowPress>(BEFORE),
]

const NO_ANSWER = 'When no answer comes'

/** The keys while a request got no answer and may be sent again. */
export const RETRY_KEYS: PanelKeys = [
  ...row(NO_ANSWER, [
    ['enter r', 'send it again', { does: ({ runner }) => runner.retry(true) }, ['enter send it again', 9]],
    [
      'esc q',
      'let the flow fail',
      { does: ({ runner }) => runner.retry(false) },
      ['esc let the flow fail', 8],
    ],
  ]),
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
