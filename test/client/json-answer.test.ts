import { describe, expect, it } from 'vitest'
import { jsonObjectOf } from '../../src/client/json-answer.js'
import { TransportError } from '../../src/protocol/errors.js'
import type { Exchange } from '../../src/protocol/http/exchange.js'

const api = { title: 'the DNS API', address: 'https://api.example', via: '--api-url' }

/** Reads an answer with this status, body and headers. */
function read(status: number, body: string, headers: NonNullable<Exchange['response']>['headers'] = []) {
  const response = { status, body, headers, httpVersion: '1.1' }
  return jsonObjectOf({ response } as unknown as Exchange, 'GET /zones', api)
}

describe('an answer of an API', () => {
  it.each([200, 403, 503])('is its JSON object, with status %i', status => {
    expect(read(status, '{"a":1}')).toEqual({ a: 1 })
  })

  it.each([
    ['nothing', 200, ' ', [], 'answered GET /zones with nothing (HTTP 200)'],
    ['a page', 502, '<html>', [], 'answered GET /zones with HTML (HTTP 502)'],
    ['JSON that was cut', 200, '{"a":', [], 'with JSON that ends too early or is broken'],
    ['text', 200, 'hello', [['content-type', 'text/plain']], 'with text/plain that is no JSON'],
    ['a list', 200, '[]', [], 'with JSON that is no object'],
    ['a redirect', 302, '', [['location', 'https://x.example']], 'redirects GET /zones to https://x.example'],
  ] as const)('is an error for %s', (_, status, body, headers, message) => {
    expect(() => read(status, body, headers)).toThrow(TransportError)
    expect(() => read(status, body, headers)).toThrow(message)
  })

  it('is an error that names the source of the address', () => {
    let caught: unknown
    try {
      read(302, '', [['location', `https://${'x'.repeat(5000)}.example`]])
    } catch (error) {
      caught = error
    }
    expect(caught).toMatchObject({ hints: [expect.any(String), expect.stringContaining('--api-url')] })
    expect(String(caught).length).toBeLessThan(400)
  })

  it('is an error without a response', () => {
    expect(() => jsonObjectOf({} as Exchange, 'GET /zones', api)).toThrow('gave no answer')
  })
})
