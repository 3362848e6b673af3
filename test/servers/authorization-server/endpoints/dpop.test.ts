import { describe, expect, it } from 'vitest'
import {
  type Header,
  type HttpResponse,
  header,
  headerValues,
} from '../../../../src/protocol/http/message.js'
import { type DpopKey, generateDpopKey, makeDpopProof } from '../../../../src/protocol/tokens/dpop.js'
import type { AuthorizationServerSettings } from '../../../../src/servers/authorization-server/settings.js'
import {
  basic,
  claimsOf,
  client,
  countedRandom,
  expectError,
  ISSUER,
  json,
  lab,
  type Parameters,
  SECRET,
} from '../support.js'

const [key, otherKey] = [await generateDpopKey(), await generateDpopKey()]
const random = countedRandom()

function world(more: Partial<AuthorizationServerSettings> = {}) {
  const made = lab(more)
  const { clock, get, redeem, newCode, token } = made
  async function proof(
    path: string,
    by: DpopKey = key,
    said: { method?: string; accessToken?: string; nonce?: string; ago?: number } = {},
  ): Promise<Header> {
    const { method = 'POST', ago = 0, ...rest } = said
    const ports = { now: () => clock.now - ago, random }
    return ['dpop', await makeDpopProof(by, { method, url: `${ISSUER}${path}`, ...rest }, ports)]
  }
  const DEMO = basic('demo', SECRET)
  const redeemWith = async (proofs: readonly Header[], asked: Parameters = {}) =>
    redeem(await newCode({ scope: 'openid', ...asked }), {}, [DEMO, ...proofs])
  const userinfo = async (accessToken: unknown, scheme: string, proofs: readonly Header[] = []) =>
    get('/userinfo', [['authorization', `${scheme} ${accessToken}`], ...proofs])
  const refresh = (refreshToken: unknown, headers: readonly Header[], form: Parameters = {}) =>
    token({ grant_type: 'refresh_token', refresh_token: String(refreshToken), ...form }, headers)
  return { ...made, proof, redeemWith, userinfo, refresh, DEMO }
}

describe('a token request with a DPoP proof (RFC 9449 §5)', () => {
  it('gives an access token bound to the key', async () => {
    const { redeemWith, proof, events } = world()
    const answer = json(await redeemWith([await proof('/token')]))
    expect(answer.token_type).toBe('DPoP')
    expect(claimsOf(answer.access_token).cnf).toEqual({ jkt: key.jkt })
    expect(claimsOf(answer.id_token).cnf).toBeUndefined()
    expect(events.at(-2)).toMatchObject({ type: 'token.issued', token_type: 'DPoP' })
  })

  it('works for every grant, and is Bearer without a proof', async () => {
    const { token, proof, redeemWith } = world()
    const form = { grant_type: 'client_credentials' }
    const auth = basic('service', 'service-secret')
    expect(json(await token(form, [auth, await proof('/token')])).token_type).toBe('DPoP')
    const plain = json(await redeemWith([]))
    expect([plain.token_type, claimsOf(plain.access_token).cnf]).toEqual(['Bearer', undefined])
  })

  it.each<[string, (on: ReturnType<typeof world>) => Promise<Header>]>([
    ['of another endpoint', w => w.proof('/userinfo')],
    ['of another method', w => w.proof('/token', key, { method: 'GET' })],
    ['that is none', async () => ['dpop', 'x']],
    ['that is empty', async () => ['dpop', '']],
  ])('%s is refused, and the code stays valid', async (_name, make) => {
    const made = world()
    const { newCode, redeem, DEMO } = made
    const code = await newCode()
    expectError(await redeem(code, {}, [DEMO, await make(made)]), 400, 'invalid_dpop_proof')
    expect((await redeem(code)).status).toBe(200)
  })

  it('is refused with a used proof, and with two proofs', async () => {
    const { proof, redeemWith } = world()
    const one = await proof('/token')
    expect((await redeemWith([one])).status).toBe(200)
    expectError(await redeemWith([one]), 400, 'invalid_dpop_proof')
    expectError(await redeemWith([await proof('/token'), await proof('/token')]), 400, 'invalid_dpop_proof')
  })

  it('must prove the key of dpop_jkt in the authorization request', async () => {
    const { proof, newCode, redeem, DEMO } = world()
    const code = await newCode({ dpop_jkt: key.jkt })
    expectError(await redeem(code), 400, 'invalid_grant')
    expectError(await redeem(code, {}, [DEMO, await proof('/token', otherKey)]), 400, 'invalid_grant')
    const answer = json(await redeem(code, {}, [DEMO, await proof('/token')]))
    expect(claimsOf(answer.access_token).cnf).toEqual({ jkt: key.jkt })
  })
})

