import { describe, expect, it } from 'vitest'
import { basic, claimsOf, client, json, lab, type Parameters, SECRET } from '../support.js'

const address = { street_address: 'Christ Church', locality: 'Oxford' }
const users = [
  {
    username: 'alice',
    password: 'wonderland',
    claims: {
      name: 'Alice',
      email: 'alice@example.com',
      address,
      phone_number: '+44',
      groups: ['a', 'b'],
      roles: ['r'],
    },
  },
]
const scopes = { openid: '', profile: '', email: '', address: '', phone: '', groups: '', constructor: '' }

async function claimsFor(scope: string, more: Parameters = {}, scopeClaims: Record<string, string[]> = {}) {
  const clients = [
    client('demo', { client_secret: SECRET }),
    client('dex', {
      client_secret: SECRET,
      id_token_claims: true,
      response_types: ['code', 'id_token token'],
    }),
  ]
  const { newCode, redeem, get } = lab({ users, scopes, clients, scopeClaims, defaultScope: 'openid' })
  const { client_id: id = 'demo' } = more
  const tokens = json(await redeem(await newCode({ scope, ...more }), {}, [basic(id, SECRET)]))
  const userinfo = json(await get('/userinfo', [['authorization', `Bearer ${String(tokens.access_token)}`]]))
  return { userinfo, idToken: claimsOf(tokens.id_token) }
}

describe('/userinfo', () => {
  it.each([
    ['openid address', {}, { address }],
    ['openid phone', {}, { phone_number: '+44' }],
    ['openid groups', {}, {}],
    ['openid constructor', {}, {}],
    ['openid groups', { groups: ['groups', 'roles'] }, { groups: ['a', 'b'], roles: ['r'] }],
    ['openid groups profile', { groups: ['name'] }, { name: 'Alice' }],
    ['openid email', { email: [] }, {}],
    ['openid groups', { groups: ['sub'] }, {}],
  ])('for %s and %j gives %j', async (scope, scopeClaims, claims) => {
    expect((await claimsFor(scope, {}, scopeClaims)).userinfo).toEqual({ sub: 'alice', ...claims })
  })
})

describe('an id_token', () => {
  it('has no claims of scopes by default', async () => {
    expect((await claimsFor('openid profile email')).idToken).not.toHaveProperty('name')
  })

  it('has them for a client with id_token_claims, and the protocol claims win', async () => {
    const { idToken, userinfo } = await claimsFor(
      'openid profile groups',
      { client_id: 'dex' },
      { groups: ['groups'] },
    )
    expect(idToken).toMatchObject({ sub: 'alice', aud: 'dex', name: 'Alice', groups: ['a', 'b'] })
    expect(idToken).not.toHaveProperty('email')
    expect(userinfo).toEqual({ sub: 'alice', name: 'Alice', groups: ['a', 'b'] })
  })
})
