import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseForm } from '../../../src/protocol/http/form.js'
import { splitUrl } from '../../../src/protocol/http/message.js'
import {
  matchRedirectUri,
  parseLoopback,
  redirectUriProblem,
  type VerifiedRedirectUri,
  withFragment,
  withQuery,
} from '../../../src/protocol/oauth/redirect-uri.js'
import { forAll } from '../../support/for-all.js'

const registered = [
  'http://127.0.0.1/callback',
  'http://[::1]/callback',
  'https://client.example/cb?tenant=a',
  'com.example.app:/oauth',
  'http://127.0.0.1',
]

describe('matchRedirectUri', () => {
  it.each([
    // RFC 8252 §7.3: any port of a loopback literal
    'http://127.0.0.1/callback',
    'http://127.0.0.1:7000/callback',
    'http://127.0.0.1:65535/callback',
    'http://[::1]:49152/callback',
    // git-credential-oauth registers and sends no path
    'http://127.0.0.1:7000',
    'https://client.example/cb?tenant=a',
    'com.example.app:/oauth',
  ])('accepts %s', uri => expect(matchRedirectUri(uri, registered)).toBe(uri))

  it.each([
    // another host that looks like loopback
    'http://127.0.0.1.evil/callback',
    'http://127.0.0.1.evil.example:7000/callback',
    'http://127.0.0.1@evil/callback',
    'http://127.0.0.1:7000@evil/callback',
    'http://127.0.0.1:x@evil/callback',
    'http://user@127.0.0.1:7000/callback',
    'http://@127.0.0.1:7000/callback',
    'http://[::1]evil/callback',
    'http://[::1].evil/callback',
    'http://[::1]@evil/callback',
    'http://[::1%25eth0]/callback',
    'http://[0:0:0:0:0:0:0:1]:7000/callback',
    'http://[::ffff:127.0.0.1]:7000/callback',
    'http://127.1:7000/callback',
    'http://2130706433:7000/callback',
    'http://0x7f.0.0.1:7000/callback',
    'http://127.0.0.2:7000/callback',
    'http://0.0.0.0:7000/callback',
    'http://localhost:7000/callback',
    'http://127.0.0.1%2eevil/callback',
    // another scheme or case
    'https://127.0.0.1:7000/callback',
    'HTTP://127.0.0.1:7000/callback',
    'http://127.0.0.1:7000/Callback',
    'https://CLIENT.example/cb?tenant=a',
    'COM.example.app:/oauth',
    // ports that are none
    'http://127.0.0.1:/callback',
    'http://127.0.0.1:99999/callback',
    'http://127.0.0.1:070000/callback',
    'http://127.0.0.1:+80/callback',
    'http://127.0.0.1:80:80/callback',
    'http://127.0.0.1:8o/callback',
    // the path, byte for byte
    'http://127.0.0.1:7000/callback/',
    'http://127.0.0.1:7000//callback',
    'http://127.0.0.1:7000/./callback',
    'http://127.0.0.1:7000/x/../callback',
    'http://127.0.0.1:7000/%63allback',
    'http://127.0.0.1:7000/callback%2f',
    'http://127.0.0.1:7000/callback;a',
    'http://127.0.0.1:7000/callback?',
    'http://127.0.0.1:7000/callback?next=https://evil',
    'http://127.0.0.1:7000/',
    'https://client.example/cb',
    'https://client.example/cb?tenant=b',
    'https://client.example/cb?tenant=a&x=1',
    'https://client.example:443/cb?tenant=a',
    'https://client.example.evil/cb?tenant=a',
    'https://client.example@evil/cb?tenant=a',
    // fragments
    'http://127.0.0.1:7000/callback#',
    'http://127.0.0.1:7000/callback#x',
    'https://client.example/cb?tenant=a#@evil',
    // characters that parsers disagree about
    'http://127.0.0.1:7000\\@evil/callback',
    'http:\\\\127.0.0.1:7000\\callback',
    'http://127.0.0.1:7000/callback\\..\\evil',
    'http://127.0.0.1:7000/callback\n',
    'http://127.0.0.1:7000/callback\r\nset-cookie:a=b',
    'http://127.0.0.1:7000/call\tback',
    ' http://127.0.0.1:7000/callback',
    'http://127.0.0.1:7000/callback ',
    'http://127.0.0.1:7000/callback\0',
    'http://127.0.0.1:7000/callback"onclick="x',
    'http://127。0。0。1:7000/callback',
    // not absolute
    '',
    '/callback',
    '//127.0.0.1/callback',
    '127.0.0.1/callback',
    'http:127.0.0.1/callback',
    'http:/127.0.0.1/callback',
    'http:///127.0.0.1/callback',
    'http://',
    '*',
    'undefined',
  ])('refuses %j', uri => expect(matchRedirectUri(uri, registered)).toHaveProperty('problem'))

  it('takes the only registered address for a missing one (RFC 6749 §3.1.2.3)', () => {
    expect(matchRedirectUri(undefined, ['https://client.example/cb'])).toBe('https://client.example/cb')
    expect(matchRedirectUri(undefined, [])).toHaveProperty('problem')
    expect(matchRedirectUri(undefined, registered)).toHaveProperty('problem')
    expect(matchRedirectUri(undefined, ['javascript:alert(1)'])).toHaveProperty('problem')
  })

  it('takes localhost with any port only by the rule for native applications (RFC 9700 §4.1.3)', () => {
    const [named, native] = [['http://localhost/cb'], { anyLocalhostPort: true }]
    expect(matchRedirectUri('http://localhost:7000/cb', named)).toHaveProperty('problem')
    expect(matchRedirectUri('http://localhost/cb', named)).toBe('http://localhost/cb')
    expect(matchRedirectUri('http://localhost:7000/cb', named, native)).toBe('http://localhost:7000/cb')
    expect(matchRedirectUri('http://localhost/cb', ['http://localhost:7000/cb'], native)).toBe(
      'http://localhost/cb',
    )
    for (const other of [
      'http://127.0.0.1:7000/cb',
      'https://localhost:7000/cb',
      'http://localhost.:7000/cb',
      'http://localhost.evil:7000/cb',
      'http://localhost@evil:7000/cb',
      'http://LOCALHOST:7000/cb',
      'http://localhost:7000/cb/',
      'http://localhost:70000/cb',
    ]) {
      expect(matchRedirectUri(other, named, native), other).toHaveProperty('problem')
    }
    expect(matchRedirectUri('http://localhost:7000/cb', ['http://127.0.0.1/cb'], native)).toHaveProperty(
      'problem',
    )
  })

  it('does not redirect to plain http at another host, even if it is registered (RFC 9700 §2.6)', () => {
    const plain = 'http://client.example/cb'
    expect(matchRedirectUri(plain, [plain])).toMatchObject({ rule: 'RFC 9700 §2.6' })
    expect(matchRedirectUri(undefined, [plain])).toMatchObject({ rule: 'RFC 9700 §2.6' })
  })

  it('accepts a registered loopback address with any port, and no other change', () =>
    forAll(fc.integer({ min: 0, max: 65535 }), fc.string({ minLength: 1 }), (port, more) => {
      const uri = `http://127.0.0.1:${port}/callback`
      expect(matchRedirectUri(uri, registered)).toBe(uri)
      expect(matchRedirectUri(uri + more, registered)).toHaveProperty('problem')
    }))

  it('never sends a user agent to a host that was not registered', () => {
    const parts = fc.constantFrom(
      ...['http:', 'https:', '/', '//', '\\', '@', ':', '#', '?', '.', '%40', '%2F', '[', ']', '::1', '..'],
      ...['127.0.0.1', 'client.example', 'evil', '7000', '/callback', '/cb?tenant=a', ' ', '\t', '\n', 'ⅰ'],
    )
    const hosts = new Set(['127.0.0.1', '[::1]', 'client.example'])
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 10 }), pieces => {
        const found = matchRedirectUri(pieces.join(''), registered)
        if (typeof found === 'string') expect(hosts.has(new URL(found).hostname)).toBe(true)
        else expect(found.problem).not.toBe('')
      }),
      { numRuns: 2000 },
    )
  })
})

