import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { gateLayer, type HeldRequest, putTogether, takeApart } from '../../../../src/flows/middleware/gate.js'
import { TransportError } from '../../../../src/protocol/errors.js'
import type { Exchange } from '../../../../src/protocol/http/exchange.js'
import { bytes, type HttpRequest, text } from '../../../../src/protocol/http/message.js'
import { signsFor } from '../../../../src/show/render/text/signs.js'
import { plainText } from '../../../../src/show/render/text/spans.js'
import {
  type Held,
  heldAccepted,
  heldCancelled,
  heldEditing,
  heldLines,
  heldMoved,
  heldRemoved,
  heldTyped,
  heldUndone,
} from '../../../../src/show/tui/flow/held.js'
import { forAll } from '../../../support/for-all.js'
import { by } from '../changes.js'

const request: HttpRequest = {
  method: 'POST',
  url: 'https://localhost:8443/token?a=1',
  headers: [
    ['content-type', 'application/x-www-form-urlencoded'],
    ['authorization', 'Basic ZGVtbzpzZWNyZXQ='],
  ],
  body: bytes('grant_type=authorization_code&code=k3V9wTzR4bLq%7E'),
}

const held = (): Held => {
  const apart = takeApart(request)
  return { request: apart, parts: apart.parts, at: 0 }
}
type Change = (held: Held) => Held
const changed = (...changes: readonly Change[]): Held =>
  changes.reduce((before, change) => change(before), held())
const edit = by(heldEditing, false)
const add = by(heldEditing, true)
const type = (text: string): Change => by(heldTyped, text)
const sent = (state: Held): HttpRequest => putTogether(request, state.request, state.parts)

describe('a request before it is sent', () => {
  it('is shown in its parts: query, form, headers', () => {
    expect(held().parts.map(({ place, name }) => `${place} ${name}`)).toEqual([
      'query a',
      'form grant_type',
      'form code',
      'header content-type',
      'header authorization',
    ])
  })

  it('stays byte for byte the same without a change', () => {
    expect(sent(held())).toEqual(request)
    const undone = changed(by(heldMoved, 2), heldRemoved, heldUndone)
    expect(undone.parts).toBe(undone.request.parts)
  })

  it('takes another value, and leaves the rest alone', () => {
    const state = changed(by(heldMoved, 2), edit, type('mine ü'), heldAccepted)
    expect(text(sent(state).body)).toBe('grant_type=authorization_code&code=mine%20%C3%BC')
    expect(sent(state).url).toBe(request.url)
  })

  it('removes and adds parameters, with repeated names too', () => {
    const state = changed(heldRemoved, add, type('code=stolen=1'), heldAccepted)
    expect(sent(state).url).toBe('https://localhost:8443/token')
    expect(text(sent(state).body)).toBe('grant_type=authorization_code&code=stolen%3D1&code=k3V9wTzR4bLq~')
  })

  it('drops a cancelled change, and accepts no parameter without a name', () => {
    expect(changed(edit, type('x'), heldCancelled).parts).toEqual(held().parts)
    expect(changed(add, type('=x'), heldAccepted).parts).toEqual(held().parts)
  })

  it('survives any changes in any order', async () => {
    const change: fc.Arbitrary<Change> = fc.oneof(
      fc.integer({ min: -3, max: 3 }).map(to => by(heldMoved, to)),
      fc.constantFrom(edit, add, heldRemoved, heldUndone, heldAccepted, heldCancelled, type('')),
      fc.string({ unit: 'binary' }).map(type),
    )
    await forAll(fc.array(change), fc.integer({ min: 4, max: 12 }), (changes, rows) => {
      const state = changed(...changes)
      const view = { columns: 60, rows, showSecrets: false }
      expect(heldLines(state, view, signsFor({ ascii: false })).length).toBeLessThanOrEqual(rows + 2)
      expect(state.at === 0 || state.at < state.parts.length).toBe(true)
      expect(sent(state).method).toBe('POST')
    })
  })

  it('hides secrets on the screen', () => {
    const drawn = heldLines(held(), { columns: 96, rows: 10, showSecrets: false }, signsFor({ ascii: false }))
    const shown = drawn.map(plainText).join('\n')
    expect(shown).not.toContain('k3V9wTzR4bLq')
    expect(shown).not.toContain('ZGVtbzpzZWNyZXQ')
    expect(shown).toContain('authorization_code')
  })
})

describe('the gate between a flow and its servers', () => {
  const exchange = { request: {}, ms: 1 } as unknown as Exchange
  const answered = vi.fn((_: Exchange) => {})

  it('sends the request as the person changed it', async () => {
    const send = vi.fn(async (_: HttpRequest) => exchange)
    const gate = {
      hold: async () => [{ place: 'query', name: 'a', value: '2' }] as const,
      noAnswer: async () => false,
      answered,
    }
    await gateLayer(gate)(send)(request)
    expect(answered.mock.lastCall?.[0]).toBe(exchange)
    expect(send.mock.calls[0]?.[0]).toMatchObject({ url: 'https://localhost:8443/token?a=2', headers: [] })
  })

  it('sends the same request without a change', async () => {
    const send = vi.fn(async (_: HttpRequest) => exchange)
    const gate = { hold: async ({ parts }: HeldRequest) => parts, noAnswer: async () => false, answered }
    await gateLayer(gate)(send)(request)
    expect(send.mock.calls[0]?.[0]).toBe(request)
  })

  it('asks whether to send again when no answer came, each time', async () => {
    const send = vi.fn(async (_: HttpRequest): Promise<Exchange> => {
      if (send.mock.calls.length < 3) throw new TransportError('connection refused', 'ECONNREFUSED')
      return exchange
    })
    const noAnswer = vi.fn(async (_: string) => true)
    await gateLayer({ hold: async ({ parts }) => parts, noAnswer, answered })(send)(request)
    expect(noAnswer.mock.calls).toEqual([['connection refused'], ['connection refused']])
  })

  it('lets the flow fail when the person gives up', async () => {
    const refused = new TransportError('connection refused', 'ECONNREFUSED')
    const send = async (): Promise<Exchange> => Promise.reject(refused)
    const gate = { hold: async () => takeApart(request).parts, noAnswer: async () => false, answered }
    await expect(gateLayer(gate)(send)(request)).rejects.toBe(refused)
  })
})
