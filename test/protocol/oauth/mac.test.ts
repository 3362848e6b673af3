import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes, type HttpRequest } from '../../../src/protocol/http/message.js'
import {
  bodyHash,
  checkMac,
  type MacCredentials,
  macAuthorization,
  nonceAge,
  normalizedRequest,
  parseMac,
  requestHost,
  requestMac,
} from '../../../src/protocol/oauth/mac.js'
import { forAll } from '../../support/for-all.js'

const request = (
  method: string,
  url: string,
  body = '',
  headers: HttpRequest['headers'] = [],
): HttpRequest => ({ method, url, headers, body: bytes(body) })

describe('the examples of draft-ietf-oauth-v2-http-mac-00', () => {
  const first: MacCredentials = { id: 'h480djs93hd8', key: '489dks293j39', algorithm: 'hmac-sha-1' }
  const second: MacCredentials = { id: 'jd93dh9dh39D', key: '8yfrufh348h', algorithm: 'hmac-sha-1' }

  it('signs a GET (§1.1)', () => {
    expect(
      macAuthorization(request('GET', 'http://example.com/resource/1?b=1&a=2'), first, {
        nonce: '264095:dj83hs9s',
      }),
    ).toBe('MAC id="h480djs93hd8", nonce="264095:dj83hs9s", mac="SLDJd4mg43cjQfElUs3Qub4L6xE="')
  })

  it('signs a POST with its body (§1.1)', () => {
    expect(
      macAuthorization(request('POST', 'http://example.com/request', 'hello=world%21'), second, {
        nonce: '273156:di3hvdf8',
      }),
    ).toBe(
      'MAC id="jd93dh9dh39D", nonce="273156:di3hvdf8", bodyhash="k9kbtCIy0CkI3/FEfpS/oIDjk6k=", mac="W7bdMZbv9UWOTadASIQHagZyirA="',
    )
  })

  it('normalizes a request with query, body and ext (§3.3.1)', () => {
    const bodyhash = bodyHash(bytes('Hello World!'), 'hmac-sha-1')
    expect(bodyhash).toBe('Lve95gjOVATpfV8EL5X4nxwjKHE=')
    const requestUri = '/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b&c2&a3=2+q'
    const input = { requestUri, host: 'Example.com', port: '80', bodyhash, ext: 'a,b,c' }
    const normalized = normalizedRequest({ nonce: '264095:7d8f3e4a', method: 'get', ...input })
    expect(normalized).toBe(
      `264095:7d8f3e4a\nGET\n${requestUri}\nexample.com\n80\nLve95gjOVATpfV8EL5X4nxwjKHE=\na,b,c\n`,
    )
    expect(requestMac(normalized, first)).toBe('Z3C2DojEopRDIC88/imW8Ez853g=')
  })
})

it.each([
  ['https://localhost:8444/x', [], 'localhost', '8444'],
  ['https://localhost/x', [], 'localhost', '443'],
  ['http://localhost/x', [], 'localhost', '80'],
  ['https://localhost:8444/x', [['Host', 'Other.Example']], 'other.example', '443'],
  ['https://localhost:8444/x', [['host', '[::1]:8444']], '[::1]', '8444'],
  ['https://localhost:8444/x', [['host', 'a:b:c']], '', '443'],
] as const)('requestHost of %s with %j is %s port %s', (url, headers, host, port) => {
  expect(requestHost({ url, headers })).toEqual({ host, port })
})

it.each([
  ['264095:dj83hs9s', 264095],
  ['0:x', 0],
  ['1:a:b', 1],
  ['000137131200:x', undefined],
  ['-1:x', undefined],
  ['1.5:x', undefined],
  ['12:', undefined],
  [':x', undefined],
  ['dj83hs9s', undefined],
  ['99999999999:x', undefined],
])('nonceAge of %s is %s', (nonce, age) => expect(nonceAge(nonce)).toBe(age))