describe('redirectUriProblem', () => {
  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'javascript://client.example/%0aalert(1)',
    'data:text/html,x',
    'DATA:text/html;base64,eA==',
    'vbscript:x',
    'blob:https://client.example/1',
    'file:///etc/passwd',
    'about:blank',
    'view-source:https://client.example/',
    'https://user:secret@client.example/cb',
    'https://client.example:443@evil/cb',
    'com.example.app://user@host/cb',
    'https://client.example/cb#x',
    'https:///cb',
    'https://?x',
    'cb',
    'https://client.example/<script>',
    'https://client.example/ü',
    'http://client.example/cb',
    'HTTP://client.example/cb',
    'http://127.0.0.2/cb',
    'http://0.0.0.0/cb',
    'http://192.168.1.5:3000/cb',
    'http://host.docker.internal/cb',
    'http://localhost.example/cb',
    'http://127.0.0.1.nip.io/cb',
    'http://[::2]/cb',
  ])('refuses %s, whoever registered it', uri => {
    expect(redirectUriProblem(uri)?.rule).toMatch(/^RFC \d+ §/)
  })

  it.each([
    'https://client.example/cb',
    'https://client.example/cb?mail=a@b',
    'https://client.example/@home',
    'http://[::1]:1/cb',
    'http://127.0.0.1:3000/cb',
    'http://localhost:3000/cb',
    'com.example.app:/oauth',
    'edu.kit.data.oidc-agent:/redirect',
    'urn:ietf:wg:oauth:2.0:oob',
  ])('lets %s be registered', uri => expect(redirectUriProblem(uri)).toBeUndefined())
})

