import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TokenFormatError } from '../../../src/protocol/tokens/decode.js'
import { decodeSdJwt, isSdJwt } from '../../../src/protocol/tokens/sd-jwt.js'
import { verifySdJwt } from '../../../src/protocol/tokens/verify.js'
import { forAll } from '../../support/for-all.js'
import { ecKey, makeJwt, part } from './jwt-maker.js'
import rfc9901 from './rfc9901.json' with { type: 'json' }

const key = ecKey()
const digest = (disclosure: string, hash = 'sha256') =>
  createHash(hash).update(disclosure).digest('base64url')
const disclosure = (...parts: unknown[]) => part(['c2FsdA', ...parts])
const token = (claims: object, ...disclosures: string[]) =>
  `${makeJwt(key, {}, claims)}~${disclosures.map(each => `${each}~`).join('')}`
const failed = (text: string) =>
  decodeSdJwt(text)
    .checks.filter(({ ok }) => !ok)
    .map(({ name }) => name)

/** Disclosures and digests of RFC 9901 §5.1. */
const GIVEN_NAME = 'WyIyR0xDNDJzS1F2ZUNmR2ZyeU5STjl3IiwgImdpdmVuX25hbWUiLCAiSm9obiJd'
const US = 'WyJsa2x4RjVqTVlsR1RQVW92TU5JdkNBIiwgIlVTIl0'
const example = {
  _sd: ['jsu9yVulwQQlhFlM_3JlzMaSFzglhQG0DpfayQwLUK4', 'TGf4oLbgwd5JQaHyKVQZU9UdGE0w5rtDsrZzfUaomLo'],
  iss: 'https://issuer.example.com',
  nationalities: [
    { '...': 'pFndjkZ_VCzmyTa6UjlZo3dh-ko8aIKQc9DlGzhaVYo' },
    { '...': '7Cf6JkPudry3lcbwHgeZ8khAv1U1OSlerP0VkBJrWZ0' },
  ],
  _sd_alg: 'sha-256',
}

describe('an SD-JWT', () => {
  it('has the digests of RFC 9901 §5.1', () => {
    const { claims, disclosures, keptBack, checks } = decodeSdJwt(token(example, GIVEN_NAME, US))
    expect(claims).toEqual({ iss: 'https://issuer.example.com', given_name: 'John', nationalities: ['US'] })
    expect(disclosures).toMatchObject([
      { salt: '2GLC42sKQveCfGfryNRN9w', name: 'given_name', value: 'John', place: 'given_name' },
      { salt: 'lklxF5jMYlGTPUovMNIvCA', value: 'US', place: 'nationalities[0]' },
    ])
    expect(keptBack).toBe(2)
    expect(checks.every(({ ok }) => ok)).toBe(true)
  })

  it('discloses inside of disclosures, by another hash too', () => {
    const inner = disclosure('locality', 'Wonderland')
    const outer = disclosure('address', { _sd: [digest(inner, 'sha512')] })
    const { claims } = decodeSdJwt(
      token({ _sd: [digest(outer, 'sha512')], _sd_alg: 'sha-512' }, outer, inner),
    )
    expect(claims).toEqual({ address: { locality: 'Wonderland' } })
  })

  it.each<readonly [string, string, string]>([
    ['a disclosure that no digest names', token({ iss: 'a' }, GIVEN_NAME), 'disclosures'],
    ['a disclosure that stands there twice', token(example, US, US), 'disclosures'],
    ['a digest that stands there twice', token({ _sd: ['x', 'x'] }), 'digests'],
    ['a digest that is no text', token({ _sd: [1] }), 'digests'],
    ['digests that are no list', token({ _sd: 'x' }), 'digests'],
    ['a hash that nobody knows', token({ _sd: [], _sd_alg: 'md5' }), '_sd_alg'],
    ['a hash that is an object', token({ _sd: [], _sd_alg: { toString: 1 } }), '_sd_alg'],
    ['a claim that is there already', token({ ...example, given_name: 'Eve' }, GIVEN_NAME), 'digests'],
    ...['_sd', '...'].map(name => {
      const reserved = disclosure(name, 1)
      return [`the reserved name ${name}`, token({ _sd: [digest(reserved)] }, reserved), 'digests'] as const
    }),
    ['a claim in a list', token({ l: [{ '...': digest(GIVEN_NAME) }] }, GIVEN_NAME), 'digests'],
    ['an element among claims', token({ _sd: [digest(US)] }, US), 'digests'],
  ])('is refused with %s', (_, text, name) => expect(failed(text)).toContain(name))

  it('cannot exhaust the stack', () => {
    const disclosures: string[] = []
    let claims: object = {}
    for (let i = 0; i < 900; i++) {
      const one = disclosure('a', claims)
      disclosures.push(one)
      claims = { _sd: [digest(one)] }
    }
    expect(failed(token(claims, ...disclosures))).toContain('digests')
  })

  it('keeps a claim with the name __proto__ as a claim', () => {
    const own = disclosure('__proto__', { admin: true })
    const { claims } = decodeSdJwt(token({ _sd: [digest(own)] }, own))
    expect(Object.keys(claims)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(claims)).toBe(Object.prototype)
  })

  it.each([
    ['!'],
    [part('text')],
    [part([1])],
    [part([1, 2, 3, 4])],
    [part([1, 'n', 2])],
    [part(['s', 1, 2])],
  ])('with the disclosure %s is no SD-JWT', wrong =>
    expect(() => decodeSdJwt(token({}, wrong))).toThrow(TokenFormatError),
  )

  it('is read, or refused with a sentence, whatever it holds', async () => {
    const members = fc.dictionary(fc.constantFrom('_sd', '...', '_sd_alg', 'a'), fc.jsonValue())
    await forAll(members, fc.array(fc.jsonValue(), { maxLength: 4 }), (claims, list) => {
      const disclosures = list.map(each => part(each))
      const known = [...new Set(disclosures)].map(each => digest(each))
      try {
        decodeSdJwt(token({ ...claims, _sd: known }, ...disclosures))
      } catch (error) {
        expect(error).toBeInstanceOf(TokenFormatError)
      }
    })
  })
})

