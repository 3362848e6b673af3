import { describe, expect, it } from 'vitest'
import { type Header, header, text } from '../../../../src/protocol/http/message.js'
import { verifierMatches } from '../../../../src/protocol/oauth/pkce.js'
import { decodeJwt } from '../../../../src/protocol/tokens/decode.js'
import { tokenHash, verifyJwt } from '../../../../src/protocol/tokens/verify.js'
import {
  basic,
  CALLBACK,
  CHALLENGE,
  claimsOf,
  codeRequest,
  expectError,
  FORM,
  ISSUER,
  json,
  lab,
  landed,
  type Parameters,
  SECRET,
  signingKey,
  VERIFIER,
} from '../support.js'

const challenge = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }

describe('a token response', () => {
  it('has the members, type and headers of the specification', async () => {
    const { redeem, newCode } = lab()
    const response = await redeem(await newCode())
    expect(response.status).toBe(200)
    expect(header(response, 'content-type')).toBe('application/json;charset=UTF-8')
    expect(header(response, 'cache-control')).toBe('no-store')
    expect(header(response, 'pragma')).toBe('no-cache')
    expect(header(response, 'access-control-allow-origin')).toBe('*')
    expect(json(response)).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'records:read',
      refresh_token: expect.stringMatching(/^[\w-]{72}$/),
    })
  })

  it('carries a JWT with the claims of the specification, in seconds', async () => {
    const { accessToken, clock } = lab()
    const token = await accessToken({ scope: 'records:read records:write' })
    const iat = Math.floor(clock.now / 1000)
    expect(decodeJwt(token).header).toEqual({ typ: 'JWT', alg: 'RS256', kid: signingKey.kid })
    expect(claimsOf(token)).toEqual({
      sub: 'alice',
      nbf: iat - 30,
      iat,
      exp: iat + 3600,
      iss: ISSUER,
      aud: 'demo',
      jti: expect.stringMatching(/^[\w-]{22}$/),
      client_id: 'demo',
      scope: 'records:read records:write',
      acr: 'urn:oauth-lab:acr:pwd',
      auth_time: iat,
    })
    const jwks = { keys: [signingKey.publicJwk] }
    const expected = { issuer: ISSUER, audience: 'demo', now: clock.now }
    expect((await verifyJwt(token, { kind: 'jwks', jwks }, expected)).ok).toBe(true)
  })

  it('has typ at+jwt for a client of the RFC 9068 profile', async () => {
    const { redeem, newCode } = lab()
    const code = await newCode({ client_id: 'rfc9068' })
    const { access_token: token } = json(await redeem(code, { client_id: 'rfc9068' }, []))
    expect(decodeJwt(String(token)).header.typ).toBe('at+jwt')
  })

  it('names the resource server, and userinfo after a login, for a client with default_resource', async () => {
    const api = 'https://api.test'
    const { redeem, newCode } = lab({ protectedResources: () => [api] })
    const audOf = async (client: string, scope: string) => {
      const code = await newCode({ client_id: client, scope })
      const answer = json(await redeem(code, { client_id: client }, client === 'demo' ? undefined : []))
      return claimsOf(answer.access_token).aud
    }
    expect(await audOf('for-resource', 'records:read')).toBe(api)
    expect(await audOf('for-resource', 'openid')).toEqual([api, `${ISSUER}/userinfo`])
    expect(await audOf('rfc9068', 'openid')).toBe('rfc9068')
    expect(await audOf('demo', 'openid')).toBe('demo')
  })

  it('has an id_token for the scope openid', async () => {
    const { redeem, newCode, clock } = lab()
    const code = await newCode({ scope: 'openid', nonce: 'n-0S6_WzA2Mj' })
    const loggedIn = Math.floor(clock.now / 1000)
    clock.now += 5000
    const answer = json(await redeem(code))
    expect(claimsOf(answer.id_token)).toEqual({
      iss: ISSUER,
      sub: 'alice',
      aud: 'demo',
      exp: loggedIn + 3605,
      iat: loggedIn + 5,
      auth_time: loggedIn,
      acr: 'urn:oauth-lab:acr:pwd',
      amr: ['pwd'],
      nonce: 'n-0S6_WzA2Mj',
      sid: expect.any(String),
      at_hash: tokenHash(String(answer.access_token), 'RS256'),
    })
  })
})

