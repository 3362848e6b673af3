import { compactDecrypt, exportJWK, generateKeyPair } from 'jose'
import { describe, expect, it } from 'vitest'
import { text } from '../../../../src/protocol/http/message.js'
import { decodeJwt } from '../../../../src/protocol/tokens/decode.js'
import { verifyJwt } from '../../../../src/protocol/tokens/verify.js'
import { basic, client, ISSUER, json, signingKey } from '../support.js'
import { back, quiet, WEB, world } from './world.js'

const tokenOf = (call: ReturnType<typeof world>['calls'][number] | undefined) =>
  String(Object.fromEntries(call?.form ?? []).logout_token)

describe('a logout token (Back-Channel Logout §2.4)', () => {
  it('names the client, the user and the session, and is signed like an ID token', async () => {
    const { server, calls, login, logout } = world()
    const { claims, hint } = await login('back')
    await logout({ id_token_hint: hint })
    expect(calls.map(({ url }) => url)).toEqual([`${WEB}/back/logout`])
    expect([...calls[0]!.form].map(([name]) => name)).toEqual(['logout_token'])
    const token = tokenOf(calls[0])
    const now = Math.floor(server.clock.now / 1000)
    const { header: head, claims: said } = decodeJwt(token)
    expect(head).toEqual({ typ: 'logout+jwt', alg: 'RS256', kid: signingKey.kid })
    expect(said).toEqual({
      iss: ISSUER,
      sub: 'alice',
      aud: 'back',
      iat: now,
      exp: now + 120,
      jti: expect.stringMatching(/^[\w-]{22}$/),
      sid: claims.sid,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
    const jwks = json(await server.get('/.well-known/jwks.json')) as { keys: [] }
    const verdict = await verifyJwt(token, { kind: 'jwks', jwks }, { issuer: ISSUER, now: server.clock.now })
    expect(verdict.ok).toBe(true)
  })

  it('is encrypted for a client whose ID tokens are', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true })
    const sealed = client('back', {
      ...back,
      id_token_encrypted_response_alg: 'ECDH-ES',
      id_token_encrypted_response_enc: 'A128GCM',
      jwks: { keys: [{ ...(await exportJWK(publicKey)), use: 'enc', kid: 'e' }] },
    })
    const { agent, calls, login, logout } = world([], [sealed])
    await login('back').catch(() => undefined)
    await agent.get('/end-session')
    const page = text((await logout({})).body)
    const csrf = /name="csrf" value="([^"]*)"/.exec(page)?.[1]
    await agent.post('/end-session', { csrf, logout: 'yes' })
    const { plaintext, protectedHeader } = await compactDecrypt(tokenOf(calls[0]), privateKey)
    expect(protectedHeader).toMatchObject({ alg: 'ECDH-ES', enc: 'A128GCM', cty: 'JWT' })
    expect(decodeJwt(new TextDecoder().decode(plaintext)).claims.aud).toBe('back')
  })
})

