import { describe, expect, it } from 'vitest'
import type { Outcome, Step, StepName } from '../../../src/flows/step.js'
import type { Move } from '../../../src/judge/tamper/move.js'
import { observeEnd, observeStep } from '../../../src/judge/tamper/observe.js'
import { codeShape, shapeOf } from '../../../src/judge/tamper/shape.js'
import type { Situation } from '../../../src/judge/tamper/situation.js'
import type { Tampering } from '../../../src/judge/tamper/tampering.js'
import {
  concluded,
  judge,
  notHere,
  type Observed,
  outcomeFor,
  tamperCheck,
} from '../../../src/judge/tamper/verdict.js'
import type { Exchange } from '../../../src/protocol/http/exchange.js'
import { bytes } from '../../../src/protocol/http/message.js'
import { madeStep } from '../../flows/support/made-step.js'
import { recorded } from '../../flows/support/network.js'
import { move } from './named-move.js'

const judged = (by: Move, observed: Observed) => judge(by, observed, {} as Situation)

const answered = (status: number, members: object = {}) =>
  recorded(
    { method: 'POST', url: 'https://lab.test/token', headers: [], body: bytes('') },
    { status, headers: [], body: bytes(JSON.stringify(members)) },
  )
const step = (name: StepName, exchange?: Exchange) => madeStep(name, exchange ? { exchange } : {})

interface Seen {
  readonly lured?: string
  readonly landed?: string
  readonly exchange?: Exchange | undefined
  readonly forbidden?: string
}
const tampering = ({ lured, landed, exchange, forbidden }: Seen) =>
  ({ noted: { lure: lured, landed, exchange }, forbidden: () => forbidden }) as Pick<
    Tampering,
    'noted' | 'forbidden'
  >

const observed = (
  name: string,
  shown: Step,
  seen: Seen = {},
  { ended, made = true }: { ended?: Outcome; made?: boolean } = {},
  shape = move(name).at === 'authorization_response' ? shapeOf('implicit') : codeShape,
) => observeStep(shown, move(name), { situation: { flow: shape }, tampering: tampering(seen), ended, made })

const refused = (error: string, description = 'why'): Outcome => ({
  type: 'outcome',
  outcome: 'refused',
  error: { error, error_description: description },
})
const at = (query: string) => `http://127.0.0.1:7000/callback${query}`
const token = { access_token: 't' }

