import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Client } from '../../../src/protocol/oauth/client.js'
import { inLanguages, taggedMember } from '../../../src/protocol/oauth/client-metadata.js'
import { demo } from '../../flows/support/world.js'
import { forAll } from '../../support/for-all.js'

const client: Client = {
  ...demo,
  client_name: 'My Client',
  localized: {
    // RFC 7591 §2.2
    'client_name#en': 'My Client',
    'client_name#ja-Jpan-JP': '\u30AF\u30E9\u30A4\u30A2\u30F3\u30C8\u540D',
    'client_name#de': 'Mein Programm',
    'client_name#zh-Hant': '\u7a0b\u5f0f',
    'tos_uri#DE': 'https://client.example/agb',
  },
}

describe('members with a language tag', () => {
  it.each([
    ['client_name#ja-Jpan-JP', { member: 'client_name', tag: 'ja-Jpan-JP' }],
    ['logo_uri#fr', { member: 'logo_uri', tag: 'fr' }],
    ['client_name', undefined],
    ['client_name#', undefined],
    ['client_name#de#at', undefined],
    ['client_name#de_AT', undefined],
    ['redirect_uris#de', undefined],
    ['__proto__#de', undefined],
  ])('%s', (name, parts) => expect(taggedMember(name)).toEqual(parts))

  it.each([
    ['de', 'Mein Programm'],
    ['DE-at', 'Mein Programm'],
    ['fr de', 'Mein Programm'],
    ['ja-jpan-jp', '\u30AF\u30E9\u30A4\u30A2\u30F3\u30C8\u540D'],
    // A wider wish is no narrower text (RFC 4647 §3.4).
    ['ja', 'My Client'],
    ['zh-Hant-TW', '\u7a0b\u5f0f'],
    ['zh-Hant-x-private', '\u7a0b\u5f0f'],
    ['fr', 'My Client'],
    ['', 'My Client'],
    ['de;q=1 <b>', 'My Client'],
    [undefined, 'My Client'],
  ])('%s', (locales, name) => expect(inLanguages(client, locales).client_name).toBe(name))

  it('are chosen one by one', () => {
    const shown = inLanguages(client, 'de')
    expect([shown.client_name, shown.tos_uri]).toEqual(['Mein Programm', 'https://client.example/agb'])
    expect(shown.client_id).toBe(client.client_id)
  })

  it('leave a client without them as it is, whatever is asked', () =>
    forAll(fc.string(), locales => {
      expect(inLanguages(demo, locales)).toBe(demo)
      expect(typeof inLanguages(client, locales).client_name).toBe('string')
    }))
})
