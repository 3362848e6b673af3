import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createAnswerReader,
  type WireAnswer,
} from '../../../../src/servers/compression/client/answer-reader.js'
import { forAll } from '../../../support/for-all.js'

const reader = (method = 'GET', limit = 10_000) => createAnswerReader({ method, limit })
const bytes = (text: string) => Buffer.from(text, 'latin1')

const chunked =
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nVary: A\r\nVary: B\r\n\r\n5\r\nhello\r\n6;x=1\r\n world\r\n0\r\nX-Trailer: 1\r\n\r\n'

describe('an answer', () => {
  it('in chunks is joined, and its framing is counted', () => {
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

  it.each([
    [chunked.replace('5\r\n', '0005 ; a="b"\r\n'), 'hello world'],
    [chunked.replaceAll('\r\n', '\n'), 'hello world'],
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked \r\n\r\nA\r\n0123456789\r\n0\r\n\r\n', '0123456789'],
    ['HTTP/1.1 200\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nhi', 'hi'],
    ['HTTP/1.0 404 Not\nContent-Length:2\n\nhi', 'hi'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi and more', 'hi'],
    [
      'HTTP/1.1 103 Early\r\nA: b\r\n\r\nHTTP/1.1 199 More\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi',
      'hi',
    ],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n2\r\nhi\r\n0\r\n\r\n', 'hi'],
  ])('%#: is the same in one piece and byte by byte', (text, body) => {
    const whole = reader().feed(bytes(text))
    expect(String(whole?.body)).toBe(body)
    const slow = reader()
    let last: WireAnswer | undefined
    for (let at = 0; at < text.length && last === undefined; at++) last = slow.feed(bytes(text[at]!))
    expect(last).toEqual(whole)
    expect(slow.end()).toEqual(whole)
    const counted = whole!.bytes.head + whole!.bytes.body + whole!.bytes.framing
    expect(counted).toBe(text.replace(' and more', '').length)
  })

  it('has its version, its status, and its fields without the space around their values', () => {
    const text =
      'HTTP/1.0 404 Not Found\r\nServer:a:b\r\nX-Empty:\r\nx:  \t\xe9 \r\nContent-Length: 0\r\n\r\n'
    expect(reader().feed(bytes(text))).toMatchObject({
      httpVersion: '1.0',
      status: 404,
      headers: [
        ['Server', 'a:b'],
        ['X-Empty', ''],
        ['x', '\xe9'],
        ['Content-Length', '0'],
      ],
    })
  })

  it('is the same for any size of the pieces', () =>
    forAll(fc.array(fc.integer({ min: 1, max: 20 })), sizes => {
      const parts = reader()
      let at = 0
      for (const size of sizes) {
        parts.feed(bytes(chunked.slice(at, at + size)))
        at += size
      }
      expect(parts.feed(bytes(chunked.slice(at)))).toEqual(reader().feed(bytes(chunked)))
    }))

  it.each([
    ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n'],
    ['GET', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 900\r\n\r\n'],
    ['GET', 'HTTP/1.1 204 \r\n\r\n'],
    ['GET', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['HEAD', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['HEAD', 'HTTP/1.1 200 OK\r\n\r\n'],
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
    ['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n', 'closed before its headers ended'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf', 'it was cut in the middle'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n', 'it was cut in the middle'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel', 'it was cut in the middle'],
  ])('reports a cut answer: %j', (text, message) => {
    const cut = reader()
    cut.feed(bytes(text))
    expect(() => cut.end()).toThrow(message)
  })

  it.each([
    ['SSH-2.0-x\r\n\r\n', 'not an answer in HTTP/1'],
    [' HTTP/1.1 200 OK\r\n\r\n', 'not an answer in HTTP/1'],
    ['HTTP/1.1 2000 OK\r\n\r\n', 'not an answer in HTTP/1'],
    ['HTTP/1.1 20 OK\r\n\r\n', 'not an answer in HTTP/1'],
    ['HTTP/2 200 OK\r\n\r\n', 'not an answer in HTTP/1'],
    ['HTTP/1.1 200 OK\r\nfolded\r\n\r\n', 'no name'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 'two different values'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 1x\r\n\r\n', 'not a number'],
    ['HTTP/1.1 200 OK\r\nContent-Length: x1\r\n\r\n', 'not a number'],
    [`HTTP/1.1 200 OK\r\nContent-Length: ${'0'.repeat(15)}1\r\n\r\n`, 'not a number'],
    ['HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\n', 'not a number'],
    [`HTTP/1.1 200 OK\r\n\r\n${'a'.repeat(10_001)}`, 'larger than 10000 bytes'],
    [
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n2710\r\n${'a'.repeat(10_000)}`,
      'larger than 10000 bytes',
    ],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1x\r\na', 'no size'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx1\r\na', 'no size'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n', 'no size'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1 a\r\n', 'no size'],
    [`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'0'.repeat(12)}1\r\na`, 'no size'],
    ['HTTP/1.1 200 OK\r\n: x\r\n\r\n', 'no name'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 10001\r\n\r\n', 'larger than 10000 bytes'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n', 'transfer coding'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n', 'longer than its size'],
  ])('refuses a wrong answer: %.60j', (text, message) => {
    expect(() => reader().feed(bytes(text))).toThrow(message)
  })

  it('may have as many bytes as its limits allow', () => {
    const sized = (size: number) => `HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n${'a'.repeat(size)}`
    expect(reader().feed(bytes(sized(10_000)))?.body).toHaveLength(10_000)
    const closing = reader()
    expect(closing.feed(bytes(`HTTP/1.1 200 OK\r\n\r\n${'a'.repeat(10_000)}`))).toBeUndefined()
    expect(closing.end().body).toHaveLength(10_000)
    const start = 'HTTP/1.1 200 OK\r\nX: '
    expect(reader().feed(bytes(start + 'a'.repeat(64 * 1024 - start.length)))).toBeUndefined()
    expect(() => reader().feed(bytes(start + 'a'.repeat(64 * 1024 + 1 - start.length)))).toThrow(
      'larger than 64 kB',
    )
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
    expect(reader().feed(bytes(head + '1'.repeat(16 * 1024)))).toBeUndefined()
    expect(() => reader().feed(bytes(head + '1'.repeat(16 * 1024 + 1)))).toThrow('longer than 16384 bytes')
  })

  it('does not share bytes with the pieces that it was read from', () => {
    const piece = bytes('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi')
    const answer = reader().feed(piece)
    piece.fill(0)
    expect(String(answer?.body)).toBe('hi')
  })

  it('of random bytes throws nothing but AnswerError', () =>
    forAll(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (noise, begun) => {
      try {
        reader().feed(Buffer.concat([bytes(begun ? 'HTTP/1.1 200 OK\r\n' : ''), noise]))
      } catch (error) {
        expect(error).toMatchObject({ name: 'AnswerError' })
      }
    }))
})