describe('what came of a wrong authorization request', () => {
  it.each<StepName>(['login_form', 'token_request'])('is a redirect to a stranger: after %s', name => {
    const lured = 'https://attacker.example/cb?code=secret'
    expect(observed('unknown-client', step(name, answered(400)), { lured })).toEqual({
      kind: 'accepted',
      what: 'a redirect to https://attacker.example/cb',
    })
  })

  it('is the refusal of the pushed request', () => {
    const name = 'pushed_authorization_request'
    const error = { error: 'invalid_request', error_description: 'no' }
    expect(observed('unknown-client', step(name, answered(400, error)))).toEqual({
      kind: 'refused',
      by: 'token',
      status: 400,
      error: 'invalid_request',
      description: 'no',
    })
    expect(observed('unknown-client', step(name, answered(399)))).toBeUndefined()
    expect(observed('unknown-client', step(name))).toBeUndefined()
  })

  it('is an error page, with the code that the flow reads off it', () => {
    const page = { kind: 'refused', by: 'page', status: 400 }
    const form = step('login_form', answered(400))
    expect(observed('unknown-client', form)).toEqual({ ...page, error: undefined, description: undefined })
    expect(observed('unknown-client', form, {}, { ended: refused('invalid_request') })).toEqual({
      ...page,
      error: 'invalid_request',
      description: 'why',
    })
    expect(observed('unknown-client', form, {}, { ended: refused('error_page') })).toEqual({
      ...page,
      error: undefined,
      description: 'why',
    })
    expect(observed('unknown-client', step('login_form', answered(399)))).toBeUndefined()
    expect(observed('unknown-client', step('login', answered(400)))).toBeUndefined()
  })

  const error = 'error=access_denied&error_description=no'
  const denied = { kind: 'refused', by: 'redirect', error: 'access_denied', description: 'no' }
  it.each<[name: string, landed: string, expected: object | undefined]>([
    ['unknown-client', at(`?${error}`), denied],
    ['unknown-client', at(`#${error}`), denied],
    ['unknown-client', at(`?state=1&${error}&code=1`), denied],
    ['unknown-client', at('?code=1'), { kind: 'accepted', what: 'a code' }],
    ['unknown-client', at('#access_token=1'), { kind: 'accepted', what: 'a token' }],
    ['unknown-client', at('?state=1#code=1'), { kind: 'accepted', what: 'a code' }],
    ['unknown-client', at(''), { kind: 'accepted', what: 'a redirect to the client' }],
    ['unknown-client', at('?error'), { kind: 'refused', by: 'redirect', error: '' }],
    ['scope-escalation', at('?code=1'), undefined],
    ['scope-escalation', at('?code=1&scope=a'), undefined],
    ['scope-escalation', at('#access_token=1'), { kind: 'accepted', what: 'a token' }],
    [
      'scope-escalation',
      at('#access_token=1&scope=a'),
      { kind: 'narrowed', what: expect.stringContaining('a') },
    ],
    [
      'scope-escalation',
      at('#access_token=1&scope=a%20oauth-lab:no-such-scope'),
      { kind: 'accepted', what: 'a token' },
    ],
    ['unknown-client', at('#access_token=1&scope=a'), { kind: 'accepted', what: 'a token' }],
  ])('%s, landed at %s: %j', (name, landed, expected) => {
    expect(observed(name, step('authorization_response'), { landed })).toEqual(expected)
  })

  it('is open while the browser has not landed', () => {
    expect(observed('unknown-client', step('authorization_response'))).toBeUndefined()
    expect(observed('unknown-client', step('login'), { landed: at('?code=1') })).toBeUndefined()
  })

  it.each<[name: string, exchange: Exchange | undefined, expected: object | undefined]>([
    ['downgrade-pkce', undefined, undefined],
    [
      'downgrade-pkce',
      answered(400, { error: 'invalid_grant' }),
      { kind: 'refused', by: 'token', status: 400 },
    ],
    ['downgrade-pkce', answered(200, { ...token, scope: 'a' }), { kind: 'accepted' }],
    ['scope-escalation', answered(200, token), { kind: 'accepted' }],
    ['scope-escalation', answered(200, { ...token, scope: 'a' }), { kind: 'narrowed' }],
    ['scope-escalation', answered(200, { ...token, scope: 7 }), { kind: 'accepted' }],
    ['scope-escalation', answered(200, { ...token, scope: '"' }), { kind: 'accepted' }],
    [
      'scope-escalation',
      answered(200, { ...token, scope: 'oauth-lab:no-such-scope a' }),
      { kind: 'accepted' },
    ],
    [
      'scope-escalation',
      answered(400, { error: 'invalid_scope', scope: 'a' }),
      { kind: 'refused', by: 'token' },
    ],
  ])('%s shows at the token request: %#', (name, exchange, expected) => {
    const found = observed(name, step('token_request', exchange))
    if (expected === undefined) expect(found).toBeUndefined()
    else expect(found).toMatchObject(expected)
  })
})

it.each<
  [name: StepName, status: number, made: boolean, landed: string | undefined, expected: object | undefined]
>([
  ['login', 400, true, undefined, { kind: 'refused', by: 'page', status: 400 }],
  ['login', 399, true, at('?code=1'), undefined],
  ['login_form', 400, true, undefined, undefined],
  ['authorization_response', 200, true, at('?code=1'), { kind: 'accepted', what: 'a code' }],
  ['authorization_response', 200, true, at('?error=x'), { kind: 'refused', by: 'redirect', error: 'x' }],
  ['authorization_response', 200, false, at('?code=1'), undefined],
  ['authorization_response', 200, true, undefined, undefined],
  ['token_request', 200, true, at('?code=1'), undefined],
])(
  'what came of a wrong login form: %s with %i, made %s, landed at %s: %j',
  (name, status, made, landed, expected) => {
    const seen = landed === undefined ? {} : { landed }
    expect(observed('no-csrf-cookie', step(name, answered(status)), seen, { made })).toEqual(expected)
  },
)

