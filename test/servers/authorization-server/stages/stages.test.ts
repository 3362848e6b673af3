import { createHmac, createPublicKey, createVerify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { header, text } from '../../../../src/protocol/http/message.js'
import { fixedKeyring, loadSharedSecret, publicPem } from '../../../../src/protocol/tokens/keys.js'
import {
  STAGE_NAMES,
  STAGES,
  type StageName,
} from '../../../../src/servers/authorization-server/stages/stages.js'
import {
  basic,
  claimsOf,
  codeRequest,
  expectError,
  json,
  lab,
  landed,
  location,
  SECRET,
  signingKey,
} from '../support.js'

const SIGNING_SECRET = 'a secret of at least thirty-two bytes'
const at = (stage: StageName) =>
  stage === 'shared-secret' ? lab({ stage }, fixedKeyring(loadSharedSecret(SIGNING_SECRET))) : lab({ stage })
const parts = (token: string) => token.split('.') as [string, string, string]
const headOf = (token: string) => JSON.parse(Buffer.from(parts(token)[0], 'base64url').toString())
const hmac = (token: string, secret: string) =>
  createHmac('sha256', secret)
    .update(token.slice(0, token.lastIndexOf('.')))
    .digest('base64url')

const published = [
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/.well-known/jwks.json',
]

describe('the stage login-only', () => {
  it('hands out codes', async () => {
    const answer = await at('login-only').login(codeRequest({ state: 'x' }))
    expect(landed(answer)).toMatchObject({ code: expect.any(String), state: 'x' })
  })

  it.each(['GET', 'POST', 'DELETE'])('answers 500 text/plain to %s /token', async method => {
    const answer = await at('login-only').send(method, '/token', [basic('demo', SECRET)])
    expect([answer.status, header(answer, 'content-type')]).toEqual([500, 'text/plain; charset=utf-8'])
    expect(header(answer, 'cache-control')).toBe('no-store')
    expect(text(answer.body)).toMatch(/not implemented/)
  })

  it.each(['token', 'id_token', 'id_token token'])('issues no %s from /authorization', async type => {
    const asked = codeRequest({ client_id: 'demo-spa', response_type: type, scope: 'openid', nonce: 'n' })
    expect((await lab().authorize(asked)).status).toBe(200)
    const answer = await at('login-only').authorize(asked)
    expect(location(answer).hash).toMatch(/error=unauthorized_client/)
  })

  it.each(['/userinfo', '/revocation', '/introspection', '/par', '/device_authorization', '/device'])(
    '%s is 404',
    async path => {
      expect((await at('login-only').post(path, {})).status).toBe(404)
      expect((await at('login-only').get(path)).status).toBe(404)
    },
  )
})

describe('the stage shared-secret', () => {
  it('signs with HS256 and the one secret', async () => {
    const token = await at('shared-secret').accessToken()
    expect(headOf(token)).toEqual({ typ: 'JWT', alg: 'HS256' })
    expect(parts(token)[2]).toBe(hmac(token, SIGNING_SECRET))
  })

  it('accepts only its own tokens at /userinfo and /introspection', async () => {
    const server = at('shared-secret')
    const token = await server.accessToken({ scope: 'openid' })
    const ask = (value: string) => server.get('/userinfo', [['authorization', `Bearer ${value}`]])
    expect((await ask(token)).status).toBe(200)
    const forged = `${token.slice(0, token.lastIndexOf('.'))}.${hmac(token, 'another secret of more than 32 bytes')}`
    expect((await ask(forged)).status).toBe(401)
    const answer = await server.post('/introspection', { token }, [basic('demo', SECRET)])
    expect(json(answer).active).toBe(true)
  })

  it('signs the id_token with the secret of its client', async () => {
    const server = at('shared-secret')
    const { id_token: idToken } = json(await server.redeem(await server.newCode({ scope: 'openid' })))
    expect(headOf(String(idToken)).alg).toBe('HS256')
    expect(parts(String(idToken))[2]).toBe(hmac(String(idToken), SECRET))
    const hint = { id_token_hint: String(idToken), prompt: 'none' }
    expect(landed(await server.authorize(codeRequest({ scope: 'openid', ...hint }))).error).toBe(
      'login_required',
    )
  })

  it('gives openid to no client that could not verify an id_token', async () => {
    const server = at('shared-secret')
    const request = codeRequest({ client_id: 'demo-public', scope: 'openid records:read' })
    const { code } = landed(await server.login(request))
    const answer = await server.redeem(String(code), { client_id: 'demo-public' }, [])
    expect(json(answer)).toMatchObject({ scope: 'records:read' })
    expect(json(answer)).not.toHaveProperty('id_token')
  })
})

it('the stage key-pair signs with RS256; the PEM verifies', async () => {
  const token = await at('key-pair').accessToken()
  expect(headOf(token)).toMatchObject({ typ: 'JWT', alg: 'RS256' })
  const [head, payload, signature] = parts(token)
  const pem = publicPem(signingKey)
  expect(pem).toMatch(/^-----BEGIN PUBLIC KEY-----/)
  const verifier = createVerify('sha256').update(`${head}.${payload}`)
  expect(verifier.verify(createPublicKey(pem), signature, 'base64url')).toBe(true)
})

describe('every stage', () => {
  it.each(STAGE_NAMES)('%s publishes discovery and keys as its features say', async stage => {
    const server = at(stage)
    for (const path of published) {
      const answer = await server.get(path)
      expect(answer.status).toBe(STAGES[stage].published ? 200 : 404)
      if (!STAGES[stage].published) expect(header(answer, 'content-type')).toMatch(/^text\/plain/)
    }
  })

  it.each(['shared-secret', 'key-pair', 'published-keys'] as const)(
    '%s issues the same claims',
    async stage => {
      const token = await at(stage).accessToken()
      expect(claimsOf(token)).toMatchObject({ sub: 'alice', aud: 'demo' })
      const unknown = { grant_type: 'authorization_code', code: 'x' }
      expectError(await at(stage).token(unknown), 400, 'invalid_grant')
    },
  )

  it('explains each difference', () => {
    for (const { differences } of Object.values(STAGES)) {
      for (const each of differences) {
        expect(Object.values(each).every(said => said.length > 2)).toBe(true)
      }
    }
    expect(STAGES['published-keys'].differences).toEqual([])
  })
})
