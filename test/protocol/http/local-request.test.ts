import { expect, it } from 'vitest'
import { type HeaderList, type HttpRequest, isLocalRequest } from '../../../src/protocol/http/message.js'

it.each<[boolean, HeaderList]>([
  [true, []],
  [true, [['host', 'localhost:8443']]],
  [true, [['host', 'auth.localhost']]],
  [true, [['Host', '127.0.0.1:8443']]],
  [true, [['host', '[::1]:8443']]],
  [false, [['host', 'a1b2.ngrok-free.app']]],
  [false, [['host', 'localhost.evil.example']]],
  [false, [['host', 'a b']]],
  [
    false,
    [
      ['host', 'localhost:8443'],
      ['X-Forwarded-Host', 'x.trycloudflare.com'],
    ],
  ],
  [
    false,
    [
      ['host', 'localhost'],
      ['x-forwarded-for', '203.0.113.7'],
    ],
  ],
  [
    false,
    [
      ['host', 'localhost'],
      ['forwarded', 'for=203.0.113.7'],
    ],
  ],
  [
    false,
    [
      ['host', 'localhost'],
      ['cf-connecting-ip', '203.0.113.7'],
    ],
  ],
])('%s: a request with %j comes from this computer', (isLocal, headers) => {
  const request = { method: 'GET', url: '/', headers, body: new Uint8Array() } as unknown as HttpRequest
  expect(isLocalRequest(request)).toBe(isLocal)
})
