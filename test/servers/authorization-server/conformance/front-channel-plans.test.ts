import { describe, expect, it } from 'vitest'
import { type HttpResponse, header, text } from '../../../../src/protocol/http/message.js'
import { tokenHash } from '../../../../src/protocol/tokens/verify.js'
import { browser } from '../browser.js'
import {
  basic,
  CALLBACK,
  CHALLENGE,
  claimsOf,
  client,
  FORM,
  ISSUER,
  json,
  lab,
  landed,
  location,
  type Parameters,
  query,
  SECRET,
  settings,
  VERIFIER,
} from '../support.js'

/*
 * The demands of the OpenID Foundation's plans for Basic, Implicit and Hybrid OPs, and of the Form Post plan of each, for
 * every response type and both modes. docs/maintainers/conformance.md names the plans.
 */

const BROWSER = ['id_token', 'id_token token'] as const
const HYBRID = ['code id_token', 'code token', 'code id_token token'] as const
const TYPES = ['code', ...BROWSER, ...HYBRID] as const
const MODES = ['default', 'form_post'] as const
type Type = (typeof TYPES)[number]
type Mode = (typeof MODES)[number]

const cases = TYPES.flatMap(type => MODES.map(mode => [type, mode] as const))
const has = (type: Type, part: string) => type.split(' ').includes(part)
const withCode = cases.filter(([type]) => has(type, 'code'))
const withIdToken = cases.filter(([type]) => has(type, 'id_token'))
/** The cases that give the client an access token, by either endpoint. */
const withAccess = cases.filter(([type]) => type !== 'id_token')

const made = () => {
  const server = lab({
    clients: [
      ...settings.clients,
      client('suite', { client_secret: SECRET, response_types: [...TYPES], consent: 'granted' }),
      client('suite2', { client_secret: 'second-secret', response_types: [...TYPES], consent: 'granted' }),
    ],
  })
  return { ...server, user: browser(server) }
}
type Lab = ReturnType<typeof made>

const request = (type: Type, mode: Mode, more: Parameters = {}): Parameters => ({
  client_id: 'suite',
  redirect_uri: CALLBACK,
  response_type: type,
  ...(mode === 'form_post' && { response_mode: mode }),
  scope: 'openid',
  state: 's"\'><&+1',
  nonce: 'n-0S6',
  ...more,
})

const unescaped = (value: string) =>
  value.replace(/&#(\d+);|&(quot|lt|gt|amp);/g, (_all, number, name) =>
    number === undefined
      ? { quot: '"', lt: '<', gt: '>', amp: '&' }[name as 'lt']
      : String.fromCharCode(number),
  )

/** The parameters of an answer, which must be at their one right place. */
function answer(response: HttpResponse, type: Type, mode: Mode): Record<string, string> {
  if (mode === 'form_post') {
    expect(response.status).toBe(200)
    expect(header(response, 'cache-control')).toContain('no-store')
    const page = text(response.body)
    expect(page).toContain(`<form method="post" action="${CALLBACK}">`)
    const fields = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
    return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, unescaped(value)]))
  }
  expect(response.status).toBe(302)
  if (type === 'code') return landed(response)
  expect(location(response).search).toBe('')
  return Object.fromEntries(new URLSearchParams(location(response).hash.slice(1)))
}

const login = async ({ user }: Lab, type: Type, mode: Mode, more: Parameters = {}) =>
  answer(await user.login(request(type, mode, more)), type, mode)

/** A request in a session, which no page interrupts. */
const again = async ({ user }: Lab, type: Type, mode: Mode, more: Parameters = {}) =>
  answer(await user.authorize(request(type, mode, more)), type, mode)

const redeem = async (server: Lab, code: string | undefined, more: Parameters = {}) =>
  json(await server.redeem(code ?? '', more, [basic('suite', SECRET)]))

/** The tokens of an answer, with those of its code. */
async function tokens(server: Lab, given: Record<string, string>): Promise<Record<string, unknown>> {
  return given.code === undefined ? given : { ...given, ...(await redeem(server, given.code)) }
}

const userinfo = (server: Lab, token: unknown) =>
  server.get('/userinfo', [['authorization', `Bearer ${String(token)}`]])

