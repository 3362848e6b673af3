import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TokenMessage } from '../../../src/judge/tamper/messages.js'
import {
  altered,
  asClient,
  changeAnswer,
  changeQuery,
  isLure,
  withoutCredentials,
} from '../../../src/judge/tamper/messages.js'
import { type FormPairs, readPairs } from '../../../src/protocol/http/form.js'
import { basicHeader } from '../../../src/protocol/oauth/client-auth.js'
import { forAll } from '../../support/for-all.js'

it.each([
  ['https://attacker.example/cb', true],
  ['https://127.0.0.1.attacker.example:7000/', true],
  ['https://user@attacker.example', true],
  ['https://notattacker.example', false],
  ['https://attacker.example.org', false],
  ['https://app.example/?to=attacker.example', false],
  ['attacker.example', false],
  ['https://[', false],
])('a lure: %s: %s', (url, lure) => expect(isLure(url)).toBe(lure))

it('the pairs of a form are none where they cannot be decoded', () => {
  expect(readPairs('a=1&b=%20')).toEqual([
    ['a', '1'],
    ['b', ' '],
  ])
  expect(readPairs('a=%zz')).toEqual([])
})

describe('an altered value', () => {
  it.each([
    ['', 'A'],
    ['x', 'A'],
    ['A', 'B'],
    ['abc', 'aAc'],
    ['aAc', 'aBc'],
    ['abcd', 'abAd'],
  ])('of %j is %j', (value, other) => expect(altered(value)).toBe(other))

  it('is never the same, and as long', () =>
    forAll(fc.string({ minLength: 1 }), value => {
      expect(altered(value)).not.toBe(value)
      expect(altered(value).length).toBe(value.length)
    }))
})

describe('a changed address', () => {
  const add = (list: FormPairs): FormPairs => [...list, ['x', '&']]
  it.each([
    ['https://a.test/p?a=1', 'https://a.test/p?a=1&x=%26'],
    ['https://a.test', 'https://a.test/?x=%26'],
    ['https://a.test/p?a=%zz', 'https://a.test/p?x=%26'],
  ])('has in its query what was added: %s', async (url, expected) => {
    expect(changeQuery(url, add)).toBe(expected)
    expect(await changeAnswer(url, async pairs => add(pairs))).toBe(expected)
  })

  it('has no ? without a query', () => {
    expect(changeQuery('https://a.test/p?a=1', () => [])).toBe('https://a.test/p')
  })

  it.each([
    ['https://a.test/p?a=1#b=2', 'https://a.test/p?a=1#b=2&x=%26'],
    ['https://a.test/#', 'https://a.test/#x=%26'],
    ['https://a.test/#b=2#c', 'https://a.test/#b=2%23c&x=%26'],
  ])('has behind the # what was added, where the answer stands there: %s', async (url, expected) => {
    expect(await changeAnswer(url, async pairs => add(pairs))).toBe(expected)
  })
})

describe('the credentials of a token request', () => {
  const message: TokenMessage = {
    method: 'POST',
    url: 'https://lab.test/token',
    headers: [
      ['Authorization', 'Basic x'],
      ['accept', 'y'],
    ],
    pairs: [
      ['client_id', 'a'],
      ['client_secret', 'b'],
      ['client_assertion', 'c'],
      ['client_assertion_type', 'd'],
      ['code', 'e'],
    ],
  }
  const { method, url } = message
  const bare = { method, url, headers: [['accept', 'y']], pairs: [['code', 'e']] }
  const client = { clientId: 'other', clientSecret: 'secret' }

  it('go, all of them', () => expect(withoutCredentials(message)).toEqual(bare))

  it.each<[auth: Parameters<typeof asClient>[1]['auth'], headers: unknown[], pairs: unknown[]]>([
    ['client_secret_basic', [basicHeader('other', 'secret')], []],
    [
      'client_secret_post',
      [],
      [
        ['client_id', 'other'],
        ['client_secret', 'secret'],
      ],
    ],
    ['none', [], [['client_id', 'other']]],
  ])('become those of another client, by %s', (auth, headers, added) => {
    expect(asClient(message, { ...client, auth })).toEqual({
      ...bare,
      headers: [...bare.headers, ...headers],
      pairs: [...bare.pairs, ...added],
    })
  })
})
