import { describe, expect, it } from 'vitest'
import { GROUPS, scoreOf } from '../../../../src/judge/doctor/finding.js'
import { findingNames } from '../../../../src/judge/doctor/names.js'
import { MAX_REQUESTS } from '../../../../src/judge/doctor/server-under-test.js'
import { documentMoves } from '../../../../src/judge/tamper/moves/documents.js'
import { TransportError } from '../../../../src/protocol/errors.js'
import type { Send } from '../../../../src/protocol/http/exchange.js'
import {
  bytes,
  header,
  jsonResponse,
  redirectResponse,
  textResponse,
} from '../../../../src/protocol/http/message.js'
import { ISSUER, REDIRECT_URI, type Tamper } from '../../../flows/support/world.js'
import { ANNOUNCED, announcing, at, broken, lab, withMember, without } from '../../../judge/doctor/lab.js'
import {
  type Answer,
  exchanged,
  names,
  portsTo,
  problems,
  report,
  stranger,
} from '../../../judge/doctor/support.js'
import { part } from '../../../protocol/tokens/jwt-maker.js'

describe('this project’s own authorization server', () => {
  it('has no fault, and hardly a rule is not tried', async () => {
    const found = await lab()
    expect(found.filter(({ result }) => result === 'fault')).toEqual([])
    expect(names(found, 'not_applicable')).toEqual([
      ...[
        'tls-version',
        'tls-1-0-refused',
        'tls-1-1-refused',
        'tls-cbc-refused',
        'tls-key-transport-refused',
        'response-jwt-query',
        'unknown-resource',
        'unknown-details-type',
        'unauthorized-resource',
        'unauthorized-details',
        // The client of this test is not registered for it.
        'ciba-waits',
        'ciba-other-client',
        'ciba-no-hint',
        'ciba-two-hints',
        'ciba-no-openid',
        'ciba-no-credentials',
        'par-required',
        // A login may have an unsigned one, and only a strict server remembers them.
        'unsigned-request-object',
        'replayed-request-object',
        'no-proof-for-bound-client',
        // It asks for no nonces.
        'no-nonce-proof',
        'foreign-nonce-proof',
        // It fetches nothing here.
        ...documentMoves.map(({ name }) => name),
        'other-audience',
      ],
    ])
    // It is for lessons about two of these as well, and makes keys of other algorithms when a client needs them.
    expect(names(found, 'remark')).toEqual(ANNOUNCED)
    expect(names(found, 'not_tried')).toEqual([])
    expect(names(found, 'pass').length).toBeGreaterThan(110)
    expect(scoreOf(found).percent).toBe(100)
    expect(new Set(found.map(({ group }) => group))).toEqual(new Set(GROUPS.filter(each => each !== 'mcp')))
    const named = findingNames()
    expect(found.map(({ name }) => name).filter(name => !named.has(name))).toEqual([])
    expect(new Set(found.map(({ name }) => name)).size).toBe(found.length)
    expect(found.filter(({ rule }) => !/ §[\d.]+$/.test(rule))).toEqual([])
  })
})

/** Changes the keys that are published. */
const publishing = (change: (keys: readonly object[]) => readonly object[]): Tamper =>
  at(
    '/.well-known/jwks.json',
    withMember(({ keys }) => ({ keys: change(keys as object[]) })),
  )

type Case = [name: string, tamper: Tamper, faults: string[]]

