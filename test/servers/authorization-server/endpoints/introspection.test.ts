import { describe, expect, it } from 'vitest'
import { type Header, header, text } from '../../../../src/protocol/http/message.js'
import { signJwt } from '../../../../src/protocol/tokens/keys.js'
import { verifyJwt } from '../../../../src/protocol/tokens/verify.js'
import {
  basic,
  claimsOf,
  client,
  expectError,
  ISSUER,
  json,
  lab,
  type Parameters,
  SECRET,
  settings,
  signingKey,
} from '../support.js'

const OTHER = [basic('other', 'other-secret')]

async function world() {
  const made = lab()
  const tokens = json(await made.redeem(await made.newCode({ scope: 'openid records:read' })))
  const introspect = (token: unknown, more: Parameters = {}, headers: readonly Header[] = OTHER) =>
    made.post('/introspection', { token: String(token), ...more }, headers)
  return { ...made, tokens, introspect }
}

describe('/introspection (RFC 7662)', () => {
  it('returns the content of an access token to any client that authenticates', async () => {
    const { tokens, introspect, events } = await world()
    const response = await introspect(tokens.access_token)
    expect(response.status).toBe(200)
    expect(header(response, 'cache-control')).toBe('no-store')
    expect(header(response, 'access-control-allow-origin')).toBeUndefined()
    const { iat, exp, nbf, jti } = claimsOf(tokens.access_token)
    expect(json(response)).toEqual({
      active: true,
      scope: 'openid records:read',
      client_id: 'demo',
      username: 'alice',
      sub: 'alice',
      iss: ISSUER,
      aud: 'demo',
      token_type: 'Bearer',
      iat,
      exp,
      nbf,
      jti,
      acr: 'urn:oauth-lab:acr:pwd',
      auth_time: iat,
    })
    expect(events.at(-1)).toEqual({
      type: 'token.introspected',
      client_id: 'other',
      active: true,
      kind: 'access_token',
      issued_to: 'demo',
      username: 'alice',
      jti,
    })
  })

  it('returns the authorization of a refresh token', async () => {
    const { tokens, introspect, clock, events } = await world()
    const iat = Math.floor(clock.now / 1000)
    expect(json(await introspect(tokens.refresh_token, { token_type_hint: 'access_token' }))).toEqual({
      active: true,
      scope: 'openid records:read',
      client_id: 'demo',
      username: 'alice',
      sub: 'alice',
      iss: ISSUER,
      iat,
      exp: iat + settings.lifetimes.refreshToken / 1000,
    })
    expect(JSON.stringify(events)).not.toContain(tokens.refresh_token)
  })

  it('names no user for a token of the client itself', async () => {
    const { token, introspect } = await world()
    const auth = [basic('service', 'service-secret')]
    const { access_token: own } = json(await token({ grant_type: 'client_credentials' }, auth))
    const answer = json(await introspect(own))
    expect([answer.active, answer.sub, answer.username]).toEqual([true, 'service', undefined])
  })

  it('returns only active: false for every invalid token', async () => {
    const { tokens, introspect, clock, token, post } = await world()
    const now = Math.floor(clock.now / 1000)
    const user = { sub: 'alice', client_id: 'demo', scope: 'openid' }
    const claims = { ...user, iss: ISSUER, jti: 'x', iat: now, exp: now + 9 }
    const bad = [
      ...['x', '\0', 'a.b.c', '__proto__', 'A'.repeat(72), tokens.id_token],
      `${String(tokens.access_token).slice(0, -6)}AAAAAA`,
      await signJwt({ ...claims, exp: now }, signingKey),
      await signJwt({ ...claims, iss: 'https://x.example' }, signingKey),
      await signJwt({ ...claims, sub: 'nobody' }, signingKey),
      await signJwt({ ...claims, client_id: 'demo-disabled' }, signingKey),
      await signJwt({ ...claims, client_id: 'gone' }, signingKey),
      ...(await Promise.all(
        ['jti', 'client_id', 'scope', 'sub'].map(name => signJwt({ ...claims, [name]: 7 }, signingKey)),
      )),
    ]
    for (const each of bad) expect(json(await introspect(each))).toEqual({ active: false })
    expect(json(await introspect(await signJwt(claims, signingKey))).active).toBe(true)

    await token({ grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) })
    expect(json(await introspect(tokens.refresh_token))).toEqual({ active: false })
    await post('/revocation', { token: String(tokens.access_token) }, [basic('demo', SECRET)])
    expect(json(await introspect(tokens.access_token))).toEqual({ active: false })
  })

  it('answers 401 to a client that does not authenticate', async () => {
    const { tokens, introspect, events } = await world()
    const asked = (more: Parameters, headers: readonly Header[]) =>
      introspect(tokens.access_token, more, headers)
    for (const response of [
      await asked({}, []),
      await asked({ client_id: 'demo-public' }, []),
      await asked({ client_id: 'demo' }, []),
      await asked({ client_id: 'demo', client_secret: 'wrong' }, []),
      await asked({}, [basic('demo', 'wrong')]),
      await asked({}, [['authorization', `Bearer ${tokens.access_token}`]]),
    ]) {
      expectError(response, 401, 'invalid_client')
      expect(header(response, 'www-authenticate')).toMatch(/^Basic /)
      expect(events.at(-1)).toMatchObject({ type: 'introspection.refused', status: 401 })
    }
    expect((await asked({ client_id: 'demo', client_secret: SECRET }, [])).status).toBe(200)
  })

  it('returns active: false while the client is disabled, for both kinds of token', async () => {
    const clients = [...settings.clients]
    const { newCode, redeem, post } = lab({ clients })
    const tokens = json(await redeem(await newCode()))
    const active = async () => {
      const answers = [tokens.access_token, tokens.refresh_token].map(token =>
        post('/introspection', { token: String(token) }, OTHER),
      )
      return (await Promise.all(answers)).map(answer => json(answer).active)
    }
    expect(await active()).toEqual([true, true])
    clients.push({ ...settings.clients[0]!, enabled: false })
    expect(await active()).toEqual([false, false])
  })

  it('refuses a malformed request', async () => {
    const { introspect, post } = await world()
    expectError(await introspect(''), 400, 'invalid_request')
    expectError(await post('/introspection', 'token=a&token=b', OTHER), 400, 'invalid_request')
  })
})

