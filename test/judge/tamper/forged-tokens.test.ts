import { createHmac, createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  alterToken,
  hmacToken,
  selfSignedToken,
  unsignedToken,
} from '../../../src/judge/tamper/forged-tokens.js'
import { decodeJwt } from '../../../src/protocol/tokens/decode.js'
import { makeJwt, rsaKey } from '../../protocol/tokens/jwt-maker.js'

const claims = { iss: 'https://lab.test', sub: 'alice', aud: 'demo', exp: 2_000_000_000 }
const signingKey = rsaKey('k1')
const token = makeJwt(signingKey, { kid: 'k1' }, claims)
const { header, parts } = decodeJwt(token)
const keys = { keys: [signingKey.publicJwk] }

const text = (forged: string | { problem: string }): string => {
  if (typeof forged !== 'string') throw new Error(forged.problem)
  return forged
}

describe('forged tokens', () => {
  it('alterToken: another subject under the old signature', () => {
    const altered = decodeJwt(alterToken(token))
    expect(altered.claims).toEqual({ ...claims, sub: 'oauth-lab-somebody-else' })
    expect([altered.parts[0], altered.parts[2]]).toEqual([parts[0], parts[2]])
  })

  it('alterToken: one character of an opaque token', () => {
    expect(alterToken('0123456789')).toBe('01234A6789')
    expect(alterToken('AAAA')).toBe('AABA')
  })

  it('unsignedToken: the same claims, alg none, no signature', () => {
    const forged = text(unsignedToken(token))
    const [head = '', body, signature] = forged.split('.')
    expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual({ ...header, alg: 'none' })
    expect([body, signature]).toEqual([parts[1], ''])
  })

  it('hmacToken: HS256 with the PEM text of the published key', () => {
    const forged = decodeJwt(text(hmacToken(token, keys)))
    expect(forged.header).toEqual({ ...header, alg: 'HS256' })
    const pem = createPublicKey({ key: signingKey.publicJwk as JsonWebKey, format: 'jwk' })
      .export({ type: 'spki', format: 'pem' })
      .toString()
    const input = forged.parts.slice(0, 2).join('.')
    expect(forged.parts[2]).toBe(createHmac('sha256', pem).update(input).digest('base64url'))
  })

  it('selfSignedToken: good by a key of its own, which it may carry along', async () => {
    const plain = decodeJwt(text(await selfSignedToken(token)))
    expect(plain.header).toEqual(header)
    const { header: head, parts: signed } = decodeJwt(text(await selfSignedToken(token, { embedded: true })))
    const key = createPublicKey({ key: head.jwk as JsonWebKey, format: 'jwk' })
    const input = Buffer.from(signed.slice(0, 2).join('.'))
    expect(verify('sha256', input, key, Buffer.from(signed[2], 'base64url'))).toBe(true)
    expect(head.jwk).not.toHaveProperty('d')
  })

  it.each([['opaque'], ['a.b.c'], ['']])('cannot be made of %j', async opaque => {
    const problem = { problem: 'the access token is no JWT' }
    expect(unsignedToken(opaque)).toEqual(problem)
    expect(hmacToken(opaque, keys)).toEqual(problem)
    expect(await selfSignedToken(opaque, { embedded: true })).toEqual(problem)
  })

  it('hmacToken needs a key it can read', () => {
    expect(hmacToken(token, undefined)).toEqual({ problem: 'no RSA key of the token is published' })
    const broken = { keys: [{ kty: 'RSA', kid: 'k1' }] }
    expect(hmacToken(token, broken)).toEqual({ problem: 'the published key cannot be read' })
  })
})
