import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../src/protocol/errors.js'
import { logoutOptions } from '../../../src/session/options/redirect.js'

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

  it.each([
    ['http://127.0.0.1:8000/bye', {}],
    ['http://localhost/bye', {}],
    ['https://localhost:9443/bye', {}],
    ['https://me.example:9443/bye', { callbackCert: 'me.pem' }],
    ['https://app.example/bye', { paste: true as const }],
    ['com.example.app:/bye', { paste: true as const }],
  ])('take %s with your own browser', (postLogoutRedirectUri, more) => {
    expect(of({ browser: true, postLogoutRedirectUri, ...more })).toMatchObject({ postLogoutRedirectUri })
  })

  it.each([
    ['https://app.example/bye', {}, /--paste|only at an address of this computer/],
    ['com.example.app:/bye', { callbackCert: 'me.pem' }, /only at an address of this computer/],
    [undefined, {}, /only at an address of this computer/],
    [undefined, { paste: true as const }, /--paste needs an address/],
    ['https://app.example/bye', { paste: true as const, logoutMethod: 'post' as const }, /by POST/],
  ])('refuse %s with your own browser and %j', (address, more, problem) => {
    const named = address === undefined ? {} : { postLogoutRedirectUri: address }
    expect(() => of({ browser: true, ...named, ...more })).toThrow(problem)
  })

  it('choose no port where the address is pasted', () => {
    const registered = { ...client, post_logout_redirect_uris: ['http://127.0.0.1/bye'] }
    const { postLogoutRedirectUri } = logoutOptions({ browser: true, paste: true }, registered)
    expect(postLogoutRedirectUri).toBe('http://127.0.0.1/bye')
  })
})