it.each([
  ['http://127.0.0.1:7000/cb?x=1', { base: 'http://127.0.0.1', port: 7000, rest: '/cb?x=1' }],
  ['http://[::1]/', { base: 'http://[::1]', port: undefined, rest: '/' }],
  ['http://127.0.0.1', { base: 'http://127.0.0.1', port: undefined, rest: '' }],
  ['http://localhost:7000/cb', undefined],
  ['http://127.0.0.1:70000/cb', undefined],
])('parseLoopback takes %s apart', (uri, parts) => expect(parseLoopback(uri)).toEqual(parts))

describe('withQuery, withFragment', () => {
  const verified = (uri: string) => uri as VerifiedRedirectUri

  it.each([
    ['https://c.example/cb', 'https://c.example/cb?code=x'],
    ['https://c.example/cb?', 'https://c.example/cb?code=x'],
    ['https://c.example/cb?a=%2F+b', 'https://c.example/cb?a=%2F+b&code=x'],
    ['https://c.example/cb?a=b&', 'https://c.example/cb?a=b&code=x'],
    ['http://127.0.0.1:7000', 'http://127.0.0.1:7000?code=x'],
    ['com.example.app:/oauth', 'com.example.app:/oauth?code=x'],
  ])('keeps the query of %s (RFC 6749 §4.1.2)', (uri, answer) => {
    expect(
      withQuery(verified(uri), [
        ['code', 'x'],
        ['scope', undefined],
      ]),
    ).toBe(answer)
    expect(withQuery(verified(uri), [])).toBe(uri)
  })

  it('returns every state as it was sent', () =>
    forAll(fc.string({ unit: 'grapheme' }), sent => {
      const state = sent.toWellFormed()
      const query = withQuery(verified('https://c.example/cb?tenant=a'), [['state', state]])
      expect(parseForm(splitUrl(query).query)).toEqual([
        ['tenant', 'a'],
        ['state', state],
      ])
      expect(query).toMatch(/^[\x21-\x7e]+$/)
      const fragment = withFragment(verified('https://c.example/cb'), [['state', state]])
      expect(parseForm(fragment.slice(fragment.indexOf('#') + 1))).toEqual([['state', state]])
    }))

  it('keeps the + of a base64 state from becoming a space', () => {
    expect(withQuery(verified('http://127.0.0.1:7000'), [['state', 's+/=1']])).toBe(
      'http://127.0.0.1:7000?state=s%2B%2F%3D1',
    )
  })
})