/** The presentations of RFC 9901, with its salts and digests; the reference implementation signed them with the key of the RFC. */
describe.each(rfc9901.examples)('the presentation of $example', ({ presentation, claims, bound }) => {
  const keys = { kind: 'jwks', jwks: { keys: [rfc9901.issuer] } } as const
  const now = 1_880_000_000_000
  const forReader = { audience: 'https://verifier.example.org', nonce: '1234567890' }

  it('has the claims that the RFC prints', () => expect(decodeSdJwt(presentation).claims).toEqual(claims))

  it('is accepted, and for another reader only without a key binding', async () => {
    const verdict = (expected: object) =>
      verifySdJwt(decodeSdJwt(presentation), keys, { now, mayLackExp: true, ...expected })
    expect((await verdict(bound ? forReader : {})).checks.filter(({ ok, advice }) => !ok && !advice)).toEqual(
      [],
    )
    expect((await verdict({ ...forReader, nonce: 'other' })).ok).toBe(false)
  })

  it('is refused when one disclosure is changed', async () => {
    const [jwt = '', first = '', ...rest] = presentation.split('~')
    const changed = first.startsWith('W') ? first.replace(/.$/, last => (last === 'A' ? 'B' : 'A')) : first
    let failed: readonly string[]
    try {
      const { checks } = await verifySdJwt(decodeSdJwt([jwt, changed, ...rest].join('~')), keys, {
        now,
        mayLackExp: true,
      })
      failed = checks.filter(({ ok }) => !ok).map(({ name }) => name)
    } catch (error) {
      expect(error).toBeInstanceOf(TokenFormatError)
      failed = ['disclosures']
    }
    expect(failed).toContain('disclosures')
  })
})

it('an SD-JWT is judged by the dates and names that it discloses', async () => {
  const [exp, iss] = [disclosure('exp', 1000), disclosure('iss', 'https://evil.example')]
  const text = token({ _sd: [digest(exp), digest(iss)] }, exp, iss)
  const keys = { kind: 'jwks', jwks: { keys: [key.publicJwk] } } as const
  const expected = { now: 2_000_000, mayLackExp: true, issuer: 'https://issuer.example' }
  const { ok, checks } = await verifySdJwt(decodeSdJwt(text), keys, expected)
  expect(ok).toBe(false)
  expect(checks.filter(each => !each.ok).map(({ name }) => name)).toEqual(['iss', 'exp'])
})

it.each([
  [token({}), true],
  [makeJwt(key, {}, {}), false],
  ['~', false],
  ['a.b~', false],
])('%s is in the form of one: %j', (text, is) => expect(isSdJwt(text)).toBe(is))
