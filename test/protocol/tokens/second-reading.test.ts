import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readGivenKeys } from '../../../src/protocol/tokens/given-keys.js'
import { otherSecrets, rawOfDer, readTokenAgain } from '../../../src/protocol/tokens/second-reading.js'

const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl'
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const jwk = JSON.stringify(privateKey.export({ format: 'jwk' }))
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('a text that is no token', () => {
  it.each([
    ['base64', base64(TOKEN), /base64 of a token/],
    ['base64 in lines', base64(TOKEN).replace(/.{20}/g, '$&\n'), /base64 of a token/],
    ['a token answer', JSON.stringify({ access_token: 'opaque', id_token: TOKEN }), /its id_token/],
    ['JSON text', JSON.stringify(TOKEN), /in quotes/],
    ['percent-encoding', TOKEN.replaceAll('.', '%2E'), /percent-encoded/],
    ['an address', `https://app.example/cb#access_token=${TOKEN}&state=x`, /its access_token/],
  ])('%s', (_name, text, remark) => {
    expect(readTokenAgain(text)).toEqual({ content: TOKEN, remark: expect.stringMatching(remark) })
  })

  it.each(['opaque-token', '', 'e30=', '{"a":1}', 'x'.repeat(2_000_000)])('%.20s stays what it is', text => {
    expect(readTokenAgain(text)).toBeUndefined()
  })
})

describe('a key in another form', () => {
  it.each([
    ['\\n as two characters', pem.replaceAll('\n', '\\n'), /two characters/],
    ['in quotes, as in a .env file', JSON.stringify(pem), /two characters/],
    ['a service account', JSON.stringify({ type: 'service_account', private_key: pem }), /service account/],
    ['base64 of a PEM', base64(pem), /base64 of a PEM/],
    ['base64 of a JWK', base64(jwk), /base64 of a JWK/],
    ['without first and last line', pem.replace(/-----.*-----\n/g, ''), /inside of a PEM/],
  ])('%s', (_name, text, remark) => {
    const given = readGivenKeys(text)
    expect(given.remark).toMatch(remark)
    expect(given.keys[0].key.equals(privateKey)).toBe(true)
  })

  it('a map of certificates is a set whose names are the kids', () => {
    expect(() => new X509Certificate('')).toThrow()
    expect(() =>
      readGivenKeys('{"k1":"-----BEGIN CERTIFICATE-----\\nMIIB\\n-----END CERTIFICATE-----"}'),
    ).toThrow(/no key that can be read/)
  })

  it('a key in its own form has no remark', () => {
    expect([readGivenKeys(pem).remark, readGivenKeys(jwk).remark]).toEqual([undefined, undefined])
  })
})

describe('another secret', () => {
  it.each([
    ['AAECAwQFBgcICQoLDA0ODw==', Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex'), /base64-decoded/],
    [
      '000102030405060708090a0b0c0d0e0f',
      Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex'),
      /hexadecimal/,
    ],
    ['"quoted secret"', Buffer.from('quoted secret'), /quotes around it/],
    ['a%2Bb', Buffer.from('a+b'), /percent-decoded/],
    ['secret', Buffer.from('secret\n'), /line end/],
  ])('%s', (text, bytes, remark) => {
    const found = otherSecrets(Buffer.from(text)).filter(({ content }) => content.equals(bytes))
    expect(found.map(each => each.remark)).toEqual([expect.stringMatching(remark)])
  })
})

it('an ECDSA signature in DER is written as r and s', () => {
  const input = Buffer.from('header.payload')
  const raw = rawOfDer(sign('sha256', input, privateKey), 32)
  expect(raw).toHaveLength(64)
  expect(rawOfDer(Buffer.from('no signature'), 32)).toBeUndefined()
})
