import { describe, expect, it } from 'vitest'
import { UsageError } from '../../src/errors.js'
import { logoutOptions } from '../../src/runs/logout-options.js'

const client = { client_id: 'web', redirect_uris: [] } as unknown as Parameters<typeof logoutOptions>[1]
const of = (options: Partial<Parameters<typeof logoutOptions>[0]>) =>
  logoutOptions({ browser: false, ...options }, client)

describe('the options of a logout', () => {
  it.each([
    ['de', 'de'],
    ['de-CH de en', 'de-CH de en'],
    [' de-CH, de  en ', 'de-CH de en'],
    ['zh-Hant-TW', 'zh-Hant-TW'],
  ])('take languages: %j', (given, sent) => {
    expect(of({ uiLocales: given }).logoutLocales).toBe(sent)
  })

  it.each(['', ' , ', 'de_CH', 'deutsch sprachig!', 'x'.repeat(5000), '\x1b[31m'])(
    'refuse what is no language: %j',
    uiLocales => {
      expect(() => of({ uiLocales })).toThrow(UsageError)
      expect(() => of({ uiLocales })).toThrow(/--ui-locales/)
    },
  )

  it('take a person, and refuse nobody', () => {
    expect(of({ logoutHint: 'alice@example.com' }).logoutHint).toBe('alice@example.com')
    expect(() => of({ logoutHint: ' ' })).toThrow(/--logout-hint names nobody/)
  })

  it('send neither unless asked', () => {
    expect(of({})).toEqual({ logoutMethod: 'GET', sendsHint: true })
  })
})