describe('a refresh token with DPoP', () => {
  it('of a public client is bound to the key', async () => {
    const { proof, newCode, redeem, refresh, post, DEMO } = world()
    const own = { client_id: 'demo-public' }
    const first = json(await redeem(await newCode(own), own, [await proof('/token')]))
    expectError(await refresh(first.refresh_token, [], own), 400, 'invalid_grant')
    const foreign = [await proof('/token', otherKey)]
    expectError(await refresh(first.refresh_token, foreign, own), 400, 'invalid_grant')
    const second = json(await refresh(first.refresh_token, [await proof('/token')], own))
    expect(second.token_type).toBe('DPoP')
    const introspected = json(await post('/introspection', { token: String(second.refresh_token) }, [DEMO]))
    expect(introspected).toMatchObject({ active: true, client_id: 'demo-public', cnf: { jkt: key.jkt } })
    expectError(await refresh(second.refresh_token, [], own), 400, 'invalid_grant')
  })

  it('of a public client is bound by the first later proof', async () => {
    const { proof, newCode, redeem, refresh } = world()
    const own = { client_id: 'demo-public' }
    const first = json(await redeem(await newCode(own), own, []))
    const second = json(await refresh(first.refresh_token, [await proof('/token')], own))
    expectError(await refresh(second.refresh_token, [], own), 400, 'invalid_grant')
  })

  it('of a confidential client is bound to the client only', async () => {
    const { proof, redeemWith, refresh, DEMO } = world()
    const first = json(await redeemWith([await proof('/token')]))
    const second = json(await refresh(first.refresh_token, [DEMO, await proof('/token', otherKey)]))
    expect(claimsOf(second.access_token).cnf).toEqual({ jkt: otherKey.jkt })
    expect(json(await refresh(second.refresh_token, [DEMO])).token_type).toBe('Bearer')
  })
})

