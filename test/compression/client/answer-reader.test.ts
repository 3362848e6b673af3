import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAnswerReader } from '../../../src/compression/client/answer-reader.js'

const reader = (method = 'GET', limit = 10_000) => createAnswerReader({ method, limit })
const bytes = (text: string) => Buffer.from(text, 'latin1')

const chunked =
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nVary: A\r\nVary: B\r\n\r\n5\r\nhello\r\n6;x=1\r\n world\r\n0\r\nX-Trailer: 1\r\n\r\n'

describe('an answer', () => {
  it('in chunks is put together, and its framing counted', () => {
    const answer = reader().feed(bytes(chunked))
    expect(answer).toMatchObject({ status: 200, httpVersion: '1.1' })
    expect(answer?.headers).toEqual([
      ['Transfer-Encoding', 'chunked'],
      ['Vary', 'A'],
      ['Vary', 'B'],
    ])
    expect(String(answer?.body)).toBe('hello world')
    expect(answer?.bytes).toEqual({ head: 65, body: 11, framing: chunked.length - 65 - 11 })
  })

  it('is the same however the bytes arrive', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 20 })), sizes => {
        const parts = reader()
        let at = 0
        for (const size of sizes) {
          parts.feed(bytes(chunked.slice(at, at + size)))
          at += size
        }
        expect(parts.feed(bytes(chunked.slice(at)))).toEqual(reader().feed(bytes(chunked)))
      }),
    )
  })

  it.each([
    ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n'],
    ['GET', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 900\r\n\r\n'],
    ['GET', 'HTTP/1.1 204 \r\n\r\n'],
    ['GET', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
  ])('to %s without a body ends with its head', (method, text) => {
    expect(reader(method).feed(bytes(text))?.body).toHaveLength(0)
  })

  it('without a length ends with the connection', () => {
    const closing = reader()
    expect(closing.feed(bytes('HTTP/1.0 200 OK\n\nall of'))).toBeUndefined()
    expect(closing.feed(bytes(' it'))).toBeUndefined()
    expect(String(closing.end().body)).toBe('all of it')
  })

  it.each([
    ['', 'closed before its headers ended'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf', 'it was cut in the middle'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel', 'it was cut in the middle'],
  ])('reports a cut answer: %j', (text, message) => {
    const cut = reader()
    cut.feed(bytes(text))
    expect(() => cut.end()).toThrow(message)
  })

  it.each([
    ['SSH-2.0-x\r\n\r\n', 'not an answer in HTTP/1'],
    ['HTTP/1.1 200 OK\r\n: x\r\n\r\n', 'no name'],
    ['HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n', 'not a number'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 10001\r\n\r\n', 'larger than 10000 bytes'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n', 'transfer coding'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 'no size'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n', 'longer than its size'],
    [`HTTP/1.1 200 OK\r\nX: ${'a'.repeat(70_000)}`, 'larger than 64 kB'],
    [`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1'.repeat(20_000)}`, 'longer than 16384 bytes'],
  ])('refuses a wrong answer: %.60j', (text, message) => {
    expect(() => reader().feed(bytes(text))).toThrow(message)
  })

  it('of random bytes throws nothing but AnswerError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (noise, begun) => {
        try {
          reader().feed(Buffer.concat([bytes(begun ? 'HTTP/1.1 200 OK\r\n' : ''), noise]))
        } catch (error) {
          expect(error).toMatchObject({ name: 'AnswerError' })
        }
      }),
    )
  })
})