describe('what came of a wrong answer', () => {
  it('is the refusal of the client, or its trust', () => {
    const response = step('authorization_response')
    expect(observed('drop-state', response, {}, { ended: refused('state_mismatch') })).toEqual({
      kind: 'refused',
      by: 'client',
      error: 'state_mismatch',
      description: 'why',
    })
    expect(observed('drop-state', response)).toMatchObject({ kind: 'accepted' })
    expect(
      observed('drop-state', response, {}, { ended: { type: 'outcome', outcome: 'granted' } }),
    ).toMatchObject({ kind: 'accepted' })
    expect(observed('drop-state', step('login_form'))).toBeUndefined()
  })

  it('may show with the keys', () => {
    expect(observed('altered-answer-token', step('authorization_response'))).toBeUndefined()
    expect(observed('altered-answer-token', step('keys_request'))).toMatchObject({ kind: 'accepted' })
  })
})

describe('what came of a wrong token request', () => {
  const answer = answered(400, { error: 'invalid_grant' })
  it('is the answer to it, and to no other', () => {
    const shown = step('token_request', answer)
    expect(observed('guessed-code', shown, { exchange: answer })).toMatchObject({
      kind: 'refused',
      by: 'token',
      error: 'invalid_grant',
    })
    expect(observed('guessed-code', shown, { exchange: answered(400) })).toBeUndefined()
    expect(observed('guessed-code', step('token_request'))).toBeUndefined()
    expect(observed('expired-assertion', shown, { exchange: answer })).toMatchObject({
      error: 'invalid_grant',
    })
    expect(observed('expired-assertion', shown)).toBeUndefined()
  })

  it('is open where the request comes a second time', () => {
    expect(observed('reuse-code', step('token_request', answer), { exchange: answer })).toBeUndefined()
  })

  it('may be less scope than it asked for', () => {
    const exchange = answered(200, { ...token, scope: 'a b' })
    const shown = step('token_request', exchange)
    expect(observed('unknown-scope', shown, { exchange, forbidden: 'c' })).toMatchObject({ kind: 'narrowed' })
    expect(observed('unknown-scope', shown, { exchange, forbidden: 'b' })).toMatchObject({ kind: 'accepted' })
    expect(observed('unknown-scope', shown, { exchange })).toMatchObject({ kind: 'accepted' })
    expect(observed('expired-assertion', shown, { exchange, forbidden: 'c' })).toMatchObject({
      kind: 'accepted',
    })
  })
})

it('what came of a presented token is never a step of the flow itself', () => {
  expect(observed('no-token', step('userinfo_request', answered(200)))).toBeUndefined()
})

describe('the end of a flow', () => {
  const end = (name: string, outcome: Outcome, made = true) => observeEnd(outcome, move(name), made)

  it('is a refusal where the flow was refused after the wrong message', () => {
    const page = { kind: 'refused', by: 'page', description: 'why' }
    expect(end('no-csrf-cookie', refused('login_failed'))).toEqual(page)
    expect(end('unknown-client', refused('invalid_response'))).toEqual(page)
  })

  it.each<[name: string, outcome: Outcome, made?: boolean]>([
    ['unknown-client', refused('invalid_response'), false],
    ['no-csrf-cookie', refused('login_failed'), false],
    ['unknown-client', refused('login_failed')],
    ['unknown-client', refused('login_cancelled')],
    ['unknown-client', refused('foreign_login_form')],
    ['unknown-client', refused('unknown_page')],
    ['no-csrf-cookie', refused('unknown_page')],
    ['no-csrf-cookie', refused('foreign_login_form')],
    ['unknown-client', { type: 'outcome', outcome: 'refused' }],
    ['unknown-client', { ...refused('ECONNREFUSED'), outcome: 'failed' }],
    ['unknown-client', { type: 'outcome', outcome: 'granted' }],
    ['guessed-code', refused('invalid_grant')],
    ['drop-state', refused('state_mismatch')],
    ['no-token', refused('invalid_token')],
  ])('says nothing about %s: %j (made: %s)', (name, outcome, made) => {
    expect(end(name, outcome, made)).toBeUndefined()
  })
})

