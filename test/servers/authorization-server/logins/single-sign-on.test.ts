import { describe, expect, it } from 'vitest'
import { header, headerValues, text } from '../../../../src/protocol/http/message.js'
import { browser } from '../browser.js'
import { CHALLENGE, claimsOf, codeRequest, field, ISSUER, json, lab, landed, query } from '../support.js'

const COOKIE = '__Host-oauth-lab-session'
const HOUR = 3_600_000
const openid = codeRequest({ scope: 'openid', state: 'xyz' })
const spa = codeRequest({ client_id: 'demo-spa', code_challenge: CHALLENGE, code_challenge_method: 'S256' })

describe('a login', () => {
  it('is remembered in a cookie that no script and no other host reads', async () => {
    const response = await browser(lab()).login(codeRequest())
    expect(headerValues(response, 'set-cookie')).toEqual([
      expect.stringMatching(/^__Host-oauth-lab-session=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(
        /^__Host-oauth-lab-browser-state=[\w-]{22}; Path=\/; Secure; SameSite=None; Max-Age=28800$/,
      ),
    ])
  })

  it('answers the next requests of its client without a form', async () => {
    const server = lab()
    const { login, authorize } = browser(server)
    const both = { ...openid, scope: 'openid records:read' }
    await login(both)
    for (const parameters of [openid, both, codeRequest()]) {
      const response = await authorize(parameters)
      expect(response.status).toBe(302)
      expect(landed(response).code).toMatch(/^[\w-]{43}$/)
      expect(header(response, 'set-cookie')).toBeUndefined()
    }
    expect(server.events.filter(event => event.type === 'session.resumed')).toHaveLength(3)
    expect(server.events.filter(event => event.type === 'consent.applied')).toHaveLength(3)
    expect(server.events.filter(event => event.type === 'login.shown')).toHaveLength(1)
  })

  it('answers a request that is a POST as well', async () => {
    const { login, post } = browser(lab())
    await login(openid)
    expect(landed(await post('/authorization', openid))).toMatchObject({ state: 'xyz', iss: ISSUER })
  })

  it('is valid in its own browser only', async () => {
    const server = lab()
    await browser(server).login(openid)
    const other = await browser(server).authorize(openid)
    expect(other.status).toBe(200)
    expect(field(other, 'csrf')).toBeDefined()
  })

  it('gets a new session id each time, even if the browser had one', async () => {
    const { jar, login, authorize } = browser(lab())
    const planted = 'p'.repeat(43)
    jar.set(COOKIE, planted)
    expect((await authorize(openid)).status).toBe(200)
    await login(openid)
    const first = jar.get(COOKIE)
    expect(first).not.toBe(planted)
    await login({ ...openid, prompt: 'login' })
    const second = jar.get(COOKIE)
    expect(second).not.toBe(first)
    jar.set(COOKIE, first ?? '')
    expect((await authorize(openid)).status).toBe(200)
  })

  it('is not remembered after a failure or a cancellation', async () => {
    const { jar, login } = browser(lab())
    await login(openid, { password: 'nope' })
    await login(openid, { cancel: 'yes' })
    expect(jar.has(COOKIE)).toBe(false)
  })
})

it('prompt none: never shows a form, not even after a submitted form', async () => {
  const { post } = browser(lab())
  const target = `/authorization?${query({ ...openid, prompt: 'none' })}`
  const response = await post(target, { username: 'alice', password: 'wonderland', csrf: 'x'.repeat(86) })
  expect(landed(response)).toMatchObject({ error: 'login_required' })
})

describe('hints', () => {
  const typed = async (parameters: Parameters<typeof codeRequest>[0], loggedIn = false) => {
    const { login, authorize } = browser(lab())
    if (loggedIn) await login(openid)
    return field(await authorize({ ...openid, ...parameters }), 'username')
  }

  it('login_hint fills the form, escaped', async () => {
    expect(await typed({ login_hint: 'bob' })).toBe('bob')
    expect(await typed({ login_hint: '"><b>' })).toBe('&quot;&gt;&lt;b&gt;')
    expect(await typed({ login_hint: 'x'.repeat(300) })).toBe('')
    expect(await typed({})).toBe('')
  })

  it('the logged-in user fills the form of a new login, except with select_account', async () => {
    expect(await typed({ prompt: 'login' }, true)).toBe('alice')
    expect(await typed({ prompt: 'login', login_hint: 'bob' }, true)).toBe('bob')
    expect(await typed({ prompt: 'select_account' }, true)).toBe('')
  })

  it('id_token_hint must name the logged-in user', async () => {
    const server = lab()
    const [alice, bob] = [browser(server), browser(server)]
    const { code = '' } = landed(await alice.login(openid))
    const hint = String(json(await server.redeem(code)).id_token)
    await bob.login(openid, { username: 'bob', password: 'builder' })
    const silent = { ...openid, prompt: 'none', id_token_hint: hint }
    expect(landed(await alice.authorize(silent))).toMatchObject({ code: expect.any(String) })
    expect(landed(await bob.authorize(silent))).toMatchObject({ error: 'login_required' })
    const page = await bob.authorize({ ...openid, id_token_hint: hint })
    expect(field(page, 'username')).toBe('alice')
    server.clock.now += 2 * HOUR
    expect(landed(await alice.authorize(silent))).toMatchObject({ code: expect.any(String) })
  })

  it('id_token_hint of another user than the one who logs in gets login_required, and no session', async () => {
    const server = lab()
    const { code = '' } = landed(await server.login(openid, { username: 'bob', password: 'builder' }))
    const hinted = { ...openid, id_token_hint: String(json(await server.redeem(code)).id_token) }
    const { jar, login } = browser(server)
    const refused = await login(hinted)
    expect(landed(refused)).toMatchObject({ error: 'login_required', state: 'xyz', iss: ISSUER })
    expect(landed(refused)).not.toHaveProperty('code')
    expect(jar.has(COOKIE)).toBe(false)
    expect(server.events.at(-1)).toMatchObject({
      type: 'authorization.refused',
      channel: 'redirect',
      rule: 'OpenID Connect Core §3.1.2.2',
      evidence: 'hinted bob, logged in alice',
    })
    const allowed = landed(await login(hinted, { username: 'bob', password: 'builder' }))
    expect(claimsOf(json(await server.redeem(allowed.code ?? '')).id_token).sub).toBe('bob')
  })

  it('id_token_hint must be an id_token, of this server and for this client', async () => {
    const server = lab()
    const { code = '' } = landed(await server.login(openid))
    const tokens = json(await server.redeem(code))
    const accessToken = String(tokens.access_token)
    const idToken = String(tokens.id_token)
    const signature = idToken.slice(0, -20) + (idToken.endsWith('A') ? 'B' : 'A').repeat(20)
    for (const hint of [accessToken, signature, 'e30.e30.', 'banana', '\0']) {
      const response = await server.authorize({ ...openid, id_token_hint: hint })
      expect(landed(response), hint).toMatchObject({ error: 'invalid_request' })
    }
    const other = await server.authorize({ ...spa, scope: 'openid', id_token_hint: idToken })
    expect(landed(other)).toMatchObject({ error: 'invalid_request' })
  })
})

describe('wrong passwords', () => {
  const rateLimits = {
    login: { attempts: 3, window: 60_000 },
    passwordGrant: 'off',
    clientSecret: 'off',
  } as const

  it('are limited for each user and address, then allowed again', async () => {
    const server = lab({ rateLimits })
    const here = browser(server)
    const parameters = codeRequest()
    const page = await here.authorize(parameters)
    const target = `/authorization?${query(parameters)}`
    const attempt = (agent: typeof here, username: string, password: string, csrf = field(page, 'csrf')) =>
      agent.post(target, { username, password, csrf })
    for (let i = 0; i < 3; i++) expect((await attempt(here, 'alice', 'nope')).status).toBe(200)
    server.clock.now += 15_000
    const limited = await attempt(here, 'alice', 'wonderland')
    expect(limited.status).toBe(429)
    expect(header(limited, 'retry-after')).toBe('45')
    expect(header(limited, 'content-type')).toMatch(/^text\/html/)
    expect(text(limited.body)).toContain('Try again in 45 s')
    expect(server.events.at(-2)).toMatchObject({ type: 'login.failed', reason: 'limited' })
    const there = browser(server, '192.0.2.2')
    const theirs = field(await there.authorize(parameters), 'csrf')
    expect((await attempt(there, 'alice', 'nope', theirs)).status).toBe(200)
    expect((await attempt(here, 'bob', 'nope')).status).toBe(200)
    server.clock.now += 45_000
    expect((await attempt(here, 'alice', 'wonderland')).status).toBe(302)
  })

  it('from many networks lock nobody out of a browser that logged in before', async () => {
    const server = lab({ rateLimits })
    const [known, fresh] = [browser(server, '127.0.0.1'), browser(server, '127.0.0.1')]
    expect((await known.login(codeRequest())).status).toBe(302)
    const guesses = []
    for (let i = 1; i <= 30; i++) {
      const { login } = browser(server, i % 2 === 0 ? `192.0.2.${i}` : `127.0.0.${i}`)
      guesses.push((await login(codeRequest(), { password: 'nope' })).status)
    }
    expect(guesses.filter(status => status === 200)).toHaveLength(6)
    expect((await fresh.login(codeRequest())).status).toBe(429)
    expect((await known.login(codeRequest({ prompt: 'login' }))).status).toBe(302)
  })

  it('of unknown users are limited in the same way', async () => {
    const { login } = browser(lab({ rateLimits }))
    const tries = []
    for (let i = 0; i < 4; i++) tries.push((await login(codeRequest(), { username: 'mallory' })).status)
    expect(tries).toEqual([200, 200, 200, 429])
  })

  it('are the only attempts that count, not right ones and not forms without a valid csrf value', async () => {
    const server = lab({ rateLimits })
    const { login } = browser(server)
    const again = { ...codeRequest(), prompt: 'login' }
    for (let i = 0; i < 10; i++) expect((await login(again, { csrf: 'x' })).status).toBe(403)
    for (let i = 0; i < 10; i++) expect((await login(again)).status).toBe(302)
  })
})

it('a form is valid only for the resources that it was shown for', async () => {
  const agent = browser(lab())
  const page = await agent.get(`/authorization?${query(codeRequest())}&resource=https%3A%2F%2Fa.example%2F`)
  const form = { username: 'alice', password: 'wonderland', csrf: field(page, 'csrf') }
  const altered = `/authorization?${query(codeRequest())}&resource=https%3A%2F%2Fb.example%2F`
  expect((await agent.post(altered, form)).status).toBe(403)
})