describe('client authentication', () => {
  const inBody = (id: string, name: string, secret: string) => ({ client_id: id, [name]: secret })
  const good: readonly [name: string, id: string, headers: Header[], form: Parameters][] = [
    ['Basic', 'demo', [basic('demo', SECRET)], {}],
    ['Basic, encoded', 'demo', [basic('demo', SECRET.replaceAll('-', '%2D'))], {}],
    ['Basic, encoded, of an odd secret', 'dash-id', [basic('dash%2Did', 'a-b%2Bc%252D%3Ad%2F+e')], {}],
    ['Basic, raw, of an odd secret', 'dash-id', [basic('dash-id', 'a-b+c%2D:d/ e')], {}],
    ['Basic with client_id in the body', 'demo', [basic('demo', SECRET)], { client_id: 'demo' }],
    ['client_secret in the body', 'demo', [], inBody('demo', 'client_secret', SECRET)],
    ['client_password in the body', 'demo', [], inBody('demo', 'client_password', SECRET)],
    ['a public client', 'demo-public', [], { client_id: 'demo-public' }],
    ['registered for Basic', 'basic-only', [basic('basic-only', 'x')], {}],
    ['registered for the body', 'post-only', [], inBody('post-only', 'client_secret', 'x')],
  ]
  it.each(good)('%s is accepted', async (_name, id, headers, form) => {
    const { newCode, redeem } = lab()
    expect((await redeem(await newCode({ client_id: id }), form, headers)).status).toBe(200)
  })

  it.each([
    ['a-b+c%2D:d/ e', 1],
    ['a-b%2Bc%252D%3Ad%2F+e', 0],
  ])('Basic with the secret %s is remarked on %d times (RFC 6749 §2.3.1)', async (secret, times) => {
    const { newCode, redeem, events } = lab()
    await redeem(await newCode({ client_id: 'dash-id' }), {}, [basic('dash-id', secret)])
    const remarks = events.filter(({ type }) => type === 'client_secret.unencoded')
    expect(remarks).toHaveLength(times)
  })

  const lower: Header = ['AUTHORIZATION', `bAsIc ${Buffer.from(`demo:${SECRET}`).toString('base64')}`]
  it('reads header names and scheme in any case', async () => {
    const { newCode, redeem } = lab()
    expect((await redeem(await newCode(), {}, [lower])).status).toBe(200)
  })

  const BAD = 'invalid_request'
  const bad: readonly [name: string, headers: Header[], form: Parameters, status: number, error?: string][] =
    [
      ['nothing', [], {}, 400],
      ['client_id alone of a confidential client', [], { client_id: 'demo' }, 400],
      ['an empty secret', [], { client_id: 'demo', client_secret: '' }, 400],
      ['a wrong secret in the body', [], inBody('demo', 'client_secret', 'x'), 400],
      ['a secret without client_id', [], { client_secret: SECRET }, 400],
      ['an unknown client', [], { client_id: 'nobody' }, 400],
      ['a prototype name', [], inBody('__proto__', 'client_secret', 'x'), 400],
      ['a wrong secret in the header', [basic('demo', 'x')], {}, 401],
      ['an unknown client in the header', [basic('nobody', 'x')], {}, 401],
      ['a public client with Basic', [basic('demo-public', '')], {}, 401],
      ['a public client with a secret', [], inBody('demo-public', 'client_secret', 'x'), 400],
      ['a disabled client', [basic('demo-disabled', 'disabled-secret')], {}, 401],
      ['another scheme', [['authorization', 'Bearer abc']], {}, 401],
      ['broken Basic', [['authorization', 'Basic !!!']], {}, 401],
      ['Basic without colon', [['authorization', 'Basic ZGVtbw==']], {}, 401],
      ['two headers', [basic('demo', SECRET), basic('demo', SECRET)], {}, 401],
      ['registered for Basic only', [], inBody('basic-only', 'client_secret', 'x'), 400],
      ['registered for the body only', [basic('post-only', 'x')], {}, 401],
      ['registered for a signature', [], { client_id: 'signer' }, 400],
      ['header and body', [basic('demo', SECRET)], inBody('demo', 'client_secret', SECRET), 400, BAD],
      ['header and another client_id', [basic('demo', SECRET)], { client_id: 'other' }, 400, BAD],
      [
        'both names in the body',
        [],
        { ...inBody('demo', 'client_secret', SECRET), client_password: 'x' },
        400,
        BAD,
      ],
    ]
  it.each(bad)(
    '%s is refused, and the code stays valid',
    async (_name, headers, form, status, error = 'invalid_client') => {
      const { newCode, redeem, events } = lab()
      const code = await newCode()
      const response = await redeem(code, form, headers)
      expectError(response, status, error)
      const challenged = header(response, 'www-authenticate')
      expect(challenged).toBe(status === 401 ? 'Basic realm="oauth-lab", charset="UTF-8"' : undefined)
      expect(events.at(-1)).toMatchObject({ type: 'token.refused', error, status })
      expect((await redeem(code)).status).toBe(200)
    },
  )

  it.each(['client_id', 'client_secret', 'client_password', 'client_assertion'])(
    '%s in the query is refused',
    async name => {
      const { send, newCode } = lab()
      const body = `grant_type=authorization_code&code=${await newCode()}&redirect_uri=${CALLBACK}`
      const response = await send('POST', `/token?${name}=x`, [FORM, basic('demo', SECRET)], body)
      expectError(response, 400, 'invalid_request')
    },
  )

  it('hides secrets from events', async () => {
    const { newCode, redeem, events } = lab()
    await redeem(await newCode(), { client_id: 'demo', client_secret: 'typed-wrong' }, [])
    await redeem(await newCode(), {}, [basic('demo', 'typed-wrong')])
    await redeem(await newCode())
    expect(JSON.stringify(events)).not.toMatch(/typed-wrong|demo-secret|wonderland|eyJ[\w-]{20}/)
  })
})

