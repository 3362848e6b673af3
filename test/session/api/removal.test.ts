import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Lab, startLab } from '../../../src/index.js'

const secret = 'demo-secret-0123456789abcdef0123456789'
const callback = 'http://127.0.0.1/callback'

let lab: Lab<'authorization'>
beforeEach(async () => {
  lab = await startLab({ sites: ['authorization'] })
})
afterEach(() => lab.stop())

const post = (path: string, form: Record<string, string>, [id, password] = ['demo', secret]) =>
  lab.fetch(`${lab.issuer}${path}`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${id}:${password}`)}` },
    body: new URLSearchParams(form),
  })

const userinfo = (token: string) =>
  lab.fetch(`${lab.issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } })

async function introspected(token: string, client?: [string, string]): Promise<boolean> {
  const answer = (await (await post('/introspection', { token }, client)).json()) as { active: boolean }
  return answer.active
}

/** Shows the browser of `cookie` to the authorization server, which must not ask for a password. */
async function silently(cookie: string): Promise<URL> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'demo',
    redirect_uri: callback,
    scope: 'openid',
    prompt: 'none',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  const answer = await lab.fetch(`${lab.issuer}/authorization?${query}`, { headers: { cookie } })
  return new URL(answer.headers.get('location') ?? '')
}

/** Logs alice in with a browser. Returns the cookie of her session. */
async function loggedIn(): Promise<string> {
  for await (const record of lab.flow('code', { user: 'alice', scope: 'openid' })) {
    const headers = record.type === 'step' ? (record.exchange?.response?.headers ?? []) : []
    const cookie = headers.find(
      ([name, value]) => name.toLowerCase() === 'set-cookie' && /session=/.test(value),
    )
    if (cookie !== undefined) return cookie[1].split(';', 1)[0]!
  }
  throw new Error('no session began')
}

describe('removeUser', () => {
  it('ends logins, access tokens and refresh tokens of the user', async () => {
    const tokens = await lab.login({ client: 'demo', user: 'alice', scope: 'openid offline_access' })
    const { access_token: token, refresh_token: refreshToken = '' } = tokens
    expect((await userinfo(token)).status).toBe(200)
    expect(await introspected(token)).toBe(true)
    await lab.removeUser('alice')
    const refused = await userinfo(token)
    expect([refused.status, await refused.json()]).toMatchObject([401, { error: 'invalid_token' }])
    expect(await introspected(token)).toBe(false)
    expect(await introspected(refreshToken)).toBe(false)
    const refreshed = await post('/token', { grant_type: 'refresh_token', refresh_token: refreshToken })
    expect([refreshed.status, await refreshed.json()]).toMatchObject([400, { error: 'invalid_grant' }])
    await expect(lab.login({ user: { username: 'alice', password: 'wonderland' } })).rejects.toThrow()
    expect((await lab.login({ user: 'bob' })).access_token).toBeTypeOf('string')
  })

  it('ends sessions in browsers', async () => {
    const cookie = await loggedIn()
    expect((await silently(cookie)).searchParams.has('code')).toBe(true)
    await lab.removeUser('alice')
    expect((await silently(cookie)).searchParams.get('error')).toBe('login_required')
  })

  it('makes a code worthless that was issued before', async () => {
    const code = (await silently(await loggedIn())).searchParams.get('code') ?? ''
    await lab.removeUser('alice')
    const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
    const answer = await post('/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: callback,
      code_verifier: verifier,
    })
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'invalid_grant' }])
  })

  it('refuses a name that the lab does not have, and suggests the nearest', async () => {
    await expect(lab.removeUser('alcie')).rejects.toThrow('no user "alcie"; did you mean alice?')
  })
})

describe('removeClient', () => {
  it('refuses the client and its tokens, and leaves the others', async () => {
    const { access_token: token } = await lab.login({ client: 'demo', user: 'alice', scope: 'openid' })
    const other = {
      client_id: 'api',
      client_secret: 'a-secret-that-only-tests-know',
      redirect_uris: [callback],
    }
    await lab.addClient(other)
    await lab.removeClient('demo')
    expect((await userinfo(token)).status).toBe(401)
    expect(await introspected(token, [other.client_id, other.client_secret])).toBe(false)
    expect((await post('/token', { grant_type: 'client_credentials' })).status).toBe(401)
    await expect(lab.login({ client: 'demo' })).rejects.toThrow('no client "demo"')
    expect((await lab.login({ client: 'api', user: 'alice' })).access_token).toBeTypeOf('string')
  })

  it('removes a client that was added twice, whole', async () => {
    const twice = { client_id: 'twice', redirect_uris: [callback] }
    await lab.addClient(twice)
    await lab.addClient({ ...twice, client_name: 'Second' })
    await lab.removeClient('twice')
    await expect(lab.removeClient('twice')).rejects.toThrow('no client "twice"')
  })
})

describe('the sites of a lab', () => {
  it('are the authorization server, and those that were asked for', async () => {
    expect(Object.keys(lab.urls)).toEqual(['authorization'])
    const two = await startLab({ sites: ['resource'] })
    expect(Object.keys(two.urls)).toEqual(['authorization', 'resource'])
    const { access_token: token } = await two.login({ scope: 'records:read' })
    const answer = await two.fetch(`${two.urls.resource}/resource`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(answer.status).toBe(200)
    await two.stop()
  })

  it('refuse a flow that needs another site, and a port of a closed one', async () => {
    const walked = lab.flow('resource')
    await expect(walked.next()).rejects.toThrow('the flow resource needs the resource server')
    await expect(startLab({ sites: ['resource'], ports: { dns: 0 } })).rejects.toThrow(
      'the port of dns is set',
    )
    await expect(startLab({ sites: ['mail' as 'dns'] })).rejects.toThrow('a lab has no site "mail"')
  })
})
