import { describe, expect, it } from 'vitest'
import { claimedClient, requestAnswered, shownPath } from '../../../src/lab/listening/request-event.js'
import { bytes, type HeaderList, type HttpRequest } from '../../../src/protocol/http/message.js'

const base = 'https://localhost:8443'
const request = (target: string, headers: HeaderList = [], body = ''): HttpRequest => ({
  method: 'POST',
  url: base + target,
  headers,
  body: bytes(body),
})
const form: HeaderList = [['content-type', 'application/x-www-form-urlencoded']]
const basic = (pair: string): HeaderList => [
  ['authorization', `Basic ${Buffer.from(pair).toString('base64')}`],
]

describe('the path in an event', () => {
  it.each([
    ['/', '/'],
    ['/authorization?client_id=demo&state=a%20b', '/authorization?client_id=demo&state=a%20b'],
    ['/cb?code=k3V9abcdefghijkQm1&state=x', '/cb?code=k3V9…Qm1&state=x'],
    ['/cb?code=short', '/cb?code=…'],
    ['/x?access_token=aaaabbbbccccddddeeee', '/x?access_token=aaaa…eee'],
    ['/x?id_token_hint=aaaabbbbccccddddeeee', '/x?id_token_hint=aaaa…eee'],
    ['/x?password=wonderland-and-more', '/x?password=…'],
    ['/x?client_secret=abcdefghijklmnopqrst', '/x?client_secret=…'],
    ['/x?%70assword=wonderland', '/x?%70assword=…'],
    ['/x?PASSWORD=a&b', '/x?PASSWORD=…&b'],
    ['/authorization?client_id=demo-secret-0123456789abcdef', '/authorization?client_id=demo…def'],
    ['/token?grant_type=demo-secret-0123456789abcdef', '/token?grant_type=demo…def'],
    [
      '/login?otp=123456&j_password=a&user%5Bpassword%5D=b&x-api-key=c',
      '/login?otp=…&j_password=…&user%5Bpassword%5D=…&x-api-key=…',
    ],
    [
      '/a?request_uri=urn%3Aietf%3Aparams%3Aoauth%3Arequest_uri%3Aabc123',
      '/a?request_uri=urn%3Aietf%3Aparams%3Aoauth%3Arequest_uri%3A…',
    ],
    ['/a?request_uri=https%3A%2F%2Fapp.example%2Fr.jwt', '/a?request_uri=https%3A%2F%2Fapp.example%2Fr.jwt'],
    ['/x?code=', '/x?code='],
    ['/x?%zz=1', '/x?%zz=1'],
  ])('%s is shown as %s', (target, shown) => expect(shownPath(base + target)).toBe(shown))

  it('keeps the client of a request that was granted', () => {
    const path = '/authorization?client_id=3f2504e0-4f89-11d3-9a0c-0305e82c3301'
    expect(shownPath(base + path, false)).toBe(path)
  })

  it('is cut when it is long', () => expect(shownPath(`${base}/${'a'.repeat(5000)}`)).toHaveLength(200))
})

it.each([
  ['/authorization?client_id=demo%2D1', [], '', 'demo-1'],
  ['/token', basic('demo:secret'), '', 'demo'],
  ['/token', basic('a%2Db:secret'), '', 'a-b'],
  ['/token', form, 'grant_type=x&client_id=demo', 'demo'],
  ['/token', [], 'client_id=demo', undefined],
  ['/token', form, 'xclient_id=demo', undefined],
  ['/token', [['authorization', 'Bearer x']], '', undefined],
  ['/?client_id=', [], '', undefined],
] as [string, HeaderList, string, string | undefined][])(
  'the client in an event: that of %s is found',
  (target, headers, body, client) => expect(claimedClient(request(target, headers, body))).toBe(client),
)

it('has its members in a fixed order and no secret', () => {
  const answered = { status: 200, wireBytes: 0, bodyBytes: 10, ms: 1.5 }
  const event = requestAnswered(
    'authorization',
    request('/token', basic('demo:s3cr3t'), 'password=pw'),
    answered,
  )
  expect(JSON.stringify(event)).toBe(
    '{"type":"request.answered","site":"authorization","method":"POST","path":"/token","status":200,"wireBytes":0,"bodyBytes":10,"ms":1.5,"client_id":"demo"}',
  )
})

describe('the origin in an event', () => {
  const answered = { status: 200, wireBytes: 0, bodyBytes: 0, ms: 1 }
  const originOf = (headers: HeaderList) => {
    const event = requestAnswered('authorization', request('/authorization', headers), answered)
    return event.type === 'request.answered' ? event.origin : undefined
  }
  const host = ['host', 'localhost:8443'] as const

  it('is that of another site', () => {
    expect(originOf([host, ['origin', 'https://evil.example']])).toBe('https://evil.example')
    expect(originOf([host, ['origin', 'null']])).toBe('null')
    expect(originOf([host, ['origin', 'https://localhost:8443.evil.example']])).toBeDefined()
  })

  it('is absent for the pages of the site itself, and without the header', () => {
    expect(originOf([host, ['origin', base]])).toBeUndefined()
    expect(originOf([host])).toBeUndefined()
  })

  it('is bounded', () => expect(originOf([host, ['origin', 'a'.repeat(9000)]])).toHaveLength(200))
})