describe('a token request', () => {
  const bad: readonly [name: string, body: string, error?: string][] = [
    ['nothing', ''],
    ['no grant_type', 'code=x'],
    ['an empty grant_type', 'grant_type=&code=x'],
    ['an unknown grant_type', 'grant_type=banana', 'unsupported_grant_type'],
    ['a prototype name', 'grant_type=__proto__', 'unsupported_grant_type'],
    ['no code', 'grant_type=authorization_code'],
    ['an empty code', 'grant_type=authorization_code&code='],
    ['an unknown code', 'grant_type=authorization_code&code=banana', 'invalid_grant'],
    ['a code of null bytes', 'grant_type=authorization_code&code=%00%00', 'invalid_grant'],
    ['a repeated code', 'grant_type=authorization_code&code=x&code=x'],
    ['a repeated foreign parameter', 'grant_type=authorization_code&code=x&username=a&username=b'],
    ['a repeated client_id', 'grant_type=authorization_code&code=x&client_id=demo&client_id=demo'],
    ['bad percent-encoding', 'grant_type=%zz'],
    ['no UTF-8', 'grant_type=%ff'],
    ['too many parameters', `grant_type=x${'&a=b'.repeat(500)}`],
  ]
  it.each(bad)('%s is refused', async (_name, body, error = 'invalid_request') => {
    expectError(await lab().token(body), 400, error)
  })

  it('must be a form', async () => {
    const { send } = lab()
    const auth = basic('demo', SECRET)
    const typed = (type: string): Header[] => [['content-type', type], auth]
    expectError(await send('POST', '/token', [auth], 'grant_type=x'), 400, 'invalid_request')
    expectError(await send('POST', '/token', typed('application/json'), '{}'), 400, 'invalid_request')
    expectError(await send('POST', '/token', typed('text/plain'), 'grant_type=x'), 400, 'invalid_request')
    expectError(await send('POST', '/token', [FORM, auth], Uint8Array.of(0xff)), 400, 'invalid_request')
  })

  it('may have a charset, and unknown parameters, even repeated', async () => {
    const { send, newCode } = lab()
    const type: Header = ['content-type', 'Application/X-WWW-Form-Urlencoded; charset=UTF-8']
    const body = `grant_type=authorization_code&code=${await newCode()}&redirect_uri=${CALLBACK}&x=1&x=2&response_type=token`
    expect((await send('POST', '/token', [type, basic('demo', SECRET)], body)).status).toBe(200)
  })

  it.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])('%s is answered 405 in JSON', async method => {
    const response = await lab().send(method, '/token')
    expectError(response, 405, 'invalid_request')
    expect(header(response, 'allow')).toBe('POST')
  })

  it('of a client without this grant is unauthorized_client', async () => {
    const { token } = lab()
    const form = { grant_type: 'authorization_code', code: 'x' }
    expectError(await token(form, [basic('service', 'service-secret')]), 400, 'unauthorized_client')
  })
})

