import { describe, expect, it } from 'vitest'
import type { Action } from '../../../../src/show/tui/flow/actions.js'
import { entriesOf, tokensAt } from '../../../../src/show/tui/flow/entries.js'
import { loginAnswer } from '../../../../src/show/tui/flow/login-form.js'
import type { FlowState } from '../../../../src/show/tui/flow/state.js'
import { FAILED, GRANTED, KEYS_STEP, REFUSED, REFUSED_LOGIN, REPLAYED, STEPS, TOKEN_STEP } from '../steps.js'
import { acted, stateAfter } from './draw.js'

const record = (step: (typeof STEPS)[number] | typeof GRANTED, run = 1): Action => ({
  type: 'record',
  run,
  record: step,
})
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
    [
      'something else is looked at',
      acted(stateAfter(4), { type: 'select', by: -2 }),
      '1done 2now 3done 4done 5next 6next',
    ],
  ])('%s', (_name, state, expected) => expect(statuses(state)).toBe(expected))
})

describe('actions', () => {
  it('moves to the running step, and then to its result', () => {
    const looking = acted(stateAfter(3), { type: 'select', by: -2 })
    const waiting = acted(looking, { type: 'waiting', quiet: false })
    expect(waiting).toMatchObject({ selected: 3, waiting: true })
    expect(acted(waiting, record(STEPS[3]!))).toMatchObject({ selected: 3, waiting: false })
  })

  it('stays where it is while only the outcome is awaited', () => {
    const state = acted(stateAfter(6), { type: 'waiting', quiet: true })
    expect(state.selected).toBe(5)
    expect(acted(state, record(GRANTED))).toMatchObject({ selected: 5, waiting: false, runAll: false })
  })

  it('ignores results of an abandoned run', () => {
    const restarted = acted(stateAfter(3), { type: 'restart' })
    expect(restarted).toMatchObject({ run: 2, steps: [], selected: 0, waiting: false })
    const late: Action[] = [
      record(STEPS[3]!),
      { type: 'stopped', run: 1 },
      { type: 'notice', run: 1, text: 'open' },
    ]
    expect(acted(restarted, ...late)).toEqual(restarted)
    expect(acted(restarted, record(STEPS[0]!, 2)).steps).toHaveLength(1)
  })

  it('keeps pane, view and secrets over a restart', () => {
    const state = acted(stateAfter(5), { type: 'pane', pane: 'token' }, { type: 'body' }, { type: 'secrets' })
    expect(acted(state, { type: 'restart' })).toMatchObject({
      pane: 'token',
      lower: 'token',
      body: 'raw',
      showSecrets: true,
    })
  })

  it('moves through the panes and remembers the lower one that is drawn', () => {
    const next: Action = { type: 'nextPane', by: 1 }
    const state = stateAfter(1)
    expect([next, next, next].map((_, i) => acted(state, ...Array(i + 1).fill(next)).pane)).toEqual([
      'token',
      'server',
      'sequence',
    ])
    expect(acted(state, next, next, next)).toMatchObject({ pane: 'sequence', lower: 'server' })
    expect(acted(state, { type: 'nextPane', by: -1 }).pane).toBe('sequence')
  })

  it('scrolls within a pane, and through the steps in the sequence', () => {
    const state = stateAfter(4)
    expect(acted(state, { type: 'scroll', by: 9, limit: 5 }).scroll.exchange).toBe(5)
    expect(acted(state, { type: 'scroll', by: 9, limit: -3 }).scroll.exchange).toBe(0)
    expect(acted(state, { type: 'scroll', by: -9, limit: 5 }).scroll.exchange).toBe(0)
    const inSequence = acted(state, { type: 'pane', pane: 'sequence' }, { type: 'scroll', by: -2, limit: 0 })
    expect(inSequence).toMatchObject({ selected: 1 })
    expect(acted(inSequence, { type: 'scroll', by: 99, limit: 0 }).selected).toBe(5)
    expect(acted(inSequence, { type: 'scroll', by: -99, limit: 0 }).selected).toBe(0)
  })

  it('goes through the body views and starts each at its top', () => {
    const body: Action = { type: 'body' }
    const state = acted(stateAfter(5), { type: 'scroll', by: 2, limit: 5 }, body)
    expect(state).toMatchObject({ body: 'raw', scroll: { exchange: 0 } })
    expect([acted(state, body).body, acted(state, body, body).body]).toEqual(['hex', 'pretty'])
  })

  it('shows the tokens of the step, or the last ones before it, and goes through them', () => {
    const idToken = { ...TOKEN_STEP.token!, kind: 'id_token' } as const
    const state = stateAfter(4, { ...TOKEN_STEP, tokens: [idToken] })
    expect(tokensAt(state).map(({ kind }) => kind)).toEqual(['access_token', 'id_token'])
    expect(acted(state, { type: 'nextToken' }).token).toBe(1)
    expect(acted(state, { type: 'nextToken' }, { type: 'nextToken' }).token).toBe(0)
    expect(tokensAt(acted(state, { type: 'select', by: -1 }))).toEqual([])
    const { token: _, ...keysAlone } = KEYS_STEP
    expect(tokensAt(stateAfter(5, keysAlone)).map(({ kind }) => kind)).toEqual(['access_token'])
  })

  it('grows the pane that has the keys', () => {
    expect(acted(stateAfter(1), { type: 'grow', by: 1 }).grow).toBe(1)
    expect(acted(stateAfter(1), { type: 'pane', pane: 'sequence' }, { type: 'grow', by: 1 }).grow).toBe(-1)
  })
})

