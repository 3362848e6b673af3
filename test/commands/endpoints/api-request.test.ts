import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  apiAddress,
  apiRequest,
  checkStdin,
  redirected,
} from '../../../src/commands/endpoints/api-request.js'
import { UsageError } from '../../../src/protocol/errors.js'
import type { HeaderList } from '../../../src/protocol/http/message.js'
import { forAll } from '../../support/for-all.js'

describe('apiAddress', () => {
  it.each([
    ['https://api.test/a?b=%20#c', undefined, 'https://api.test/a?b=%20'],
    ['http://localhost:3000/', undefined, 'http://localhost:3000/'],
    ['http://127.0.0.1/x', undefined, 'http://127.0.0.1/x'],
    ['/records', 'https://localhost:8444', 'https://localhost:8444/records'],
  ])('%s of %s is %s', (text, base, url) => expect(apiAddress(text, base)).toBe(url))

  it.each([
    ['http://api.test/', 'tokens go to https'],
    ['http://localhost.evil.test/', 'tokens go to https'],
    ['http://127.0.0.1.evil.test/', 'tokens go to https'],
    ['https://user:pass@api.test/', 'a user or a password'],
    ['https://api.test/a b', 'percent-encoded'],
    ['ftp://api.test/', 'is no address'],
    ['records', 'is no address'],
    ['', 'is no address'],
  ])('%s is refused: %s', (text, problem) => {
    const refusal = (() => {
      try {
        return apiAddress(text)
      } catch (error) {
        return error
      }
    })()
    expect(refusal).toBeInstanceOf(UsageError)
    const { message, hints } = refusal as UsageError
    expect([message, ...hints].join(' ')).toContain(problem)
  })
})

describe('apiRequest', () => {
  const made = (options: Parameters<typeof apiRequest>[1]) => apiRequest('https://api.test/', options, 'me/1')
  const typeOf = ({ headers }: { headers: HeaderList }) =>
    headers.filter(([name]) => name.toLowerCase() === 'content-type').map(([, value]) => value)

  it.each([
    [{}, 'GET', '', []],
    [{ data: ['a=1', 'b=2'] }, 'POST', 'a=1&b=2', ['application/x-www-form-urlencoded']],
    [{ data: ['{"a":1}'] }, 'POST', '{"a":1}', ['application/json']],
    [{ data: ['{a'] }, 'POST', '{a', ['application/x-www-form-urlencoded']],
    [{ data: ['x'], header: ['Content-Type: text/plain'], request: 'PUT' }, 'PUT', 'x', ['text/plain']],
    [{ request: 'DELETE' }, 'DELETE', '', []],
  ])('of %j is a %s with the body %j and the type %j', async (options, method, body, type) => {
    const request = await made(options)
    expect({
      method: request.method,
      body: Buffer.from(request.body).toString(),
      type: typeOf(request),
    }).toEqual({ method, body, type })
  })

  it.each([
    [{ request: 'GE T' }, 'is no method'],
    [{ header: ['Authorization: Basic eA=='] }, 'sends the token'],
    [{ header: ['dpop: x'] }, 'sends the token'],
    [{ header: ['no colon'] }, '-H takes a header field'],
    [{ header: ['x: a\r\ny: b'] }, '-H takes a header field'],
    [{ data: ['@/no/such/file'] }, 'cannot read'],
  ])('%j is refused: %s', async (options, problem) => {
    await expect(made(options)).rejects.toThrow(problem)
  })

  it('of any text is a request or a wrong option', () =>
    forAll(fc.string(), fc.string(), async (request, field) => {
      const error = await made({ request, header: [field] }).catch((thrown: unknown) => thrown)
      expect(!(error instanceof Error) || error instanceof UsageError).toBe(true)
    }))

  it('takes stdin for one thing alone', () => {
    expect(() => checkStdin(['-', '@-'], undefined)).toThrow('twice')
    expect(() => checkStdin(['-'], '--password-stdin')).toThrow('both read stdin')
    expect(() => checkStdin(['x'], '--password-stdin')).not.toThrow()
  })
})

describe('redirected', () => {
  const request = (method: string) => ({
    method,
    url: 'https://api.test/a',
    headers: [
      ['content-type', 'text/plain'],
      ['accept', '*/*'],
    ] as HeaderList,
    body: Buffer.from('x'),
  })
  const to = (method: string, status: number, location?: string) =>
    redirected(request(method), { status, headers: location === undefined ? [] : [['Location', location]] })

  it.each([
    ['POST', 303, '/b#f', 'GET', 'https://api.test/b'],
    ['POST', 302, '/b', 'GET', 'https://api.test/b'],
    ['POST', 307, '/b', 'POST', 'https://api.test/b'],
    ['PUT', 301, 'b', 'PUT', 'https://api.test/b'],
    ['HEAD', 303, '/b', 'HEAD', 'https://api.test/b'],
  ])('%s, %d to %s becomes %s %s', (method, status, location, next, url) => {
    expect(to(method, status, location)).toMatchObject({ next: { method: next, url } })
  })

  it('leaves the body of a POST behind', () => {
    const way = to('POST', 302, '/b')
    expect(way).toMatchObject({ next: { body: new Uint8Array(), headers: [['accept', '*/*']] } })
  })

  it.each([
    'https://evil.test/',
    '//evil.test/',
    'http://api.test/',
    'https://api.test:444/',
    'data:,x',
    'https://',
  ])('never leads to %s', location => expect(to('GET', 302, location)).toHaveProperty('problem'))

  it('is nothing without a Location, and for other statuses', () => {
    expect(to('GET', 302)).toBeUndefined()
    expect(to('GET', 200, '/b')).toBeUndefined()
    expect(to('GET', 304, '/b')).toBeUndefined()
  })
})