describe('an authorization code', () => {
  it('succeeds once in 20 parallel attempts, and the token of that attempt is revoked', async () => {
    const { newCode, redeem, get } = lab()
    const code = await newCode({ scope: 'openid' })
    const responses = await Promise.all(Array.from({ length: 20 }, () => redeem(code)))
    const successes = responses.filter(response => response.status === 200)
    expect(successes).toHaveLength(1)
    for (const response of responses) {
      if (response.status !== 200) expectError(response, 400, 'invalid_grant')
    }
    const bearer: Header = ['authorization', `Bearer ${json(successes[0]!).access_token}`]
    expect((await get('/userinfo', [bearer])).status).toBe(401)
  })

  it('of another client is refused, and stays valid for its own client', async () => {
    const { newCode, redeem } = lab()
    const code = await newCode()
    expectError(await redeem(code, {}, [basic('other', 'other-secret')]), 400, 'invalid_grant')
    expectError(await redeem(code, { client_id: 'demo-public' }, []), 400, 'invalid_grant')
    expect((await redeem(code)).status).toBe(200)
    expectError(await redeem(code, {}, [basic('other', 'other-secret')]), 400, 'invalid_grant')
  })

  it('without redirect_uri in the authorization request needs no redirect_uri, and accepts no other', async () => {
    const { login, redeem } = lab()
    const request = codeRequest({ client_id: 'single', redirect_uri: undefined })
    const auth = [basic('single', 'single-secret')]
    const [first, second] = [landed(await login(request)).code, landed(await login(request)).code]
    expect((await redeem(first ?? '', { redirect_uri: undefined }, auth)).status).toBe(200)
    expectError(await redeem(second ?? '', {}, auth), 400, 'invalid_grant')
    const same = { redirect_uri: 'https://client.example/only' }
    expect((await redeem(second ?? '', same, auth)).status).toBe(200)
  })
})

describe('PKCE', () => {
  it('uses the example of RFC 7636 Appendix B', () => {
    expect(verifierMatches(VERIFIER, CHALLENGE, 'S256')).toBe(true)
  })

  const none: Parameters = {}
  const plain = { code_challenge: VERIFIER, code_challenge_method: 'plain' }
  it.each([
    ['S256', 'demo-spa', challenge, VERIFIER],
    ['plain, registered', 'plain', plain, VERIFIER],
    ['plain, unsaid', 'plain', { code_challenge: VERIFIER }, VERIFIER],
    ['none, not required', 'demo-public', none, undefined],
  ])('%s is accepted', async (_name, id, asked, verifier) => {
    const { newCode, redeem } = lab()
    const code = await newCode({ client_id: id, ...asked })
    expect((await redeem(code, { client_id: id, code_verifier: verifier }, [])).status).toBe(200)
  })
})

describe('events of a flow', () => {
  it('are in the past tense, with type first, in order', async () => {
    const { newCode, redeem, events, types } = lab()
    await redeem(await newCode())
    expect(types()).toEqual([
      ...['authorization.requested', 'login.shown', 'login.succeeded', 'code.issued', 'code.redeemed'],
      ...['token.issued'],
    ])
    expect(events.every(event => Object.keys(event)[0] === 'type')).toBe(true)
    expect(events.at(-1)).toMatchObject({ sub: 'alice', client_id: 'demo', id_token: false })
    expect(events.at(-1)?.access_token).toMatch(/^eyJ0….{3}$/)
  })

  it('bound text from outside', async () => {
    const { authorize, events } = lab()
    await authorize(codeRequest({ client_id: 'x'.repeat(5000) }))
    expect(String(events[0]?.evidence).length).toBeLessThanOrEqual(200)
    const response = await authorize(codeRequest({ scope: 'y'.repeat(5000) }))
    expect(text(response.body).length + (header(response, 'location')?.length ?? 0)).toBeLessThan(1000)
  })
})
