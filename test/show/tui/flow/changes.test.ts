import { describe, expect, it } from 'vitest'
import {
  answered,
  ask,
  grown,
  hearElsewhere,
  nextBody,
  nextToken,
  ofRun,
  receive,
  restarted,
  say,
  scrolled,
  selectedBy,
  stopped,
  toPane,
  wait,
} from '../../../../src/show/tui/flow/changes.js'
import { FLOW_KEYS } from '../../../../src/show/tui/flow/keys.js'
import {
  clearField,
  eraseIn,
  type LoginForm,
  loginAnswer,
  otherField,
  typeIn,
} from '../../../../src/show/tui/flow/login.js'
import { entriesOf, type FlowState, serverEventsAt, tokensAt } from '../../../../src/show/tui/flow/state.js'
import { rowOf } from '../../../../src/show/tui/screen/key-rows.js'
import { by, set } from '../changes.js'
import { FAILED, GRANTED, KEYS_STEP, REFUSED, REFUSED_LOGIN, REPLAYED, STEPS, TOKEN_STEP } from '../steps.js'
import { acted, type Change, stateAfter } from './draw.js'

const statuses = (state: FlowState): string =>
  entriesOf(state)
    .map(({ n, status }) => `${n}${status}`)
    .join(' ')

describe('the steps', () => {
  it.each([
    ['nothing happened', stateAfter(0), '1now 2next 3next 4next 5next 6next'],
    ['in the middle', stateAfter(3), '1done 2done 3now 4next 5next 6next'],
    ['granted', stateAfter(6, GRANTED), '1done 2done 3done 4done 5done 6now'],
    ['a step was refused', stateAfter(4, REPLAYED, REFUSED), '1done 2done 3done 4done 5refused 6next'],
    ['a step got no answer', stateAfter(4, FAILED), '1done 2done 3done 4done 5refused 6next'],
    ['the first step failed', stateAfter(0, FAILED), '1refused 2next 3next 4next 5next 6next'],
    ['a login was refused', stateAfter(2, REFUSED_LOGIN), '1done 2done 3now 3next 4next 5next 6next'],
    [
      'the login ended it',
      stateAfter(2, REFUSED_LOGIN, REFUSED),
      '1done 2done 3done 3refused 4next 5next 6next',
    ],
    [
      'a second login worked',
      stateAfter(2, REFUSED_LOGIN, STEPS[2]!),
      '1done 2done 3done 3now 4next 5next 6next',
    ],
    ['something else is looked at', selectedBy(stateAfter(4), -2), '1done 2now 3done 4done 5next 6next'],
  ])('%s', (_name, state, expected) => expect(statuses(state)).toBe(expected))
})

describe('changes', () => {
  it('move to the running step, and then to its result', () => {
    const waiting = acted(stateAfter(3), by(selectedBy, -2), by(wait, false))
    expect(waiting).toMatchObject({ selected: 3, waiting: true })
    expect(receive(waiting, STEPS[3]!)).toMatchObject({ selected: 3, waiting: false })
  })

  it('stay where they are while only the outcome is awaited', () => {
    const state = wait(stateAfter(6), true)
    expect(state.selected).toBe(5)
    expect(receive(state, GRANTED)).toMatchObject({ selected: 5, waiting: false, runAll: false })
  })

  it('ignore results of an abandoned run', () => {
    const again = restarted(stateAfter(3))
    expect(again).toMatchObject({ run: 2, steps: [], selected: 0, waiting: false })
    const late: Change[] = [by(receive, STEPS[3]!), stopped, by(say, 'open')]
    expect(acted(again, ...late.map(change => ofRun(1, change)))).toBe(again)
    expect(ofRun(2, by(receive, STEPS[0]!))(again).steps).toHaveLength(1)
  })

  it('keep pane, view and secrets over a restart', () => {
    const state = acted(stateAfter(5), by(toPane, 'token'), nextBody, set({ showSecrets: true }))
    expect(restarted(state)).toMatchObject({ pane: 'token', lower: 'token', body: 'raw', showSecrets: true })
  })

  it('go through the panes and remember the lower one that is drawn', () => {
    const pressed = (key: string) => (state: FlowState) =>
      rowOf(FLOW_KEYS, key, state)!.change!(state, { key } as never)
    const next = pressed('tab')
    const state = stateAfter(1)
    expect([1, 2, 3].map(count => acted(state, ...Array<Change>(count).fill(next)).pane)).toEqual([
      'token',
      'server',
      'sequence',
    ])
    expect(acted(state, next, next, next)).toMatchObject({ pane: 'sequence', lower: 'server' })
    expect(acted(state, pressed('shift-tab')).pane).toBe('sequence')
    expect(acted(state, pressed('4')).pane).toBe('server')
  })

  it('scroll within a pane, and through the steps in the sequence', () => {
    const state = stateAfter(4)
    expect(scrolled(state, 9, 5).scroll.exchange).toBe(5)
    expect(scrolled(state, 9, -3).scroll.exchange).toBe(0)
    expect(scrolled(state, -9, 5).scroll.exchange).toBe(0)
    const inSequence = acted(state, by(toPane, 'sequence'), by(scrolled, -2, 0))
    expect(inSequence).toMatchObject({ selected: 1 })
    expect(scrolled(inSequence, 99, 0).selected).toBe(5)
    expect(scrolled(inSequence, -99, 0).selected).toBe(0)
  })

  it('go through the body views and start each at its top', () => {
    const state = acted(stateAfter(5), by(scrolled, 2, 5), nextBody)
    expect(state).toMatchObject({ body: 'raw', scroll: { exchange: 0 } })
    expect([nextBody(state).body, acted(state, nextBody, nextBody).body]).toEqual(['hex', 'pretty'])
  })

  it('show the tokens of the step, or the last ones before it, and go through them', () => {
    const idToken = { ...TOKEN_STEP.token!, kind: 'id_token' } as const
    const state = stateAfter(4, { ...TOKEN_STEP, tokens: [idToken] })
    expect(tokensAt(state).map(({ kind }) => kind)).toEqual(['access_token', 'id_token'])
    expect(nextToken(state).token).toBe(1)
    expect(acted(state, nextToken, nextToken).token).toBe(0)
    expect(tokensAt(selectedBy(state, -1))).toEqual([])
    const { token: _, ...keysAlone } = KEYS_STEP
    expect(tokensAt(stateAfter(5, keysAlone)).map(({ kind }) => kind)).toEqual(['access_token'])
  })

  it('grow the pane that has the keys', () => {
    expect(grown(stateAfter(1), 1).grow).toBe(1)
    expect(grown(toPane(stateAfter(1), 'sequence'), 1).grow).toBe(-1)
  })
})

