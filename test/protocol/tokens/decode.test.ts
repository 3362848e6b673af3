import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeJwt,
  MAX_TOKEN_DEPTH,
  MAX_TOKEN_LENGTH,
  TokenFormatError,
} from '../../../src/protocol/tokens/decode.js'
import { forAll } from '../../support/for-all.js'
import { exampleClaims, exampleJwt } from './rfc.js'

const part = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

describe('decodeJwt', () => {
  it('takes the example of RFC 7519 §3.1 apart', () => {
    const { header, claims, parts } = decodeJwt(exampleJwt)
    expect(header).toEqual({ typ: 'JWT', alg: 'HS256' })
    expect(claims).toEqual(exampleClaims)
    expect(parts.join('.')).toBe(exampleJwt)
  })

  it('takes the unsecured example of RFC 7519 §6.1 apart; trust is not its business', () => {
    const unsecured =
      'eyJhbGciOiJub25lIn0.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.'
    expect(decodeJwt(unsecured).header).toEqual({ alg: 'none' })
  })

  it.each([
    ['', 'three parts'],
    ['a.b', 'this has 2'],
    ['a.b.c.d', 'this has 4'],
    ['a.b.c.d.e', 'encrypted'],
    [`.${part({})}.s`, 'header is not base64url'],
    [`${part({})}=.${part({})}.s`, 'header is not base64url'],
    [` ${part({})}.${part({})}.s`, 'header is not base64url'],
    [`${part({})}.${part({})}+/.s`, 'payload is not base64url'],
    [`${part({})}.aaaaa.s`, 'payload is not base64url'],
    [`${part({})}.${part('{')}.s`, 'payload is not JSON'],
    [`${part({})}.${Buffer.from([0x22, 0xff, 0x22]).toString('base64url')}.s`, 'payload is not JSON'],
    [`${part([])}.${part({})}.s`, 'header is not a JSON object'],
    [`${part({})}.${part('null')}.s`, 'payload is not a JSON object'],
    [`${part({})}.${part('"text"')}.s`, 'payload is not a JSON object'],
    ['a'.repeat(MAX_TOKEN_LENGTH + 1), 'longer than'],
  ])('refuses %.60j', (token, message) => {
    expect(() => decodeJwt(token)).toThrow(TokenFormatError)
    expect(() => decodeJwt(token)).toThrow(message)
  })

  it('decodes a token of the longest length, and names its errors', () => {
    const start = `${part({})}.${part({})}.`
    expect(decodeJwt(start.padEnd(MAX_TOKEN_LENGTH, 'a')).claims).toEqual({})
    expect(() => decodeJwt('')).toThrow(expect.objectContaining({ name: 'TokenFormatError' }))
  })

  it('decodes members of every JSON type', () => {
    const claims = { a: null, b: 'text', c: 1, d: false, e: [null, { f: [] }] }
    expect(decodeJwt(`${part({})}.${part(claims)}.s`).claims).toEqual(claims)
  })

  it('refuses claims too deep to walk or print', () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
    const decode = (depth: number) => decodeJwt(`${part({})}.${part(nested(depth))}.s`)
    expect(decode(MAX_TOKEN_DEPTH).claims).toHaveProperty('a')
    expect(() => decode(MAX_TOKEN_DEPTH + 1)).toThrow('nested deeper')
    expect(() => decode(100_000)).toThrow('nested deeper')
  })

  it('throws nothing but TokenFormatError, whatever the text', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.tuple(fc.string(), fc.json(), fc.string()).map(each => each.map(part).join('.')),
    )
    await forAll(text, token => {
      try {
        expect(decodeJwt(token).claims).toBeTypeOf('object')
      } catch (error) {
        expect(error).toBeInstanceOf(TokenFormatError)
      }
    })
  })

  it('keeps members that are named like parts of every object', () => {
    const { claims } = decodeJwt(`${part({ alg: 'none' })}.${part('{"__proto__":{"admin":true}}')}.`)
    expect(Object.keys(claims)).toEqual(['__proto__'])
    expect(claims.admin).toBeUndefined()
  })
})
