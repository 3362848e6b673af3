import type { FlowRecord } from '../../../flows/step.js'
import type { LabEvent } from '../../../protocol/events.js'
import type { BodyView } from '../../render/steps/body.js'
import { clamp } from '../screen/clamp.js'
import { without } from '../screen/without.js'
import type { Action } from './actions.js'
import { endedAt, entriesOf, nextPlanned, tokensAt } from './entries.js'
import { changeHeld } from './held.js'
import { clearField, eraseIn, openLogin, otherField, typeIn } from './login-form.js'
import type { FlowState, LoginForm, Pane } from './state.js'
import { initialState, MOST_GROWTH, PANES, TOP } from './state.js'

const BODY_VIEWS: readonly BodyView[] = ['pretty', 'raw', 'hex']

function select(state: FlowState, selected: number): FlowState {
  const last = entriesOf(state).length - 1
  return {
    ...state,
    selected: clamp(selected, 0, Math.max(0, last)),
    scroll: TOP,
    token: 0,
  }
}

function receive(state: FlowState, record: FlowRecord): FlowState {
  // What the flow said, such as the URL to open, stands until the browser is back.
  const back = record.type === 'outcome' || record.name === 'authorization_response'
  // A device that still waits needs its code further on.
  const before = record.type === 'step' && record.repeats ? state : without(state, 'qr')
  const settled = { ...before, notices: back ? [] : state.notices, waiting: false }
  if (record.type === 'step') {
    const steps = [...state.steps, record]
    const next = select({ ...settled, steps }, steps.length - 1)
    return next.until !== undefined && nextPlanned(next)?.name === next.until ? without(next, 'until') : next
  }
  const ended = { ...without(settled, 'until'), outcome: record, runAll: false }
  return select(ended, endedAt(ended) ?? ended.selected)
}

function showPane(state: FlowState, pane: Pane): FlowState {
  if (pane === 'sequence') return { ...state, pane }
  return { ...state, pane, lower: pane, beside: pane === 'exchange' ? state.beside : pane }
}

function scrolled(state: FlowState, by: number, limit: number): FlowState {
  const { pane, scroll } = state
  if (pane === 'sequence') return select(state, state.selected + by)
  return { ...state, scroll: { ...scroll, [pane]: clamp(scroll[pane] + by, 0, Math.max(0, limit)) } }
}

function withLogin(state: FlowState, change: (form: LoginForm) => LoginForm): FlowState {
  return state.login === undefined ? state : { ...state, login: change(state.login) }
}

/** A run from the beginning, seen as the last one was. */
function restarted(state: FlowState, other: (Action & { type: 'restart' })['with']): FlowState {
  const fresh = initialState(other?.plan ?? state.plan, state.showSecrets)
  const { pane, lower, beside, grow, body, breaks, clockAhead, lastLogin } = state
  const move = other === undefined ? state.move : other.move
  return {
    ...fresh,
    run: state.run + 1,
    pane,
    lower,
    beside,
    grow,
    body,
    clockAhead,
    breaks: breaks === 'always' ? 'always' : 'never',
    ...(lastLogin && { lastLogin }),
    ...(move !== undefined && { move }),
    ...(other?.until !== undefined && { until: other.until }),
  }
}

/** Most events that are kept. A step has a few, and a flow that polls has many steps. */
const MOST_EVENTS = 5000

/** Notes that a request belongs to the step under way. */
function sent(state: FlowState, request: number): FlowState {
  return { ...state, requests: new Map(state.requests).set(request, state.steps.length) }
}

/**
 * Notes an event. A person's browser is another program, so its requests have no exchange here: requests that come
 * while the flow waits for the browser belong to the step under way.
 */
function heard(state: FlowState, event: LabEvent): FlowState {
  if (state.serverEvents.length >= MOST_EVENTS) return state
  const noted = { ...state, serverEvents: [...state.serverEvents, event] }
  const { request } = event
  const byBrowser = state.waiting && state.notices.length > 0
  return byBrowser && request !== undefined && !state.requests.has(request) ? sent(noted, request) : noted
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
      return { ...without(state, 'menu', 'finding', 'qr'), login, help: false }
    }
    case 'answered':
      // A code is good once: only the name and the password are of use to a later run.
      return state.login === undefined || state.login.field === 'code'
        ? without(state, 'login')
        : { ...without(state, 'login'), lastLogin: state.login }
    case 'restart':
      return restarted(state, action.with)
    case 'arrived':
      return without(state, 'until')
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
    case 'headers':
      return { ...state, allHeaders: !state.allHeaders }
    case 'nextToken': {
      const count = Math.max(1, tokensAt(state).length)
      return { ...state, token: (state.token + 1) % count, scroll: { ...state.scroll, token: 0 } }
    }
    case 'help':
      return { ...state, help: action.open }
    case 'qr':
      return action.qr === undefined ? without(state, 'qr') : { ...state, qr: action.qr }
    case 'menu':
      return action.name === undefined
        ? without(state, 'menu')
        : { ...state, menu: { name: action.name, at: action.at ?? 0 } }
    case 'menuMove': {
      if (state.menu === undefined) return state
      const at = (state.menu.at + action.by + action.count) % Math.max(1, action.count)
      return { ...state, menu: { ...state.menu, at } }
    }
    case 'breaks':
      return { ...state, breaks: action.breaks }
    case 'held': {
      const { request } = action
      const breaks = state.breaks === 'once' ? 'never' : state.breaks
      return {
        ...without(state, 'menu', 'qr'),
        help: false,
        breaks,
        held: { request, parts: request.parts, at: 0 },
      }
    }
    case 'changeHeld':
      return state.held === undefined ? state : { ...state, held: changeHeld(state.held, action.change) }
    case 'released':
      return without(state, 'held')
    case 'noAnswer':
      return action.why === undefined
        ? without(state, 'noAnswer')
        : { ...without(state, 'menu', 'qr'), help: false, noAnswer: action.why }
    case 'server':
      return heard(state, action.event)
    case 'sent':
      return action.run === state.run ? sent(state, action.request) : state
    case 'clock':
      return action.ahead === state.clockAhead ? state : { ...state, clockAhead: action.ahead }
    case 'message':
      return { ...state, message: { text: action.text, good: action.good } }
    case 'clearMessage':
      return state.message === undefined ? state : without(state, 'message')
    case 'finding':
      return action.text === undefined ? without(state, 'finding') : { ...state, finding: action.text }
    case 'found': {
      const { pane, text, hit, line } = action
      return { ...state, search: { pane, text, hit }, scroll: { ...state.scroll, [pane]: line } }
    }
    case 'forget':
      return without(state, 'search')
    case 'typed':
      return withLogin(state, form => typeIn(form, action.text))
    case 'erase':
      return withLogin(state, eraseIn)
    case 'clearField':
      return withLogin(state, clearField)
    case 'otherField':
      return withLogin(state, otherField)
  }
}
