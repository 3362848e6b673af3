import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  compareRedirectUri,
  describeDifference,
  matchRedirectUri,
  type RedirectUriRules,
} from '../../../src/protocol/oauth/redirect-uri.js'

const literals: RedirectUriRules = { anyLocalhostPort: false }
const native: RedirectUriRules = { anyLocalhostPort: true }

describe('compareRedirectUri', () => {
  it.each(
    Object.entries({
      // Addresses that tools send: oauth2c, kubelogin, dex, a web application.
      'http://localhost:9876/callback': [
        ['http://127.0.0.1/callback'],
        literals,
        ['the host: localhost, registered is 127.0.0.1'],
      ],
      'http://localhost:8000': [['http://localhost/cb'], native, ['the path: none, registered is /cb']],
      'http://localhost:8000/cb': [['http://localhost/cb'], literals, ['the port: 8000, registered is none']],
      'http://127.0.0.1:5555/callback/': [
        ['http://127.0.0.1/callback'],
        literals,
        ['the slash at the end of the path: /callback/, registered is /callback'],
      ],
      'https://client.example/Callback': [
        ['https://client.example/callback'],
        literals,
        ['capitals and small letters: /Callback, registered is /callback'],
      ],
      'https://client.example/cb?tenant=b': [
        ['https://client.example/cb?tenant=a'],
        literals,
        ['the query: ?tenant=b, registered is ?tenant=a'],
      ],
      'https://127.0.0.1/callback': [
        ['http://127.0.0.1/callback'],
        literals,
        ['the scheme: https, registered is http'],
      ],
      'https://[::1]:8/cb': [
        ['https://[::1]/other'],
        literals,
        ['the port: 8, registered is none', 'the path: /cb, registered is /other'],
      ],
      'com.example.app:/cb': [['com.example.app:/oauth'], literals, ['the path: /cb, registered is /oauth']],
    } as const),
  )('%s', (sent, [registered, rules, said]) => {
    expect(compareRedirectUri(sent, registered, rules)?.differences.map(describeDifference)).toEqual(said)
  })

  it('picks the closest of several', () => {
    const registered = ['https://client.example/cb', 'http://127.0.0.1/cb', 'com.example.app:/cb']
    const closest = (sent: string) => compareRedirectUri(sent, registered, literals)?.closest
    expect(closest('https://client.example/cb/')).toBe('https://client.example/cb')
    expect(closest('http://127.0.0.1:7000/callback')).toBe('http://127.0.0.1/cb')
    expect(closest('com.example.app:/callback')).toBe('com.example.app:/cb')
    expect(compareRedirectUri('https://client.example/cb', [], literals)).toBeUndefined()
  })

  it('names a difference exactly when the address does not match', () => {
    const parts = fc.constantFrom(
      ...[
        'http',
        'https',
        ':',
        '//',
        '127.0.0.1',
        'localhost',
        'c.example',
        ':7000',
        '/cb',
        '/CB',
        '/',
        '?a=b',
      ],
    )
    const address = fc.array(parts, { minLength: 2, maxLength: 7 }).map(pieces => pieces.join(''))
    fc.assert(
      fc.property(address, address, fc.constantFrom(literals, native), (sent, registered, rules) => {
        const matched = matchRedirectUri(sent, [registered], rules)
        const { differences = [] } = compareRedirectUri(sent, [registered], rules) ?? {}
        if (typeof matched === 'string') expect(differences).toEqual([])
        else if (matched.rule === 'RFC 9700 §4.1.3') expect(differences).not.toEqual([])
      }),
      { numRuns: 2000 },
    )
  })
})
