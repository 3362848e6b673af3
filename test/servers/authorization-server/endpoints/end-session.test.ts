import { describe, expect, it } from 'vitest'
import { header, headerValues, text } from '../../../../src/protocol/http/message.js'
import { browser } from '../browser.js'
import { client, codeRequest, field, json, lab, landed, type Parameters, query } from '../support.js'

const openid = codeRequest({ scope: 'openid' })
const BYE = 'https://client.example/bye?tenant=a'

/** A browser with a logged-in user, and the id_token of the login. */
async function loggedIn() {
  const server = lab()
  const agent = browser(server)
  const { code = '' } = landed(await agent.login(openid))
  const tokens = json(await server.redeem(code))
  const end = (parameters: Parameters = {}) => agent.get(`/end-session?${query(parameters)}`)
  const isLoggedIn = async () => (await agent.authorize(openid)).status === 302
  return {
    server,
    agent,
    hint: String(tokens.id_token),
    accessToken: String(tokens.access_token),
    end,
    isLoggedIn,
  }
}

/** The fields of the page that asks before a logout. */
function carried(body: string): Parameters {
  const fields = [...body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]))
}

describe('/end-session with the id_token of the login', () => {
  it('ends the session and redirects with state', async () => {
    const { server, hint, end, isLoggedIn } = await loggedIn()
    const response = await end({ id_token_hint: hint, post_logout_redirect_uri: BYE, state: 's+/=1' })
    expect(response.status).toBe(302)
    expect(header(response, 'location')).toBe(`${BYE}&state=s%2B%2F%3D1`)
    expect(header(response, 'set-cookie')).toMatch(/^__Host-oauth-lab-session=; .*Max-Age=0/)
    expect(server.events.at(-1)).toEqual({ type: 'session.ended', username: 'alice', client_id: 'demo' })
    expect(await isLoggedIn()).toBe(false)
  })

  it('accepts an expired id_token', async () => {
    const { server, hint, end } = await loggedIn()
    server.clock.now += 2 * 3_600_000
    expect((await end({ id_token_hint: hint, post_logout_redirect_uri: BYE })).status).toBe(302)
  })

  it('redirects to any port of a registered loopback address', async () => {
    const { hint, end } = await loggedIn()
    const address = 'http://127.0.0.1:50505/bye'
    const response = await end({ id_token_hint: hint, post_logout_redirect_uri: address })
    expect(header(response, 'location')).toBe(address)
  })

  it('redirects to any port of localhost for native clients only, and never to plain http elsewhere', async () => {
    const plain = 'http://client.example/bye'
    const registered = { client_secret: 'x', post_logout_redirect_uris: ['http://localhost/bye', plain] }
    const server = lab({
      clients: [client('web', registered), client('app', { ...registered, application_type: 'native' })],
    })
    const end = async (id: string, address: string) => {
      const response = await server.get(
        `/end-session?${query({ client_id: id, post_logout_redirect_uri: address })}`,
      )
      return header(response, 'location')
    }
    expect(await end('app', 'http://localhost:7000/bye')).toBe('http://localhost:7000/bye')
    expect(await end('web', 'http://localhost/bye')).toBe('http://localhost/bye')
    expect(await end('web', 'http://localhost:7000/bye')).toBeUndefined()
    expect(await end('web', plain)).toBeUndefined()
  })

  it('may be a POST from another site, without the session cookie', async () => {
    const { agent, hint, isLoggedIn } = await loggedIn()
    const form = { id_token_hint: hint, post_logout_redirect_uri: BYE, state: 'x' }
    const cookies = new Map(agent.jar)
    agent.jar.clear()
    const bounced = await agent.post('/end-session', form)
    expect(bounced.status).toBe(302)
    expect(header(bounced, 'location')).toBe(`/end-session?${query(form)}`)
    for (const [name, value] of cookies) agent.jar.set(name, value)
    const response = await agent.get(header(bounced, 'location') ?? '')
    expect(header(response, 'location')).toBe(`${BYE}&state=x`)
    expect(await isLoggedIn()).toBe(false)
  })

  it('leaves a stolen session cookie worthless', async () => {
    const { agent, hint, end, isLoggedIn } = await loggedIn()
    const stolen = new Map(agent.jar)
    await end({ id_token_hint: hint })
    for (const [name, value] of stolen) agent.jar.set(name, value)
    expect(await isLoggedIn()).toBe(false)
  })
})