describe('parseMac', () => {
  it.each([
    ['id="a", nonce="1:b", mac="c="', { id: 'a', nonce: '1:b', mac: 'c=' }],
    ['id=a,nonce=1:b,mac=c=', { id: 'a', nonce: '1:b', mac: 'c=' }],
    [
      'mac="c", ext="x, y", bodyhash="h", nonce="1:b", id="a"',
      { id: 'a', nonce: '1:b', bodyhash: 'h', ext: 'x, y', mac: 'c' },
    ],
    ['id="a", nonce="1:b", bodyhash="", ext="", mac="c"', { id: 'a', nonce: '1:b', mac: 'c' }],
  ])('reads %s', (text, found) => expect(parseMac(text)).toEqual(found))

  it.each([
    ['', 'must be followed'],
    ['id="a"', 'nonce is missing'],
    ['id="", nonce="1:b", mac="c"', 'id is missing'],
    ['id="a", nonce="1:b"', 'mac is missing'],
    ['id="a", id="a", nonce="1:b", mac="c"', 'id is repeated'],
    ['id="a", nonce="1:b", mac="c",', 'must be followed'],
    ['id="a" nonce="1:b" mac="c"', 'must be followed'],
    ['id="a\\"", nonce="1:b", mac="c"', 'must be followed'],
    ['id="é", nonce="1:b", mac="c"', 'must be followed'],
    ['id="a", ts="1", nonce="b", mac="c"', 'later draft'],
    ['id="a", nonce="1:b", mac="c", __proto__="d"', 'must be followed'],
    ['id="a", nonce="1:b", mac="c", constructor="d"', 'no parameter constructor'],
  ])('refuses %s', (text, problem) => {
    expect(parseMac(text)).toEqual({ problem: expect.stringContaining(problem) })
  })

  it('accepts or refuses any text', async () => {
    const piece = fc.constantFrom('id=', 'nonce=', 'mac="', '"', ',', ' ', 'a', '=', '\\', 'é', '1:b', '\t')
    await forAll(fc.array(piece, { maxLength: 40 }), pieces => {
      const found = parseMac(pieces.join(''))
      expect('problem' in found ? found.problem !== '' : found.id !== '' && found.mac !== '').toBe(true)
    })
  })
})

describe('checkMac', () => {
  const credentials: MacCredentials = { id: 'token', key: 'k'.repeat(43), algorithm: 'hmac-sha-256' }
  const signed = request('POST', 'https://localhost:8444/records?a=1', 'body', [['host', 'localhost:8444']])
  const presentedOf = (of: HttpRequest, ext?: string) => {
    const value = macAuthorization(of, credentials, { nonce: '1:x', ...(ext === undefined ? {} : { ext }) })
    const presented = parseMac(value.slice('MAC '.length))
    if ('problem' in presented) throw new Error(presented.problem)
    return presented
  }
  const failed = (got: HttpRequest, presented = presentedOf(signed)) =>
    checkMac(got, presented, credentials)
      .filter(each => !each.ok)
      .map(each => each.name)

  it.each([
    ['the method', { ...signed, method: 'PUT' }, ['mac']],
    ['the path', { ...signed, url: 'https://localhost:8444/record?a=1' }, ['mac']],
    ['the query', { ...signed, url: 'https://localhost:8444/records?a=2' }, ['mac']],
    ['the host', { ...signed, headers: [['host', 'evil.example:8444']] as const }, ['mac']],
    ['the port', { ...signed, headers: [['host', 'localhost:8445']] as const }, ['mac']],
    ['the body', { ...signed, body: bytes('other') }, ['bodyhash']],
    ['that there is a body', { ...signed, body: bytes('') }, ['bodyhash']],
    ['nothing that was changed', signed, []],
  ])('covers %s', (_what, got, names) => expect(failed(got)).toEqual(names))

  it('refuses a changed nonce, ext, key, and a body that is not covered', () => {
    const presented = presentedOf(signed, 'e')
    expect(failed(signed, presented)).toEqual([])
    expect(failed(signed, { ...presented, nonce: '2:x' })).toEqual(['mac'])
    expect(failed(signed, { ...presented, ext: 'f' })).toEqual(['mac'])
    expect(checkMac(signed, presented, { ...credentials, key: 'other' }).at(-1)?.ok).toBe(false)
    expect(failed(signed, presentedOf({ ...signed, body: bytes('') }))).toEqual(['bodyhash'])
  })

  it('accepts what macAuthorization made, for every request', async () => {
    const method = fc.constantFrom('GET', 'POST', 'DELETE')
    const path = fc.webPath()
    await forAll(method, path, fc.webQueryParameters(), fc.string(), (verb, place, query, body) => {
      const made = request(verb, `https://localhost:8444/${place}?${query}`, body)
      expect(failed(made, presentedOf(made))).toEqual([])
    })
  })
})