describe('one thing wrong is one fault', () => {
  it.each<Case>([
    [
      'a session that answers other clients',
      at('/authorization', (_request, answer) => {
        const location = header(answer, 'location')
        if (!location?.includes('consent_required')) return undefined
        return redirectResponse(
          `${REDIRECT_URI}?code=oauth-lab-made-this-one-up&state=oauth-lab&iss=${ISSUER}`,
        )
      }),
      ['session-asks'],
    ],
    [
      'another issuer',
      announcing({ issuer: `${ISSUER}/` }),
      ['issuer-exact', 'metadata-agree', 'honest-flow'],
    ],
    [
      'no RS256',
      announcing({ id_token_signing_alg_values_supported: ['ES256'] }),
      // Its id_tokens are signed by RS256 all the same.
      ['rs256-offered', 'honest-flow', 'id-token-announced'],
    ],
    [
      'an address that is none',
      announcing({ introspection_endpoint: '/introspection' }),
      ['metadata-valid', 'https'],
    ],
    [
      'a private key published',
      publishing(keys => keys.map(key => ({ ...key, d: 'AQAB' }))),
      ['jwks-public', 'honest-flow'],
    ],
    ['two keys of one name', publishing(keys => [...keys, ...keys]), ['jwks-kid', 'honest-flow']],
    [
      'posted answers that may be cached',
      at('/authorization', (request, answer) =>
        /response_mode=form_post(&|$)/.test(request.url)
          ? without('cache-control')(request, answer)
          : undefined,
      ),
      ['form-post-no-store'],
    ],
    [
      'form_post announced, and redirects',
      at('/authorization', ({ url }) =>
        /response_mode=form_post(&|$)/.test(url) ? redirectResponse(`${REDIRECT_URI}?error=x`) : undefined,
      ),
      ['form-post-no-store', 'form-post-escapes'],
    ],
    [
      'JWT modes announced, and answered without a JWT',
      at('/authorization', ({ url }) =>
        /response_mode=(\w+\.)?jwt/.test(url)
          ? redirectResponse(
              `${REDIRECT_URI}?error=login_required&state=${new URL(url).searchParams.get('state')}`,
            )
          : undefined,
      ),
      ['response-jwt-modes', 'response-jwt-signed'],
    ],
    [
      'query.jwt for tokens',
      at('/authorization', ({ url }) =>
        /response_type=(?!code&).*response_mode=query\.jwt/.test(url)
          ? redirectResponse(`${REDIRECT_URI}?response=${part({})}.${part({ error: 'login_required' })}.c2ln`)
          : undefined,
      ),
      ['response-jwt-query'],
    ],
    [
      'response JWTs without a signature',
      at('/authorization', (_request, answer) => {
        const location = header(answer, 'location')
        if (location === undefined || !location.includes('response=')) return undefined
        return redirectResponse(location.replace(/\.[^.&]*$/, '.c2lnbmF0dXJl'))
      }),
      ['response-jwt-signed'],
    ],
    [
      'a response type announced, and not supported',
      announcing({ response_types_supported: ['code', 'code magic'] }),
      ['response-types-answered'],
    ],
    [
      'pushed requests required, and others taken',
      announcing({ require_pushed_authorization_requests: true }),
      ['par-required'],
    ],
    [
      'assertions without a signature',
      announcing({ token_endpoint_auth_signing_alg_values_supported: ['none'] }),
      ['assertion-alg-none'],
    ],
    [
      'an old padding',
      announcing({ userinfo_encryption_alg_values_supported: ['RSA1_5'] }),
      ['encryption-padding'],
    ],
  ])('%s, without any wrong move', async (_name, tamper, faults) => {
    expect(broken(await lab(tamper, AbortSignal.abort()))).toEqual(faults)
  })

  it.each<Case>([
    [
      'no challenge for Basic',
      at('/token', without('www-authenticate')),
      ['basic-challenge', 'unauthorized-challenge'],
    ],
    [
      'no challenge for Bearer',
      at('/userinfo', without('www-authenticate')),
      ['bearer-challenge', 'invalid-token-challenge', 'unauthorized-challenge'],
    ],
    [
      'a wrong code',
      at('/token', (request, answer) =>
        request.method === 'POST'
          ? withMember(all => (all.error === 'invalid_grant' ? { ...all, error: 'invalid_request' } : all))(
              request,
              answer,
            )
          : undefined,
      ),
      [
        'reuse-code',
        'guessed-code',
        'other-client-code',
        'wrong-redirect-uri',
        'wrong-verifier',
        'expired-code',
        'reuse-refresh-token',
        'guessed-refresh-token',
        'other-client-refresh-token',
        'expired-refresh-token',
        'guessed-device-code',
        'other-client-device-code',
        'reuse-device-code',
        'expired-assertion',
        'other-audience-assertion',
        'unknown-issuer-assertion',
        'other-client-assertion',
        'other-kind-assertion',
        'altered-assertion',
        'unsigned-assertion',
        'replayed-assertion',
        'refresh-with-other-key',
        'other-key-proof',
        'revocation-refresh-token',
      ],
    ],
  ])('%s, in answer to wrong moves', async (_name, tamper, faults) => {
    expect(broken(await lab(tamper))).toEqual(faults)
  })
})

const careless: Answer = (request, path) => {
  const origin = 'https://mock.test'
  if (path === '/.well-known/openid-configuration') {
    return jsonResponse(200, {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
    })
  }
  if (path === '/authorize') {
    const query = new URL(request.url).searchParams
    const to = new URL(query.get('redirect_uri') ?? '')
    to.searchParams.set('code', '1234')
    to.searchParams.set('state', query.get('state') ?? '')
    return redirectResponse(to.href)
  }
  return path === '/token'
    ? jsonResponse(200, { access_token: 'opaque', token_type: 'Bearer' })
    : textResponse(404, 'nothing here')
}

describe('a server that refuses nothing', () => {
  it('is reported, and nothing is ever sent to the address that a move lures it to', async () => {
    const asked: string[] = []
    const send: Send = request => {
      asked.push(request.url)
      return exchanged(request, careless)
    }
    const found = await report(portsTo(send), stranger('https://mock.test'))
    const faults = problems(found)
    expect(faults).toEqual(
      expect.arrayContaining([
        'login-asked',
        'code-unguessable',
        'unknown-client',
        'no-challenge',
        'unregistered-redirect-uri',
        'redirect-uri-look-alike',
        'redirect-uri-user-info',
        'redirect-uri-script',
        'reuse-code',
        'wrong-verifier',
        'wrong-redirect-uri',
        'token-no-store',
      ]),
    )
    expect(names(found, 'pass')).not.toContain('scope-escalation')
    expect(new Set(asked.map(url => new URL(url).host))).toEqual(new Set(['mock.test']))
    expect(asked.length).toBeLessThan(MAX_REQUESTS)
  })
})