describe.each(cases)('%s, response_mode %s', (type, mode) => {
  it('brings what was asked for, and one login', async () => {
    const server = made()
    const given = await login(server, type, mode)
    expect(given).toMatchObject({ state: 's"\'><&+1', iss: ISSUER })
    expect(given.code !== undefined).toBe(has(type, 'code'))
    expect(given.id_token !== undefined).toBe(has(type, 'id_token'))
    expect(given.access_token !== undefined).toBe(has(type, 'token'))
    const { id_token } = await tokens(server, given)
    expect(claimsOf(id_token)).toMatchObject({ iss: ISSUER, aud: 'suite', sub: 'alice', nonce: 'n-0S6' })
    if (given.id_token !== undefined) expect(claimsOf(given.id_token).sub).toBe(claimsOf(id_token).sub)
  })

  it('prompt=none: login_required without a session, an answer with one (§3.1.2.1)', async () => {
    const server = made()
    const refused = await again(server, type, mode, { prompt: 'none' })
    expect(refused).toMatchObject({ error: 'login_required', state: 's"\'><&+1', iss: ISSUER })
    const allowed = ['error', 'error_description', 'error_uri', 'iss', 'state']
    expect(Object.keys(refused).filter(name => !allowed.includes(name))).toEqual([])
    const first = await tokens(server, await login(server, type, mode))
    server.clock.now += 1000
    const second = await tokens(server, await again(server, type, mode, { prompt: 'none' }))
    const [a, b] = [claimsOf(first.id_token), claimsOf(second.id_token)]
    expect([b.sub, b.auth_time]).toEqual([a.sub, a.auth_time])
  })

  it('prompt=login: asks again, and auth_time is later', async () => {
    const server = made()
    const first = await tokens(server, await login(server, type, mode, { max_age: '10000' }))
    server.clock.now += 2000
    expect((await server.user.authorize(request(type, mode, { prompt: 'login' }))).status).toBe(200)
    const back = await login(server, type, mode, { prompt: 'login', max_age: '10000' })
    const second = await tokens(server, back)
    const [before, after] = [first, second].map(each => Number(claimsOf(each.id_token).auth_time))
    expect(after).toBeGreaterThan(before!)
  })

  it('max_age=1 asks again after two seconds, max_age=10000 does not', async () => {
    const server = made()
    await login(server, type, mode)
    server.clock.now += 2000
    const old = await tokens(server, await again(server, type, mode, { max_age: '10000', prompt: 'none' }))
    expect(claimsOf(old.id_token).auth_time).toBe(Math.floor(server.clock.now / 1000) - 2)
    const late = await again(server, type, mode, { max_age: '1', prompt: 'none' })
    expect(late).toMatchObject({ error: 'login_required' })
    const fresh = await tokens(server, await login(server, type, mode, { max_age: '1' }))
    expect(claimsOf(fresh.id_token).auth_time).toBe(Math.floor(server.clock.now / 1000))
  })

  it('id_token_hint of the user in the session is answered, of another user is not', async () => {
    const server = made()
    const { id_token } = await tokens(server, await login(server, type, mode))
    const hint = { prompt: 'none', id_token_hint: String(id_token) }
    expect((await again(server, type, mode, hint)).error).toBeUndefined()
    const bob = { username: 'bob', password: 'builder' }
    await server.user.login(request(type, mode, { prompt: 'login' }), bob)
    expect(await again(server, type, mode, hint)).toMatchObject({ error: 'login_required' })
  })

  it.each<Parameters>([
    { extra: 'foobar' },
    { display: 'page' },
    { ui_locales: 'se fr', claims_locales: 'se' },
    { acr_values: '1 2' },
    { login_hint: 'buffy@suite.example' },
    { scope: 'openid profile email' },
  ])('is answered with %o', async more => {
    const server = made()
    const { id_token } = await tokens(server, await login(server, type, mode, more))
    expect(claimsOf(id_token).sub).toBe('alice')
  })

  it('an address that nobody registered gets no answer', async () => {
    const response = await made().user.authorize(request(type, mode, { redirect_uri: `${CALLBACK}/other` }))
    expect([response.status, header(response, 'location')]).toEqual([400, undefined])
    expect(text(response.body)).not.toContain('<form')
  })
})