const JWT = 'application/token-introspection+jwt'

it.each([true, false])(
  'a signed response (RFC 9701) holds the same members, signed for the caller: active %s',
  async active => {
    const { tokens, introspect, clock } = await world()
    const token = active ? tokens.access_token : 'unknown'
    const response = await introspect(token, {}, [...OTHER, ['accept', `application/json;q=0.5, ${JWT}`]])
    expect([response.status, header(response, 'content-type')]).toEqual([200, JWT])
    expect(header(response, 'cache-control')).toBe('no-store')
    const { token: jwt, ok } = await verifyJwt(
      text(response.body),
      { kind: 'jwks', jwks: { keys: [signingKey.publicJwk] } },
      { issuer: ISSUER, audience: 'other', now: clock.now },
    )
    // Without exp, which verifyJwt asks for: it is the response that expires by its use, and not the token.
    expect(ok).toBe(false)
    expect(jwt.header).toMatchObject({ typ: 'token-introspection+jwt', alg: 'RS256' })
    expect(jwt.claims).toEqual({
      iss: ISSUER,
      aud: 'other',
      iat: Math.floor(clock.now / 1000),
      token_introspection: json(await introspect(token)),
    })
  },
)

it('a client that may only introspect cannot do anything else', async () => {
  const introspector = client('rs', { client_secret: 'rs-secret', grant_types: [] })
  const { post, token } = lab({ introspectors: [introspector] })
  const RS = [basic('rs', 'rs-secret')]
  expect(json(await post('/introspection', { token: 'x' }, RS))).toEqual({ active: false })
  expectError(await token({ grant_type: 'client_credentials' }, RS), 401, 'invalid_client')
  expectError(await post('/revocation', { token: 'x' }, RS), 401, 'invalid_client')
})