describe('the conclusion', () => {
  const conclusion = (name: string, seen: Observed) => outcomeFor(judged(move(name), seen))

  it.each<[name: string, observed: Observed, expected: Partial<Outcome>, error: string, found: string]>([
    [
      'reuse-code',
      { kind: 'accepted', what: 'a token' },
      { outcome: 'granted', expected: false },
      'not_refused',
      'a token',
    ],
    [
      'unknown-scope',
      { kind: 'narrowed', what: 'less' },
      { outcome: 'refused', expected: true },
      'narrowed',
      'less',
    ],
    [
      'reuse-code',
      { kind: 'refused', by: 'token', status: 400, error: 'invalid_grant' },
      { outcome: 'refused', expected: true },
      'invalid_grant',
      '400 invalid_grant',
    ],
    [
      'reuse-code',
      { kind: 'refused', by: 'token', status: 500 },
      { outcome: 'refused', expected: false },
      'http_500',
      '500',
    ],
    [
      'unknown-client',
      { kind: 'refused', by: 'page', status: 400 },
      { outcome: 'refused', expected: true },
      'error_page',
      'an error page (400)',
    ],
    [
      'unknown-client',
      { kind: 'refused', by: 'page' },
      { outcome: 'refused', expected: true },
      'error_page',
      'an error page (an error)',
    ],
    [
      'no-challenge',
      { kind: 'refused', by: 'redirect', error: 'invalid_request' },
      { outcome: 'refused', expected: true },
      'invalid_request',
      'invalid_request, by redirect',
    ],
    [
      'drop-state',
      { kind: 'refused', by: 'client', error: 'state_mismatch' },
      { outcome: 'refused', expected: true },
      'state_mismatch',
      'state_mismatch, by the client',
    ],
  ])('%s, %j', (name, seen, expected, error, found) => {
    const { rule } = move(name)
    const outcome = conclusion(name, seen)
    expect(outcome).toMatchObject({ type: 'outcome', ...expected, error: { error, rule } })
    expect(outcome.tamper).toEqual({ move: name, wanted: expect.any(String), found })
    expect(outcome.error?.error_description).toMatch(/./)
    const check = tamperCheck(judged(move(name), seen))
    expect(check).toMatchObject({ name: 'tamper', ok: expected.expected, rule })
    expect(check.detail).toContain(found)
    expect(check.detail?.startsWith('refused as expected')).toBe(expected.expected)
  })

  it('has the words of the server, where it gave any', () => {
    const seen = { kind: 'refused', by: 'token', status: 400, error: 'invalid_grant' } as const
    expect(conclusion('reuse-code', { ...seen, description: 'used' }).error?.error_description).toBe('used')
    expect(conclusion('reuse-code', seen).error?.error_description).toContain('400 invalid_grant')
  })

  it('of a move that was not made says why, and is not as expected', () => {
    expect(notHere(move('alg-none'), 'opaque')).toEqual({
      type: 'outcome',
      outcome: 'failed',
      expected: false,
      error: { error: 'not_here', error_description: 'opaque', rule: 'RFC 8725 §3.2' },
      tamper: { move: 'alg-none', wanted: 'invalid_token' },
    })
    const granted: Outcome = { type: 'outcome', outcome: 'granted' }
    expect(concluded(granted, move('alg-none'), true, { found: 'x' })).toEqual({
      ...granted,
      expected: true,
      tamper: { move: 'alg-none', wanted: 'invalid_token', found: 'x' },
    })
  })

  it('of a forged login needs no certain status: whatever page came, nobody got in', () => {
    expect(judged(move('no-csrf-cookie'), { kind: 'refused', by: 'page', status: 500 }).expected).toBe(true)
    expect(judged(move('unknown-client'), { kind: 'refused', by: 'page', status: 500 }).expected).toBe(false)
  })
})
