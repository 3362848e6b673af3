import type { FlowRecord } from '../../flows/step.js'
import type { BodyView } from '../../render/body.js'
import type { Action } from './actions.js'
import { endedAt, entriesOf, tokensAt } from './entries.js'
import { clearField, eraseIn, openLogin, typeIn } from './login-form.js'
import type { FlowState, LoginForm, Pane } from './state.js'
import { initialState, PANES } from './state.js'

const BODY_VIEWS: readonly BodyView[] = ['pretty', 'raw', 'hex']

/** Lines that one pane may take from the other. */
const MOST_GROWTH = 20

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value))

function without<Key extends keyof FlowState>(state: FlowState, ...keys: Key[]): Omit<FlowState, Key> {
  const rest = { ...state }
  for (const key of keys) delete rest[key]
  return rest
}

function select(state: FlowState, selected: number): FlowState {
  const last = entriesOf(state).length - 1
  return {
    ...state,
    selected: clamp(selected, 0, Math.max(0, last)),
    scroll: { exchange: 0, token: 0 },
    token: 0,
  }
}

function receive(state: FlowState, record: FlowRecord): FlowState {
  // What the flow said, such as the URL to open, stands until the browser is back.
  const back = record.type === 'outcome' || record.name === 'authorization_response'
  const settled = { ...state, notices: back ? [] : state.notices, waiting: false }
  if (record.type === 'step') {
    const steps = [...state.steps, record]
    return select({ ...settled, steps }, steps.length - 1)
  }
  const ended = { ...settled, outcome: record, runAll: false }
  return select(ended, endedAt(ended) ?? ended.selected)
}

function showPane(state: FlowState, pane: Pane): FlowState {
  return { ...state, pane, lower: pane === 'sequence' ? state.lower : pane }
}

function scrolled(state: FlowState, by: number, limit: number): FlowState {
  const { pane, scroll } = state
  if (pane === 'sequence') return select(state, state.selected + by)
  return { ...state, scroll: { ...scroll, [pane]: clamp(scroll[pane] + by, 0, Math.max(0, limit)) } }
}

function withLogin(state: FlowState, change: (form: LoginForm) => LoginForm): FlowState {
  return state.login === undefined ? state : { ...state, login: change(state.login) }
}

/** The next state of the flow screen. */
export function reduce(state: FlowState, action: Action): FlowState {
  switch (action.type) {
    case 'waiting': {
      const started = { ...state, waiting: true }
      return action.quiet ? started : select(started, state.steps.length)
    }
    case 'record':
      return action.run === state.run ? receive(state, action.record) : state
    case 'stopped':
      return action.run === state.run ? { ...state, waiting: false, runAll: false } : state
    case 'notice':
      return action.run === state.run ? { ...state, notices: [...state.notices, action.text] } : state
    case 'ask': {
      const login = openLogin(action.prompt, action.suggested, state.lastLogin)
      return { ...state, login, help: false }
    }
    case 'answered':
      return state.login === undefined ? state : { ...without(state, 'login'), lastLogin: state.login }
    case 'restart': {
      const fresh = initialState(state.plan, state.showSecrets)
      const { pane, lower, grow, body } = state
      return { ...fresh, run: state.run + 1, pane, lower, grow, body }
    }
    case 'runAll':
      return { ...state, runAll: action.on }
    case 'select':
      return select(state, state.selected + action.by)
    case 'pane':
      return showPane(state, action.pane)
    case 'nextPane':
      return showPane(state, PANES[(PANES.indexOf(state.pane) + action.by + PANES.length) % PANES.length]!)
    case 'scroll':
      return scrolled(state, action.by, action.limit)
    case 'grow': {
      const by = state.pane === 'sequence' ? -action.by : action.by
      return { ...state, grow: clamp(state.grow + by, -MOST_GROWTH, MOST_GROWTH) }
    }
    case 'body': {
      const body = BODY_VIEWS[(BODY_VIEWS.indexOf(state.body) + 1) % BODY_VIEWS.length]!
      return { ...state, body, scroll: { ...state.scroll, exchange: 0 } }
    }
    case 'secrets':
      return { ...state, showSecrets: !state.showSecrets }
    case 'nextToken': {
      const count = Math.max(1, tokensAt(state).length)
      return { ...state, token: (state.token + 1) % count, scroll: { ...state.scroll, token: 0 } }
    }
    case 'help':
      return { ...state, help: action.open }
    case 'typed':
      return withLogin(state, form => typeIn(form, action.text))
    case 'erase':
      return withLogin(state, eraseIn)
    case 'clearField':
      return withLogin(state, clearField)
    case 'otherField':
      return withLogin(state, form => ({
        ...form,
        field: form.field === 'username' ? 'password' : 'username',
      }))
  }
}
