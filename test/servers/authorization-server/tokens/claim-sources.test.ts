import { compactVerify, createLocalJWKSet, type JWK } from 'jose'
import { describe, expect, it } from 'vitest'
import { header, text } from '../../../../src/protocol/http/message.js'
import { claimsOf, client, codeRequest, ISSUER, json, lab, landed, SECRET } from '../support.js'

const users = [
  {
    username: 'alice',
    password: 'wonderland',
    claims: { name: 'Alice', credit_score: 650, shoe_size: 43 },
    claim_types: { credit_score: 'aggregated', shoe_size: 'distributed' },
  },
] as const
const scopeClaims = { profile: ['name', 'credit_score', 'shoe_size'] }
const made = (more = {}) => lab({ users, scopeClaims, ...more })

async function userinfo(world: ReturnType<typeof lab>) {
  const token = await world.accessToken({ scope: 'openid profile' })
  return json(await world.get('/userinfo', [['authorization', `Bearer ${token}`]]))
}

interface Sources {
  readonly aggregated: { readonly JWT: string }
  readonly distributed: { readonly endpoint: string; readonly access_token: string }
}

/** Verifies with the published keys, by jose alone. */
async function verified(world: ReturnType<typeof lab>, jwt: string) {
  const { keys } = json(await world.get('/.well-known/jwks.json')) as unknown as { keys: JWK[] }
  const { payload } = await compactVerify(jwt, createLocalJWKSet({ keys }))
  return JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown>
}

describe('claims with a type (OpenID Connect Core §5.6.2)', () => {
  it('come as a signed statement, and by an endpoint with a token', async () => {
    const world = made()
    const claims = await userinfo(world)
    expect(claims).toEqual({
      sub: 'alice',
      name: 'Alice',
      _claim_names: { credit_score: 'aggregated', shoe_size: 'distributed' },
      _claim_sources: {
        aggregated: { JWT: expect.any(String) },
        distributed: { endpoint: `${ISSUER}/claims`, access_token: expect.stringMatching(/^[\w-]{43}$/) },
      },
    })
    const { aggregated, distributed } = claims._claim_sources as Sources
    expect(await verified(world, aggregated.JWT)).toMatchObject({ iss: ISSUER, credit_score: 650 })
    expect(claimsOf(aggregated.JWT)).not.toHaveProperty('shoe_size')

    const answer = await world.get('/claims', [['authorization', `Bearer ${distributed.access_token}`]])
    expect([answer.status, header(answer, 'content-type')]).toEqual([200, 'application/jwt'])
    const said = await verified(world, text(answer.body))
    expect(said).toMatchObject({ iss: ISSUER, shoe_size: 43, exp: expect.any(Number) })
    expect(said).not.toHaveProperty('sub')
    expect(world.events.at(-1)).toMatchObject({
      type: 'claims.answered',
      username: 'alice',
      claims: ['shoe_size'],
    })
  })

  it('are announced where a user has one', async () => {
    const supported = async (world: ReturnType<typeof lab>) =>
      json(await world.get('/.well-known/openid-configuration')).claim_types_supported
    expect(await supported(made())).toEqual(['normal', 'aggregated', 'distributed'])
    expect(await supported(lab())).toBeUndefined()
  })

  it('are left out where nobody may have them', async () => {
    const world = made()
    const token = await world.accessToken({ scope: 'openid' })
    const claims = json(await world.get('/userinfo', [['authorization', `Bearer ${token}`]]))
    expect(claims).toEqual({ sub: 'alice' })
  })

  it('come in id_tokens too', async () => {
    const world = made({
      clients: [client('demo', { client_secret: SECRET, id_token_claims: true })],
    })
    const code = String(landed(await world.login(codeRequest({ scope: 'openid profile' }))).code)
    const claims = claimsOf(json(await world.redeem(code)).id_token)
    expect(claims).toMatchObject({ name: 'Alice', _claim_names: { credit_score: 'aggregated' } })
    expect(claims).not.toHaveProperty('credit_score')
  })

  it('are for nobody without the token, with an old one, or with that of the login', async () => {
    const world = made()
    const login = await world.accessToken({ scope: 'openid profile' })
    const { distributed } = (await userinfo(world))._claim_sources as Sources
    for (const token of ['x', login]) {
      const answer = await world.get('/claims', [['authorization', `Bearer ${token}`]])
      expect([answer.status, json(answer).error]).toEqual([401, 'invalid_token'])
    }
    const none = await world.get('/claims')
    expect([none.status, header(none, 'www-authenticate')]).toEqual([401, 'Bearer realm="oauth-lab"'])
    const bearer = [['authorization', `Bearer ${distributed.access_token}`]] as const
    expect((await world.get('/userinfo', bearer)).status).toBe(401)
    world.clock.now += 300_000
    expect((await world.get('/claims', bearer)).status).toBe(401)
  })
})