describe('the login panel', () => {
  const prompt = { clientId: 'demo' }
  const ask: Action = { type: 'ask', prompt, suggested: { username: 'alice', password: 'wonderland' } }
  const typed = (text: string): Action => ({ type: 'typed', text })
  const form = (...actions: readonly Action[]) => acted(stateAfter(2), ask, ...actions).login!

  it('is filled in with the suggested user', () => {
    expect(form()).toMatchObject({ username: 'alice', password: 'wonderland', field: 'username' })
  })

  it('drops the suggested password as soon as another name or password is typed', () => {
    expect(form(typed('x'))).toMatchObject({ username: 'alicex', password: '' })
    expect(form({ type: 'erase' })).toMatchObject({ username: 'alic', password: '' })
    expect(form({ type: 'clearField' })).toMatchObject({ username: '', password: '' })
    expect(form({ type: 'otherField' }, typed('b'))).toMatchObject({ username: 'alice', password: 'b' })
    expect(form({ type: 'otherField' }, { type: 'erase' })).toMatchObject({ password: '' })
  })

  it('takes whole characters back and leaves controls of a paste out', () => {
    expect(form({ type: 'clearField' }, typed('b\u001bo\nb👩‍👩‍👧'), { type: 'erase' }).username).toBe('bob')
    expect(form(typed('\n\r\t'))).toEqual(form())
  })

  it('limits what a paste can bring', () => {
    expect(form(typed('x'.repeat(100_000))).username).toHaveLength(256)
  })

  it('keeps the name and asks for the password again when the server refused', () => {
    const again: Action = { ...ask, prompt: { ...prompt, message: 'wrong' } }
    const state = acted(stateAfter(2), ask, typed('x'), { type: 'answered' }, again)
    expect(state.login).toMatchObject({ username: 'alicex', password: '', field: 'password' })
  })

  it('asks for a one-time code alone, and keeps the name and the password of before', () => {
    const askCode: Action = { ...ask, prompt: { ...prompt, oneTimeCode: true } }
    const state = acted(stateAfter(2), ask, typed('x'), { type: 'answered' }, askCode)
    expect(state.login).toMatchObject({ field: 'code', code: '' })
    expect(loginAnswer(state.login!)).toBeUndefined()
    const filled = acted(state, typed('28 70'), typed('8x'), { type: 'erase' }, { type: 'otherField' })
    expect(loginAnswer(filled.login!)).toEqual({ kind: 'code', code: '28708' })
    expect(acted(filled, { type: 'clearField' }).login).toMatchObject({ field: 'code', code: '' })
    const after = acted(filled, { type: 'answered' })
    expect(after.login).toBeUndefined()
    expect(after.lastLogin).toMatchObject({ username: 'alicex' })
    expect(acted(after, askCode).login?.code).toBe('')
  })
})
