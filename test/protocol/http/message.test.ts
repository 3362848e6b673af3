import { describe, expect, it } from 'vitest'
import {
  bytes,
  cookie,
  header,
  headerValues,
  jsonResponse,
  mediaType,
  redirectResponse,
  splitUrl,
  text,
  textResponse,
} from '../../../src/protocol/http/message.js'

it.each([
  ['https://h:8443/a/b?x=1&y=%2F', 'https://h:8443', '/a/b', 'x=1&y=%2F'],
  ['https://h', 'https://h', '/', ''],
  ['https://h?x=1', 'https://h', '/', 'x=1'],
  ['https://h/#frag?no', 'https://h', '/', ''],
  ['https://h/a?x=1#frag', 'https://h', '/a', 'x=1'],
  ['https://h/a?', 'https://h', '/a', ''],
  ['https://h/a?x=?&y=/', 'https://h', '/a', 'x=?&y=/'],
  ['https://h/%2e%2e/../A', 'https://h', '/%2e%2e/../A', ''],
  ['https://[::1]:8443/', 'https://[::1]:8443', '/', ''],
  ['https://h/a?u=http://other/', 'https://h', '/a', 'u=http://other/'],
])('splitUrl cuts %s and normalises nothing', (url, origin, path, query) => {
  expect(splitUrl(url)).toEqual({ origin, path, query })
})

describe('headers', () => {
  const message = {
    headers: [
      ['Set-Cookie', 'a=1'],
      ['content-TYPE', ' Text/HTML ; charset=utf-8'],
      ['set-cookie', 'b=2'],
    ] as const,
  }

  it('are found in any case, duplicates in order', () => {
    expect(headerValues(message, 'SET-cookie')).toEqual(['a=1', 'b=2'])
    expect(header(message, 'set-cookie')).toBe('a=1')
    expect(header(message, 'accept')).toBeUndefined()
  })

  it('are not mixed up with names of the same length or the same beginning', () => {
    const others = {
      headers: [
        ['x-cookies1', 'a'],
        ['set-cookie2', 'b'],
        ['et-cookie', 'c'],
      ] as const,
    }
    expect(headerValues(others, 'set-cookie')).toEqual([])
    expect(header(others, 'set-cookie')).toBeUndefined()
  })

  it('give the media type in lower case without its parameters', () => {
    expect(mediaType(message)).toBe('text/html')
    expect(mediaType({ headers: [] })).toBe('')
  })
})

describe('cookie', () => {
  const request = (...lines: string[]) => ({
    method: 'GET',
    url: 'https://h/',
    headers: lines.map(line => ['cookie', line] as const),
    body: new Uint8Array(),
  })

  it.each([
    [['a=1; __Host-lab=x=y; b=2'], 'x=y'],
    [['a=1', '__Host-lab=second'], 'second'],
    [['x__Host-lab=no; __Host-labx=no'], undefined],
    [['__Host-lab'], undefined],
    [['=__Host-lab; ; ;;'], undefined],
    [['a=1; __Host-lab =  spaced  '], 'spaced'],
    [['__Host-lab='], ''],
    [['__Host-lab=first; __Host-lab=later'], 'first'],
  ])('reads %j', (lines, value) => expect(cookie(request(...lines), '__Host-lab')).toBe(value))

  it('reads no cookie without a name', () => expect(cookie(request('=value'), '')).toBeUndefined())
})

describe('responses', () => {
  it('carry exact content types', () => {
    expect(textResponse(404, 'no\n')).toEqual({
      status: 404,
      headers: [['content-type', 'text/plain; charset=utf-8']],
      body: bytes('no\n'),
    })
    const json = jsonResponse(400, { error: 'invalid_request' }, [['pragma', 'no-cache']])
    expect(json.headers).toEqual([
      ['content-type', 'application/json;charset=UTF-8'],
      ['pragma', 'no-cache'],
    ])
    expect(text(json.body)).toBe('{"error":"invalid_request"}')
    expect(jsonResponse(200, null).headers).toEqual([['content-type', 'application/json;charset=UTF-8']])
    expect(redirectResponse('https://h/x')).toEqual({
      status: 302,
      headers: [['location', 'https://h/x']],
      body: new Uint8Array(),
    })
  })

  it('read bytes that are no UTF-8 without throwing', () => {
    expect(text(Uint8Array.of(0x61, 0xff))).toBe('a\ufffd')
  })
})