describe('an id_token from the browser', () => {
  it.each(withIdToken)('%s, %s: needs a nonce', async (type, mode) => {
    const refused = await again(made(), type, mode, { nonce: undefined })
    expect(refused).toMatchObject({ error: 'invalid_request', state: 's"\'><&+1' })
  })

  it.each(cases.filter(([type]) => !has(type, 'id_token')))('%s, %s: needs none', async (type, mode) => {
    const server = made()
    const { id_token } = await tokens(server, await login(server, type, mode, { nonce: undefined }))
    expect(claimsOf(id_token).nonce).toBeUndefined()
  })

  it.each(withIdToken)('%s, %s: has the hashes of what is beside it', async (type, mode) => {
    const given = await login(made(), type, mode)
    const { c_hash, at_hash } = claimsOf(given.id_token)
    expect(c_hash).toBe(given.code === undefined ? undefined : tokenHash(given.code, 'RS256'))
    expect(at_hash).toBe(
      given.access_token === undefined ? undefined : tokenHash(given.access_token, 'RS256'),
    )
  })
})

describe('a code', () => {
  it.each(withCode)('%s, %s: is good once, and its tokens end with its replay', async (type, mode) => {
    const server = made()
    const { code } = await login(server, type, mode)
    const { access_token } = await redeem(server, code)
    expect((await userinfo(server, access_token)).status).toBe(200)
    server.clock.now += 31_000
    expect(await redeem(server, code)).toMatchObject({ error: 'invalid_grant' })
    expect((await userinfo(server, access_token)).status).toBe(401)
  })

  it.each(withCode)('%s, %s: is bound to its code_challenge', async (type, mode) => {
    const server = made()
    const pkce = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }
    const { code } = await login(server, type, mode, pkce)
    expect(await redeem(server, code)).toMatchObject({ error: 'invalid_grant' })
    const other = await again(server, type, mode, pkce)
    expect(await redeem(server, other.code, { code_verifier: VERIFIER })).toHaveProperty('access_token')
  })

  it.each(withCode)('%s, %s: is redeemed with the secret in the body too', async (type, mode) => {
    const server = made()
    const { code } = await login(server, type, mode)
    const form = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK }
    const posted = await server.post('/token', { ...form, client_id: 'suite', client_secret: SECRET })
    expect(claimsOf(json(posted).id_token)).toMatchObject({ nonce: 'n-0S6' })
  })

  it.each(withCode)('%s, %s: its refresh token is good for its own client alone', async (type, mode) => {
    const server = made()
    const more = { scope: 'openid offline_access', prompt: 'consent' }
    const page = await server.user.login(request(type, mode, more))
    const given = answer(page, type, mode)
    const { refresh_token, id_token } = await redeem(server, given.code)
    const form = { grant_type: 'refresh_token', refresh_token: String(refresh_token) }
    const stolen = await server.post('/token', form, [basic('suite2', 'second-secret')])
    expect([stolen.status, json(stolen).error]).toEqual([400, 'invalid_grant'])
    const renewed = json(await server.post('/token', form, [basic('suite', SECRET)]))
    const { iss, sub, aud, auth_time } = claimsOf(id_token)
    expect(claimsOf(renewed.id_token)).toMatchObject({ iss, sub, aud, auth_time })
    expect((await userinfo(server, renewed.access_token)).status).toBe(200)
  })
})

describe('userinfo', () => {
  it.each(withAccess)(
    '%s, %s: takes every access token, in the header and in the body',
    async (type, mode) => {
      const server = made()
      const given = await login(server, type, mode, { scope: 'openid profile email' })
      const { access_token } = await tokens(server, given)
      for (const token of new Set([given.access_token, access_token].filter(each => each !== undefined))) {
        const shown = await userinfo(server, token)
        expect(json(shown)).toMatchObject({ sub: 'alice', name: 'Alice', email: 'alice@example.com' })
        const posted = await server.send('POST', '/userinfo', [['authorization', `Bearer ${String(token)}`]])
        expect(json(posted)).toEqual(json(shown))
        const inBody = await server.send('POST', '/userinfo', [FORM], query({ access_token: String(token) }))
        expect([inBody.status, json(inBody).sub]).toEqual([200, 'alice'])
      }
    },
  )

  it.each(withAccess)('%s, %s: has a claim that claims asks for as essential', async (type, mode) => {
    const server = made()
    const claims = JSON.stringify({ userinfo: { name: { essential: true } } })
    const { access_token } = await tokens(server, await login(server, type, mode, { claims }))
    expect(json(await userinfo(server, access_token))).toMatchObject({ sub: 'alice', name: 'Alice' })
  })

  it.each(MODES)('id_token, %s: the claims of the scopes are in the id_token (§5.4)', async mode => {
    const { id_token } = await login(made(), 'id_token', mode, { scope: 'openid profile email' })
    expect(claimsOf(id_token)).toMatchObject({ name: 'Alice', email: 'alice@example.com' })
  })
})