describe('the login panel', () => {
  const prompt = { clientId: 'demo' }
  const suggested = { username: 'alice', password: 'wonderland' }
  const asking = (more: object = {}) => by(ask, { ...prompt, ...more }, suggested)
  const begun = acted(stateAfter(2), asking())
  type FormChange = (form: LoginForm) => LoginForm
  const typed = (text: string): FormChange => by(typeIn, text)
  const filled = (state: FlowState, ...changes: readonly FormChange[]): FlowState => ({
    ...state,
    login: changes.reduce((form, change) => change(form), state.login!),
  })
  const form = (...changes: readonly FormChange[]) => filled(begun, ...changes).login!

  it('is filled in with the suggested user', () => {
    expect(form()).toMatchObject({ username: 'alice', password: 'wonderland', field: 'username' })
  })

  it('drops the suggested password as soon as another name or password is typed', () => {
    expect(form(typed('x'))).toMatchObject({ username: 'alicex', password: '' })
    expect(form(eraseIn)).toMatchObject({ username: 'alic', password: '' })
    expect(form(clearField)).toMatchObject({ username: '', password: '' })
    expect(form(otherField, typed('b'))).toMatchObject({ username: 'alice', password: 'b' })
    expect(form(otherField, eraseIn)).toMatchObject({ password: '' })
  })

  it('takes whole characters back and leaves controls of a paste out', () => {
    expect(form(clearField, typed('b\u001bo\nb👩‍👩‍👧'), eraseIn).username).toBe('bob')
    expect(form(typed('\n\r\t'))).toEqual(form())
  })

  it('limits what a paste can bring', () => {
    expect(form(typed('x'.repeat(100_000))).username).toHaveLength(256)
  })

  it('keeps the name and asks for the password again when the server refused', () => {
    const state = acted(filled(begun, typed('x')), answered, asking({ message: 'wrong' }))
    expect(state.login).toMatchObject({ username: 'alicex', password: '', field: 'password' })
  })

  it('asks for a one-time code alone, and keeps the name and the password of before', () => {
    const askCode = asking({ oneTimeCode: true })
    const state = acted(filled(begun, typed('x')), answered, askCode)
    expect(state.login).toMatchObject({ field: 'code', code: '' })
    expect(loginAnswer(state.login!)).toBeUndefined()
    const code = filled(state, typed('28 70'), typed('8x'), eraseIn, otherField)
    expect(loginAnswer(code.login!)).toEqual({ kind: 'code', code: '28708' })
    expect(filled(code, clearField).login).toMatchObject({ field: 'code', code: '' })
    const after = answered(code)
    expect(after.login).toBeUndefined()
    expect(after.lastLogin).toMatchObject({ username: 'alicex' })
    expect(askCode(after).login?.code).toBe('')
  })
})

describe('the events of a lab in another program', () => {
  const answered = (request: number, method: string, path: string) => ({
    type: 'request.answered',
    at: '2026-11-21T10:00:00.000Z',
    request,
    method,
    path,
  })
  const at = (state: FlowState, selected: number) =>
    serverEventsAt({ ...state, selected }).map(({ request }) => request)

  it('belong to the step with the same method and path, and before its answer to the step under way', () => {
    const { method, url } = TOKEN_STEP.exchange!.request
    const index = STEPS.indexOf(TOKEN_STEP)
    const path = new URL(url).pathname
    const after = stateAfter(index + 1)
    const heard = [
      { type: 'code.redeemed', at: '2026-11-21T10:00:00.000Z', request: 7 },
      answered(7, method, path),
      answered(8, 'GET', '/elsewhere?x=1'),
    ].reduce(hearElsewhere, after)
    expect(at(heard, index)).toEqual([7, 7])
    expect(at(heard, index + 1)).toEqual([8])
    // A second request of the same kind belongs to a later step.
    expect(at(hearElsewhere(heard, answered(9, method, path)), index)).toEqual([7, 7])
  })
})
