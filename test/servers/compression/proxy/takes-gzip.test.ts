import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HeaderList, HttpRequest } from '../../../../src/protocol/http/message.js'
import { takesGzip } from '../../../../src/servers/compression/proxy/proxy.js'
import { forAll } from '../../../support/for-all.js'

const request = (headers: HeaderList, httpVersion = '1.1'): HttpRequest => ({
  method: 'GET',
  url: 'http://proxy/x',
  headers,
  httpVersion,
  body: new Uint8Array(),
})
const offering = (...values: string[]) => request(values.map(value => ['Accept-Encoding', value] as const))

describe('takesGzip', () => {
  it.each([
    ...['GZIP', 'gzip ', 'gzip  , br', 'gzip,br', 'br, gzip', 'br,gzip', 'br gzip', 'gzip ; ', 'gzip;q=1,br'],
    ...['gzip;Q=1', 'gzip;q=1.', 'gzip;q=1.000', 'gzip  ;  q=1', 'gzip;q=1,\nbr', 'gzip ; q=0.001'],
    ...['br;q=1, gzip;q=0.1', 'gzip;q=0.5, gzip;q=0'],
  ])('accepts %j', value => expect(takesGzip(offering(value), false)).toEqual({ takes: true }))

  it.each([
    ...['', '*', 'xgzip', 'gzip-foo', 'gzipped, gzip', 'gzip x', 'gzip=1', 'gzip\n', 'gzip;\nq=1'],
    ...['gzip\t;\tq=1'],
    ...['gzip;q', 'gzip;q=', 'gzip;x=1', 'gzip;qq=1', 'gzip;level=1;q=1', 'gzip;q=abc', 'gzip;q=-1'],
    ...['gzip;q=.5'],
    ...['gzip;q=0', 'gzip;q=0.000', 'gzip;q=0.0000', 'gzip;q=0,1', 'gzip;q=0 .5', 'gzip;q=0, gzip'],
    ...['gzip;q=05'],
    ...['gzip;q=0.1234', 'gzip;q=0.5x', 'gzip;q=0.5;', 'gzip;q=1.0000', 'gzip;q=1.001', 'gzip;q=1x'],
    ...['gzip;q=2'],
  ])('does not accept %j', value => expect(takesGzip(offering(value), false).takes).toBe(false))

  it('does not accept gzip for a request without Accept-Encoding', () => {
    expect(takesGzip(request([]), true).takes).toBe(false)
  })

  it('reads the first field line only', () => {
    expect(takesGzip(offering('br', 'gzip'), false).takes).toBe(false)
    expect(takesGzip(offering('gzip', 'br'), false).takes).toBe(true)
  })

  it('does not accept gzip over HTTP/1.0', () => {
    expect(takesGzip(request([['Accept-Encoding', 'gzip']], '1.0'), true).takes).toBe(false)
  })

  it('accepts gzip behind another proxy only with gzip_proxied', () => {
    const via = request([
      ['accept-encoding', 'gzip'],
      ['via', '1.1 other'],
    ])
    expect(takesGzip(via, false).takes).toBe(false)
    expect(takesGzip(via, true).takes).toBe(true)
  })

  it('gives a reason for any value that it does not accept', () =>
    forAll(fc.string({ unit: 'binary' }), value => {
      const verdict = takesGzip(offering(value), false)
      if (!verdict.takes) expect(verdict.why).not.toBe('')
    }))
})
