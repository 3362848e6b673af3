import { describe, expect, it } from 'vitest'
import { createEventReader, parseEvent } from '../../../src/session/playback/events.js'

const at = '2026-03-01T10:00:00.000Z'
const exchange = {
  type: 'exchange',
  name: 'token_request',
  side: 'client',
  at,
  ms: 12.3456,
  request: {
    method: 'POST',
    url: 'https://id.example/token?x=secret',
    headers: [],
    body: 'client_id=web&code=secret',
  },
  response: { status: 400, headers: [], body: '{"error":"ü"}' },
}

describe('a line of record --json', () => {
  it('is the event of an answered request, without its query and its bodies', () => {
    expect(parseEvent(JSON.stringify(exchange))).toEqual({
      type: 'request.answered',
      at,
      site: 'id.example',
      method: 'POST',
      path: '/token',
      status: 400,
      wireBytes: 14,
      bodyBytes: 14,
      ms: 12.3,
      client_id: 'web',
    })
  })

  it('of a request that nobody answered has the status 0', () => {
    const { response: _, ...unanswered } = exchange
    expect(parseEvent(JSON.stringify(unanswered))).toMatchObject({ status: 0, bodyBytes: 0 })
  })

  it.each([{ at: 'soon' }, { at: undefined }, { request: 1 }])('is none with %j', wrong =>
    expect(parseEvent(JSON.stringify({ ...exchange, ...wrong }))).toBeUndefined(),
  )

  it('is read among what the program prints, also with a large body; the last one is no broken line', () => {
    const events: string[] = []
    let broken = 0
    const reader = createEventReader({
      event: ({ type }) => events.push(type),
      broken: ({ count }) => {
        broken = count
      },
    })
    const large = { ...exchange, request: { ...exchange.request, body: 'x'.repeat(256 * 1024) } }
    const lines = [{ type: 'recording.started', at }, exchange, large, { type: 'recorded', file: 'a.har' }]
    reader.add(`${lines.map(each => JSON.stringify(each)).join('\n')}\n(node:1) Warning: x\n`)
    reader.end()
    expect([events, broken]).toEqual([['recording.started', 'request.answered', 'request.answered'], 1])
  })
})
