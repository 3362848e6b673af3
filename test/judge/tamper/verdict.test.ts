import { describe, expect, it } from 'vitest'
import type { Channel, Move, Refusal } from '../../../src/judge/tamper/move.js'
import type { Situation } from '../../../src/judge/tamper/situation.js'
import { judge, type Observed, observeResource, observeToken } from '../../../src/judge/tamper/verdict.js'
import { bytes, type HeaderList } from '../../../src/protocol/http/message.js'
import { answered } from '../../flows/support/answered.js'

const refusedBy = (by: Channel, more: Partial<Refusal> = {}): Refusal => ({ by, errors: [], ...more })

/** A move that expects these refusals; its other members play no part in a verdict. */
const move = (...expects: Refusal[]) =>
  ({ name: 'test', at: 'token_request', rule: 'RFC 6749 §5.2', expects }) as unknown as Move

const judged = (by: Move, observed: Observed) => judge(by, observed, {} as Situation)

const exchange = (status: number, body: object | string, headers: HeaderList = []) =>
  answered({ status, headers, body: bytes(typeof body === 'string' ? body : JSON.stringify(body)) })

describe('a refusal is expected by its status, not by any error', () => {
  it.each([
    ['token', 400, true],
    ['token', 401, true],
    ['token', 403, false],
    ['token', 404, false],
    ['token', 405, false],
    ['token', 429, false],
    ['token', 500, false],
    ['token', 503, false],
    ['resource', 400, true],
    ['resource', 401, true],
    ['resource', 403, false],
    ['resource', 404, false],
    ['resource', 500, false],
    ['page', 400, true],
    ['page', 403, true],
    ['page', 500, false],
    ['page', 502, false],
  ] as const)('%s %i: %s', (by, status, expected) => {
    expect(judged(move(refusedBy(by)), { kind: 'refused', by, status }).expected).toBe(expected)
  })

  it('or by the statuses that the move names, and by no other', () => {
    const named = move(refusedBy('token', { status: [404] }))
    expect(judged(named, { kind: 'refused', by: 'token', status: 404 }).expected).toBe(true)
    expect(judged(named, { kind: 'refused', by: 'token', status: 400 }).expected).toBe(false)
  })

  it('and through its own channel', () => {
    expect(judged(move(refusedBy('token')), { kind: 'refused', by: 'resource', status: 400 }).expected).toBe(
      false,
    )
    const either = move(refusedBy('token'), refusedBy('page'))
    expect(judged(either, { kind: 'refused', by: 'page', status: 400 }).expected).toBe(true)
  })
})

describe('the code of an error', () => {
  const wanted = move(refusedBy('token', { errors: ['invalid_grant', 'invalid_request'] }))

  it.each([
    ['invalid_grant', true],
    ['invalid_request', true],
    ['invalid_client', false],
    [undefined, false],
  ])('%s: %s', (error, expected) => {
    expect(judged(wanted, { kind: 'refused', by: 'token', status: 400, error }).expected).toBe(expected)
  })

  it('may be absent at a resource server (RFC 6750 §3.1)', () => {
    const atResource = move(refusedBy('resource', { errors: ['invalid_token'] }))
    expect(judged(atResource, { kind: 'refused', by: 'resource', status: 401 }).expected).toBe(true)
    const other = { kind: 'refused', by: 'resource', status: 401, error: 'insufficient_scope' } as const
    expect(judged(atResource, other).expected).toBe(false)
  })
})

describe('an answer of the token endpoint', () => {
  it.each([
    [200, { access_token: 't' }, 'accepted'],
    [400, { access_token: 't' }, 'accepted'],
    [200, { error: 'invalid_grant' }, 'accepted'],
    [302, '', 'accepted'],
    [399, {}, 'accepted'],
    [400, { error: 'invalid_grant' }, 'refused'],
    [500, 'oops', 'refused'],
  ])('%i %j is %s', (status, body, kind) => expect(observeToken(exchange(status, body)).kind).toBe(kind))

  it('that fails with 500 is a refusal nobody expects', () => {
    const observed = observeToken(exchange(500, { error: 'server_error' }))
    expect(judged(move(refusedBy('token')), observed)).toMatchObject({
      expected: false,
      found: '500 server_error',
    })
  })
})

describe('an answer of a resource server', () => {
  it('names its error in the challenge, else in the body', () => {
    const challenge = [
      ['WWW-Authenticate', 'Bearer error="invalid_token", error_description="expired"'],
    ] as const
    expect(observeResource(exchange(401, { error: 'other' }, challenge))).toMatchObject({
      error: 'invalid_token',
      description: 'expired',
    })
    expect(observeResource(exchange(401, { error: 'other' }))).toMatchObject({ error: 'other' })
  })

  it.each([
    [200, 'accepted'],
    [399, 'accepted'],
    [400, 'refused'],
  ])('%i is %s', (status, kind) => expect(observeResource(exchange(status, '')).kind).toBe(kind))
})