describe('a DPoP access token', () => {
  const get = (accessToken: unknown, nonce?: string) => ({
    method: 'GET',
    accessToken: String(accessToken),
    ...(nonce === undefined ? {} : { nonce }),
  })

  it('is accepted at /userinfo with a proof of its key', async () => {
    const { proof, redeemWith, userinfo } = world()
    const { access_token: token } = json(await redeemWith([await proof('/token')]))
    const good = await userinfo(token, 'DPoP', [await proof('/userinfo', key, get(token))])
    expect([good.status, json(good).sub]).toEqual([200, 'alice'])
    expect((await userinfo(token, 'dpop', [await proof('/userinfo', key, get(token))])).status).toBe(200)
  })

  it('is refused otherwise', async () => {
    const { proof, redeemWith, userinfo } = world()
    const { access_token: token } = json(await redeemWith([await proof('/token')]))
    const { access_token: plain } = json(await redeemWith([]))
    const once = await proof('/userinfo', key, get(token))
    await userinfo(token, 'DPoP', [once])
    const prove = (path: string, by: DpopKey, accessToken: unknown) => proof(path, by, get(accessToken))
    const proofed = await prove('/userinfo', key, token)
    const cases: Readonly<Record<string, readonly HttpResponse[]>> = {
      'Bearer invalid_token': [await userinfo(token, 'Bearer'), await userinfo(token, 'Bearer', [proofed])],
      'DPoP invalid_dpop_proof': [
        await userinfo(token, 'DPoP'),
        await userinfo(token, 'DPoP', [once]),
        await userinfo(token, 'DPoP', [await prove('/token', key, token)]),
        await userinfo(token, 'DPoP', [await prove('/userinfo', key, plain)]),
      ],
      'DPoP invalid_token': [
        await userinfo(token, 'DPoP', [await prove('/userinfo', otherKey, token)]),
        await userinfo(plain, 'DPoP', [await prove('/userinfo', key, plain)]),
        await userinfo('x', 'DPoP'),
      ],
    }
    for (const [expected, responses] of Object.entries(cases)) {
      const [scheme, error] = expected.split(' ')
      for (const response of responses) {
        expect([response.status, json(response).error]).toEqual([401, error])
        const challenge = new RegExp(`^${scheme} realm="oauth-lab", error="${error}"`)
        expect(header(response, 'www-authenticate')).toMatch(challenge)
      }
    }
    expect((await userinfo(plain, 'Bearer')).status).toBe(200)
    expect((await userinfo('a b', 'DPoP')).status).toBe(400)
  })

  it('is offered by /userinfo beside Bearer', async () => {
    const { get: ask } = world()
    const offered = headerValues(await ask('/userinfo'), 'www-authenticate')
    expect(offered).toEqual([
      'Bearer realm="oauth-lab"',
      expect.stringMatching(/^DPoP realm="oauth-lab", algs="RS256 /),
    ])
  })

  it('has its key in the introspection response', async () => {
    const { proof, redeemWith, post, DEMO } = world()
    const { access_token: token } = json(await redeemWith([await proof('/token')]))
    const answer = json(await post('/introspection', { token: String(token) }, [DEMO]))
    expect(answer).toMatchObject({ active: true, token_type: 'DPoP', cnf: { jkt: key.jkt } })
  })

  it('is not freed from its key by an exchange', async () => {
    const type = 'urn:ietf:params:oauth:grant-type:token-exchange'
    const made = world({
      clients: [client('demo', { client_secret: SECRET, grant_types: ['authorization_code', type] })],
    })
    const { proof, redeemWith, token, DEMO } = made
    const { access_token: bound } = json(await redeemWith([await proof('/token')]))
    const form = {
      grant_type: type,
      subject_token: String(bound),
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    }
    expectError(await token(form), 400, 'invalid_request')
    expectError(await token(form, [DEMO, await proof('/token', otherKey)]), 400, 'invalid_request')
    const exchanged = json(await token(form, [DEMO, await proof('/token')]))
    expect(claimsOf(exchanged.access_token).cnf).toEqual({ jkt: key.jkt })
    const acting = {
      ...form,
      subject_token: await made.accessToken(),
      actor_token: String(bound),
      actor_token_type: form.subject_token_type,
    }
    expectError(await token(acting, [DEMO]), 400, 'invalid_request')
    const acted = json(await token(acting, [DEMO, await proof('/token')]))
    expect(claimsOf(acted.access_token).act).toEqual({ sub: 'alice' })
  })
})

describe('nonces (RFC 9449 §8)', () => {
  it('are required, handed out and accepted', async () => {
    const { proof, newCode, redeem, DEMO, userinfo } = world({ dpopNonceRequired: true })
    const code = await newCode({ scope: 'openid' })
    const refused = await redeem(code, {}, [DEMO, await proof('/token')])
    expectError(refused, 400, 'use_dpop_nonce')
    const nonce = header(refused, 'dpop-nonce') ?? ''
    expect(nonce).toMatch(/^[\w-]{22}$/)
    expect(header(refused, 'access-control-expose-headers')).toContain('DPoP-Nonce')
    const wrong = await proof('/token', key, { nonce: 'x' })
    expectError(await redeem(code, {}, [DEMO, wrong]), 400, 'use_dpop_nonce')
    const answer = json(await redeem(code, {}, [DEMO, await proof('/token', key, { nonce })]))
    expect(answer.token_type).toBe('DPoP')

    const accessToken = String(answer.access_token)
    const asked = await userinfo(accessToken, 'DPoP', [
      await proof('/userinfo', key, { method: 'GET', accessToken }),
    ])
    expect([asked.status, json(asked).error]).toEqual([401, 'use_dpop_nonce'])
    expect(header(asked, 'dpop-nonce')).toBe(nonce)
    const good = await userinfo(accessToken, 'DPoP', [
      await proof('/userinfo', key, { method: 'GET', accessToken, nonce }),
    ])
    expect(good.status).toBe(200)
  })

  it('are not needed without a proof, and not sent when switched off', async () => {
    expect((await world({ dpopNonceRequired: true }).redeemWith([])).status).toBe(200)
    const { redeemWith, proof } = world()
    expect(header(await redeemWith([await proof('/token')]), 'dpop-nonce')).toBeUndefined()
  })
})