describe('the back channel', () => {
  it('informs every client of the session alone, and reports each', async () => {
    const second = client('second', { ...back, client_id: 'second', redirect_uris: [`${WEB}/second`] })
    const { calls, login, logout, named } = world(
      [],
      [
        back,
        { ...second, client_secret: 'second-secret', backchannel_logout_uri: `${WEB}/second/logout` },
        client('stranger', { ...back, client_id: 'stranger' }),
        quiet,
      ],
    )
    await login('back')
    await login('quiet')
    const { hint } = await login('second')
    const page = text((await logout({ id_token_hint: hint })).body)
    expect(calls.map(({ url }) => url).sort()).toEqual([`${WEB}/back/logout`, `${WEB}/second/logout`])
    expect(named('logout_token.sent', 'logout_token.accepted')).toHaveLength(4)
    expect(named('logout_token.accepted')[0]).toMatchObject({ username: 'alice', attempt: 1, status: 200 })
    expect(page).toContain('<strong>back</strong> confirmed that it ended its session')
    expect(page).toContain('<strong>quiet</strong> is not informed')
    expect(page).not.toContain('stranger')
  })

  it('repeats a message up to three times, with pauses and a new token each', async () => {
    const failing = [new Error('connection refused'), { status: 503 }, { status: 429 }, { status: 500 }]
    const { calls, pauses, login, logout, named, tick } = world(failing)
    const { hint } = await login('back')
    expect(text((await logout({ id_token_hint: hint })).body)).toContain('this server tries again')
    const waits: number[] = []
    for (let i = 0; i < 5; i++) {
      waits.push(...pauses.map(({ milliseconds }) => milliseconds))
      await tick()
    }
    // The first pause is the wait of the person.
    expect(waits).toEqual([2000, 1000, 5000, 25_000])
    expect(calls).toHaveLength(4)
    expect(new Set(calls.map(call => decodeJwt(tokenOf(call)).claims.jti)).size).toBe(4)
    expect(named('logout_token.failed')).toMatchObject([
      { attempt: 1, description: 'connection refused', retry_in: 1 },
      { attempt: 2, status: 503, retry_in: 5 },
      { attempt: 3, status: 429, retry_in: 25 },
      { attempt: 4, status: 500 },
    ])
    expect(named('logout_token.failed').at(-1)).not.toHaveProperty('retry_in')
  })

  it('ends repeating with the first confirmation', async () => {
    const { calls, login, logout, tick, named } = world([{ status: 502 }])
    await logout({ id_token_hint: (await login('back')).hint })
    await tick()
    await tick()
    expect(calls).toHaveLength(2)
    expect(named('logout_token.accepted')).toMatchObject([{ attempt: 2 }])
  })

  it.each([
    [400, '{"error":"invalid_request","error_description":"gone"}', ': invalid_request, gone'],
    [302, '', ''],
    [201, 'not json', ''],
  ])('takes %i for a refusal that no repetition changes', async (status, body, said) => {
    const { calls, login, logout, named, tick } = world([{ status, body }])
    const page = text((await logout({ id_token_hint: (await login('back')).hint })).body)
    await tick()
    expect(calls).toHaveLength(1)
    expect(named('logout_token.failed')).toMatchObject([
      { status, description: `it answered ${status} in place of 200${said}` },
    ])
    expect(page).toContain('did not confirm; its session may go on')
  })

  it('accepts 204, and lets nobody wait longer than two seconds for the page', async () => {
    const quick = world([{ status: 204 }])
    await quick.logout({ id_token_hint: (await quick.login('back')).hint })
    expect(quick.named('logout_token.accepted')).toMatchObject([{ status: 204 }])

    const slow = world(['never'])
    const { hint } = await slow.login('back')
    const leaving = slow.logout({ id_token_hint: hint })
    await slow.tick()
    await slow.tick()
    expect(text((await leaving).body)).toContain('was informed, and has not answered yet')
  })

  it('informs the clients of a person in whose browser another one logs in', async () => {
    const { agent, calls, login } = world()
    const { claims } = await login('back')
    const request = { response_type: 'code', client_id: 'back', redirect_uri: `${WEB}/back`, scope: 'openid' }
    const target = `/authorization?${new URLSearchParams({ ...request, prompt: 'login' })}`
    const csrf = /name="csrf" value="([^"]*)"/.exec(text((await agent.get(target)).body))?.[1]
    await agent.post(target, { username: 'bob', password: 'builder', csrf })
    expect(decodeJwt(tokenOf(calls[0])).claims).toMatchObject({ sub: 'alice', sid: claims.sid })
  })
})

const refresh = async (id: string, scope: string) => {
  const { server, login, logout } = world()
  const { tokens, hint } = await login(id, {}, scope)
  await logout({ id_token_hint: hint })
  const form = { grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) }
  return json(await server.token(form, [basic(id, `${id}-secret`)])).error ?? 'good'
}

it.each([
  ['back', 'openid', 'invalid_grant'],
  ['back', 'openid offline_access', 'good'],
  ['quiet', 'openid', 'good'],
])(
  'refresh tokens after a logout (Back-Channel Logout §2.7) of %s with %s are %s',
  async (id, scope, result) => {
    expect(await refresh(id, scope)).toBe(result)
  },
)
