import { expect, it } from 'vitest'
import { json, lab } from '../support.js'

const claims = { name: 'Alice', email: 'alice@example.com', groups: ['a', 'b'], roles: ['r'] }
const users = [{ username: 'alice', password: 'wonderland', claims }]
const scopes = { openid: '', profile: '', email: '', groups: '', constructor: '' }

it.each([
  ['openid groups', {}, {}],
  ['openid constructor', {}, {}],
  ['openid groups', { groups: ['groups', 'roles'] }, { groups: ['a', 'b'], roles: ['r'] }],
  ['openid groups profile', { groups: ['name'] }, { name: 'Alice' }],
  ['openid email', { email: [] }, {}],
  ['openid groups', { groups: ['sub'] }, {}],
])('/userinfo for %s and %j gives %j', async (scope, scopeClaims, given) => {
  const { accessToken, get } = lab({ users, scopes, scopeClaims: scopeClaims as Record<string, string[]> })
  const bearer = ['authorization', `Bearer ${await accessToken({ scope })}`] as const
  expect(json(await get('/userinfo', [bearer]))).toEqual({ sub: 'alice', ...given })
})
