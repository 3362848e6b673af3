import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { challenge, challengeFor, parseChallenges } from '../../../src/protocol/oauth/bearer.js'
import { forAll } from '../../support/for-all.js'

const read = (...values: string[]) =>
  parseChallenges(values).map(({ scheme, parameters }) => [scheme, { ...parameters }])

describe('parseChallenges', () => {
  it.each<[string, string[], unknown]>([
    // RFC 9110 §11.6.1
    [
      'two schemes in one header',
      ['Basic realm="simple", Newauth realm="apps", type=1, title="Login to \\"apps\\""'],
      [
        ['Basic', { realm: 'simple' }],
        ['Newauth', { realm: 'apps', type: '1', title: 'Login to "apps"' }],
      ],
    ],
    // RFC 6750 §3
    [
      'Bearer with an error',
      ['Bearer realm="example", error="invalid_token", error_description="The access token expired"'],
      [
        [
          'Bearer',
          { realm: 'example', error: 'invalid_token', error_description: 'The access token expired' },
        ],
      ],
    ],
    [
      'schemes alone',
      ['Bearer, MAC', 'DPoP algs="ES256"'],
      [
        ['Bearer', {}],
        ['MAC', {}],
        ['DPoP', { algs: 'ES256' }],
      ],
    ],
    [
      'a value without a name',
      ['Negotiate YII=, Bearer realm=x'],
      [
        ['Negotiate', {}],
        ['Bearer', { realm: 'x' }],
      ],
    ],
    ['names in any case, the first counts', ['bearer ERROR="a", error="b"'], [['bearer', { error: 'a' }]]],
    ['empty elements', [', ,Bearer ,, realm = "x" ,'], [['Bearer', { realm: 'x' }]]],
    ['what is broken, as far as it can be read', ['Bearer realm="x'], [['Bearer', {}]]],
    ['nothing', ['', '='], []],
    ['a name like __proto__', ['Bearer __proto__="x"'], [['Bearer', JSON.parse('{"__proto__":"x"}')]]],
  ])('reads %s', (_name, values, expected) =>
    expect(JSON.stringify(read(...values))).toBe(JSON.stringify(expected)),
  )

  it('ends for any text', () => forAll(fc.string({ maxLength: 500 }), text => read(text).length <= 100))

  it('reads the challenges that challenge() writes', async () => {
    const words = fc.string({ unit: fc.constantFrom(...'ab ,="\\x') })
    await forAll(words, words, (realm, error) => {
      const [found] = parseChallenges([
        challenge('Bearer', [
          ['realm', realm],
          ['error', error],
        ]),
      ])
      expect({ ...found?.parameters }).toEqual({
        realm: realm.replace(/["\\]/g, "'"),
        error: error.replace(/["\\]/g, "'"),
      })
    })
  })

  it('finds a scheme in any case', () => {
    expect(challengeFor('Bearer', parseChallenges(['MAC', 'BEARER realm="x"']))?.parameters.realm).toBe('x')
    expect(challengeFor('DPoP', [])).toBeUndefined()
  })
})