describe('odd servers', () => {
  const odd: readonly [name: string, answer: Answer][] = [
    ['nothing but 404', () => textResponse(404, '')],
    ['nothing but 500', () => jsonResponse(500, { error: 'server_error' })],
    ['a redirect to itself for everything', request => redirectResponse(request.url)],
    [
      'HTML for everything',
      () => ({ status: 200, headers: [['content-type', 'text/html']], body: bytes('<p>Hello') }),
    ],
    ['an empty object for everything', () => jsonResponse(200, {})],
    ['a list for everything', () => jsonResponse(200, [1, 2])],
    [
      'cut JSON',
      () => ({
        status: 200,
        headers: [['content-type', 'application/json']],
        body: bytes('{"issuer":"https://mo'),
      }),
    ],
    [
      'members of wrong types',
      () =>
        jsonResponse(200, {
          issuer: 7,
          authorization_endpoint: {},
          token_endpoint: [],
          jwks_uri: 'x',
          response_types_supported: 'code',
          keys: [null, 3],
          scopes_supported: [1],
        }),
    ],
    [
      'addresses that are none',
      () =>
        jsonResponse(200, {
          issuer: 'https://mock.test',
          authorization_endpoint: 'https://[',
          token_endpoint: 'javascript:1',
          jwks_uri: 'file:///etc/passwd',
        }),
    ],
    [
      'metadata, then redirects that cannot be decoded',
      (request, path) =>
        path.startsWith('/.well')
          ? careless(request, path)
          : redirectResponse('http://127.0.0.1/callback?code=%ff%zz&state'),
    ],
    [
      'metadata, then keys of nonsense',
      (request, path) =>
        path.startsWith('/.well')
          ? jsonResponse(200, {
              issuer: 'https://mock.test',
              authorization_endpoint: 'https://mock.test/authorize',
              token_endpoint: 'https://mock.test/token',
              userinfo_endpoint: 'https://mock.test/userinfo',
              jwks_uri: 'https://mock.test/keys',
              scopes_supported: ['openid'],
            })
          : path === '/keys'
            ? jsonResponse(200, {
                keys: [
                  { kty: 'RSA', n: '', e: 4 },
                  { kty: 'RSA', kid: {} },
                ],
              })
            : careless(request, path),
    ],
    [
      'a login form that never lets in',
      (request, path) =>
        path.startsWith('/.well')
          ? careless(request, path)
          : {
              status: 200,
              headers: [['content-type', 'text/html']],
              body: bytes('<form method=post><input name=u><input name=p type=password></form>'),
            },
    ],
  ]

  it.each(odd)('%s: a report, and no end but the last line', async (_name, answer) => {
    const send: Send = request => exchanged(request, answer)
    const found = await report(portsTo(send, ['alice', 'wonderland']), stranger('https://mock.test'))
    expect(names(found, 'fault').length).toBeGreaterThan(0)
    expect(scoreOf(found).percent).toBeLessThan(100)
  })

  it('stops asking a server that went away', async () => {
    let count = 0
    const send: Send = async request => {
      count += 1
      if (new URL(request.url).pathname.startsWith('/.well')) return exchanged(request, careless)
      throw new TransportError('cannot reach mock.test', 'ECONNREFUSED')
    }
    const found = await report(portsTo(send), stranger('https://mock.test'))
    expect(count).toBeLessThan(15)
    expect(found.filter(({ detail }) => detail === 'the server no longer answers').length).toBeGreaterThan(5)
  })

  it('is not begun where nobody answers at all', async () => {
    const send: Send = async () => {
      throw new TransportError('cannot reach mock.test', 'ECONNREFUSED')
    }
    await expect(report(portsTo(send), stranger('https://mock.test'))).rejects.toThrow(TransportError)
  })

  it('tries no more moves once it has taken too long', async () => {
    const send: Send = request => exchanged(request, careless)
    const found = await report(portsTo(send), stranger('https://mock.test'), AbortSignal.abort())
    expect(found.filter(({ detail }) => detail === 'the examination took too long').length).toBeGreaterThan(
      30,
    )
  })

  it('never sends more than it may', async () => {
    let count = 0
    const send: Send = request => {
      count += 1
      return exchanged(request, (asked, path) =>
        path.startsWith('/.well') ? careless(asked, path) : redirectResponse(`https://mock.test/${count}`),
      )
    }
    await report(portsTo(send), stranger('https://mock.test'))
    expect(count).toBeLessThanOrEqual(MAX_REQUESTS)
  })
})
