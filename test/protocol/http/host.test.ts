import { describe, expect, it } from 'vitest'
import type { HttpRequest } from '../../../src/protocol/http/message.js'
import { hasBadHost, requestedHost } from '../../../src/protocol/http/message.js'

const request = (hosts: readonly string[], httpVersion?: '1.0' | '1.1'): HttpRequest => ({
  method: 'GET',
  url: 'https://127.0.0.1/',
  headers: [['accept', '*/*'], ...hosts.map(host => ['Host', host] as const)],
  body: new Uint8Array(),
  ...(httpVersion && { httpVersion }),
})

const longest = `a${'b'.repeat(252)}c`

describe('the host of a request', () => {
  it.each([
    // RFC 9110 §7.2
    ['www.example.org', 'www.example.org'],
    ['localhost:8443', 'localhost'],
    ['localhost:', 'localhost'],
    [' localhost:65535\t', 'localhost'],
    ['A', 'A'],
    ['a_b.local', 'a_b.local'],
    ['example.org.', 'example.org.'],
    ['127.0.0.1:80', '127.0.0.1'],
    ['[::1]', '[::1]'],
    ['[2001:DB8::1]:8443', '[2001:DB8::1]'],
    [longest, longest],
  ])('in Host: %s', (sent, host) => {
    expect(requestedHost(request([sent]))).toBe(host)
    expect(hasBadHost(request([sent], '1.1'))).toBe(false)
    expect(hasBadHost(request([sent]))).toBe(false)
  })

  it.each([
    '',
    ':8443',
    '-example.org',
    '.example.org',
    'example.org-',
    'localhost:x',
    'localhost:655350',
    'localhost:80:80',
    'alice@example.org',
    'example.org/path',
    'example.org?query',
    'example.org,evil.example',
    'evil.example example.org',
    'bücher.example',
    `${longest}d`,
    '[]',
    '[:]',
    '[g::1]',
    '[::1',
    '::1',
    '[::1]x',
  ])('is refused in Host: %j', sent => {
    expect(requestedHost(request([sent]))).toBeUndefined()
    for (const version of ['1.0', '1.1', undefined] as const) {
      expect(hasBadHost(request([sent], version))).toBe(true)
    }
  })

  it('must be an address that a URL can hold', () => {
    expect(requestedHost(request(['[1::2::3]']))).toBeUndefined()
    expect(requestedHost(request(['256.256.256.256']))).toBeUndefined()
  })

  it('is not taken from a repeated Host', () => {
    const repeated = ['localhost', 'localhost']
    expect(requestedHost(request(repeated))).toBeUndefined()
    for (const version of ['1.0', '1.1', undefined] as const) {
      expect(hasBadHost(request(repeated, version))).toBe(true)
    }
  })

  it('may be missing before HTTP/1.1 (RFC 9112 §3.2)', () => {
    expect(requestedHost(request([], '1.0'))).toBeUndefined()
    expect(hasBadHost(request([], '1.0'))).toBe(false)
    expect(hasBadHost(request([]))).toBe(false)
    expect(hasBadHost(request([], '1.1'))).toBe(true)
  })
})