describe('/end-session without a matching id_token', () => {
  it.each([
    ['nothing at all', {}],
    ['a client_id alone', { client_id: 'demo' }],
    ['a hint that is none', { id_token_hint: 'banana' }],
  ])('%s: asks the person first', async (_name, parameters) => {
    const { agent, end, isLoggedIn } = await loggedIn()
    const page = await end(parameters)
    expect(page.status).toBe(200)
    expect(text(page.body)).toContain('You are logged in as <strong>alice</strong>')
    expect(header(page, 'set-cookie') ?? '').not.toContain('Max-Age=0')
    expect(await isLoggedIn()).toBe(true)
    const done = await agent.post('/end-session', { ...carried(text(page.body)), logout: 'yes' })
    expect(done.status).toBe(200)
    expect(text(done.body)).toContain('You are logged out')
    expect(await isLoggedIn()).toBe(false)
  })

  it('redirects to an address of the named client after the person agreed', async () => {
    const { agent, end } = await loggedIn()
    const page = await end({ client_id: 'demo', post_logout_redirect_uri: BYE, state: 'x' })
    expect(text(page.body)).toContain('Demo &lt;client&gt;')
    const done = await agent.post('/end-session', { ...carried(text(page.body)), logout: 'yes' })
    expect(header(done, 'location')).toBe(`${BYE}&state=x`)
  })

  it('lets the person stay logged in', async () => {
    const { agent, end, isLoggedIn } = await loggedIn()
    const page = await end({ client_id: 'demo', post_logout_redirect_uri: BYE })
    const done = await agent.post('/end-session', { ...carried(text(page.body)), cancel: 'yes' })
    expect(done.status).toBe(200)
    expect(text(done.body)).toContain('You are still logged in')
    expect(await isLoggedIn()).toBe(true)
  })

  it('asks when the hint names another user, or is an access token', async () => {
    const { server, agent, accessToken, end } = await loggedIn()
    const bob = browser(server)
    const { code = '' } = landed(await bob.login(openid, { username: 'bob', password: 'builder' }))
    const hint = String(json(await server.redeem(code)).id_token)
    expect(text((await end({ id_token_hint: hint })).body)).toContain('Log out?')
    expect(text((await end({ id_token_hint: accessToken })).body)).toContain('Log out?')
    expect(agent.jar.size).toBe(3)
  })

  it('refuses a form of another page', async () => {
    const { agent, end, isLoggedIn } = await loggedIn()
    const form = { ...carried(text((await end({ client_id: 'demo' })).body)), logout: 'yes' }
    const page = await agent.authorize({ ...openid, prompt: 'login' })
    const attempts = [
      { ...form, csrf: 'x' },
      { ...form, csrf: field(page, 'csrf') },
      { ...form, post_logout_redirect_uri: BYE },
    ]
    for (const attempt of attempts) {
      const response = await agent.post('/end-session', attempt)
      expect(response.status).toBe(403)
      expect(text(response.body)).toContain('role="alert"')
    }
    expect(await isLoggedIn()).toBe(true)
  })
})

it('/end-session without a session redirects to a registered address of the named client, or shows a page', async () => {
  const { get } = lab()
  const back = await get(`/end-session?${query({ client_id: 'demo', post_logout_redirect_uri: BYE })}`)
  expect(header(back, 'location')).toBe(BYE)
  expect(text((await get('/end-session')).body)).toContain('You are logged out')
})

describe('/end-session refuses', () => {
  const evil = 'https://evil.example/'
  it.each<[name: string, parameters: Parameters | string, says: RegExp]>([
    ['a foreign address', { client_id: 'demo', post_logout_redirect_uri: evil }, /not one of the registered/],
    ['an address and no client', { post_logout_redirect_uri: BYE }, /needs client_id/],
    ['an address and a bad hint', { post_logout_redirect_uri: BYE, id_token_hint: 'x' }, /needs client_id/],
    ['an unknown client', { client_id: 'nobody' }, /client_id is unknown/],
    ['an address of a client without one', { client_id: 'other', post_logout_redirect_uri: BYE }, /refused/],
    ['a repeated parameter', 'state=a&state=b', /state is repeated/],
    ['bad percent-encoding', 'state=%zz', /cannot be decoded/],
  ])('%s: shows a page and logs nobody out', async (_name, parameters, says) => {
    const { server, agent, isLoggedIn } = await loggedIn()
    const target = typeof parameters === 'string' ? parameters : query(parameters)
    const response = await agent.get(`/end-session?${target}`)
    expect(response.status).toBe(400)
    expect(header(response, 'location')).toBeUndefined()
    expect(headerValues(response, 'set-cookie')).toEqual([])
    expect(text(response.body)).toMatch(says)
    expect(text(response.body)).not.toContain('evil.example')
    expect(server.events.at(-1)).toMatchObject({ type: 'logout.refused' })
    expect(await isLoggedIn()).toBe(true)
  })

  it('a hint of another client than client_id', async () => {
    const { hint, end } = await loggedIn()
    expect((await end({ id_token_hint: hint, client_id: 'other' })).status).toBe(400)
  })

  it('other methods, and forms of another type', async () => {
    const { send } = lab()
    const other = await send('DELETE', '/end-session')
    expect(other.status).toBe(405)
    expect(header(other, 'allow')).toBe('GET, HEAD, POST')
    expect((await send('POST', '/end-session', [], 'x')).status).toBe(400)
  })
})
