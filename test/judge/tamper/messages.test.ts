import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TokenMessage } from '../../../src/judge/tamper/messages.js'
import {
  altered,
  asClient,
  changeAnswer,
  changeBody,
  changeQuery,
  isLure,
  readTokenMessage,
  without,
  withoutCredentials,
  withValue,
  writeTokenMessage,
} from '../../../src/judge/tamper/messages.js'
import { type FormPairs, readPairs } from '../../../src/protocol/http/form.js'
import { bytes, text } from '../../../src/protocol/http/message.js'
import { basicHeader } from '../../../src/protocol/oauth/client-auth.js'
import { forAll } from '../../support/for-all.js'

describe('a lure', () => {
  it.each([
    ['https://attacker.example/cb', true],
    ['https://127.0.0.1.attacker.example:7000/', true],
    ['https://user@attacker.example', true],
    ['https://notattacker.example', false],
    ['https://attacker.example.org', false],
    ['https://app.example/?to=attacker.example', false],
    ['attacker.example', false],
    ['https://[', false],
  ])('%s: %s', (url, lure) => expect(isLure(url)).toBe(lure))
})

const pairs: FormPairs = [
  ['a', '1'],
  ['b', '2'],
  ['a', '3'],
]

describe('the pairs of a form', () => {
  it('lose every pair of a name', () => {
    expect(without(pairs, 'a')).toEqual([['b', '2']])
    expect(without(pairs, 'c', 'b')).toEqual([
      ['a', '1'],
      ['a', '3'],
    ])
  })

  it('get another value in its place, or at the end', () => {
    expect(withValue(pairs, 'a', value => `${value}x`)).toEqual([
      ['a', '1x'],
      ['b', '2'],
      ['a', '3x'],
    ])
    expect(withValue(pairs, 'c', value => `${value}x`)).toEqual([...pairs, ['c', 'x']])
  })

  it('are none where they cannot be decoded', () => {
    expect(readPairs('a=1&b=%20')).toEqual([
      ['a', '1'],
      ['b', ' '],
    ])
    expect(readPairs('a=%zz')).toEqual([])
  })
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

const form = {
  method: 'POST',
  url: 'https://lab.test/token',
  headers: [['accept', 'x']] as const,
  body: bytes('a=1&b=%26'),
}

describe('a form request', () => {
  it('keeps all but its changed fields', () => {
    const { body, ...rest } = changeBody(form, list => [...list, ['c', 'ü']])
    const { body: _, ...before } = form
    expect(rest).toEqual(before)
    expect(text(body)).toBe('a=1&b=%26&c=%C3%BC')
  })

  it('is the same when it was taken apart and put together', () => {
    const message = readTokenMessage(form)
    expect(message).toEqual({
      method: 'POST',
      url: 'https://lab.test/token',
      headers: [['accept', 'x']],
      pairs: [
        ['a', '1'],
        ['b', '&'],
      ],
    })
    expect(writeTokenMessage(message)).toEqual(form)
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

  it('may come by both methods at once, and have an empty secret', () => {
    const methods = ['client_secret_basic', 'client_secret_post'] as const
    expect(asClient(message, { clientId: 'other', auth: 'none' }, methods)).toEqual({
      ...bare,
      headers: [...bare.headers, basicHeader('other', '')],
      pairs: [...bare.pairs, ['client_id', 'other'], ['client_secret', '']],
    })
  })
})
