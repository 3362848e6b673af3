import { describe, expect, it } from 'vitest'
import { type HttpResponse, header, text } from '../../../../../src/protocol/http/message.js'
import { browser } from '../../browser.js'
import {
  basic,
  CALLBACK,
  CHALLENGE,
  codeRequest,
  expectError,
  field,
  ISSUER,
  json,
  lab,
  landed,
  type Parameters,
  query,
  SECRET,
} from '../../support.js'

const PREFIX = 'urn:ietf:params:oauth:request_uri:'
const demo = basic('demo', SECRET)
const request = codeRequest({ scope: 'openid', state: 'pushed' })

/** A server with a pushed request, and the query with its request_uri. */
async function pushed(parameters: Parameters = request, server = lab()) {
  const response = await server.post('/par', parameters, [demo])
  const requestUri = String(json(response).request_uri)
  const query = { client_id: 'demo', request_uri: requestUri }
  return { server, response, requestUri, query }
}

/** The login form of a page, filled in by alice. */
const formOf = (page: HttpResponse) => ({
  username: 'alice',
  password: 'wonderland',
  csrf: field(page, 'csrf'),
})

describe('/par', () => {
  it('keeps a request for 90 seconds', async () => {
    const { server, response, requestUri } = await pushed()
    expect(response.status).toBe(201)
    expect(header(response, 'content-type')).toBe('application/json;charset=UTF-8')
    expect(header(response, 'cache-control')).toBe('no-store')
    expect(json(response)).toEqual({ request_uri: requestUri, expires_in: 90 })
    expect(requestUri).toMatch(/^urn:ietf:params:oauth:request_uri:[\w-]{43}$/)
    const shown = requestUri.replace(/:([\w-]{4})[\w-]+([\w-]{3})$/, ':$1…$2')
    expect(server.events).toEqual([
      { type: 'request.pushed', client_id: 'demo', request_uri: shown, expires_in: 90 },
    ])
  })

  it('accepts every authentication method of the token endpoint', async () => {
    const { post } = lab()
    expect((await post('/par', { ...request, client_secret: SECRET })).status).toBe(201)
    expect((await post('/par', { ...request, client_password: SECRET })).status).toBe(201)
    expect((await post('/par', codeRequest({ client_id: 'demo-public' }))).status).toBe(201)
    expect((await post('/par', { ...request, client_id: undefined }, [demo])).status).toBe(201)
  })

  const table: readonly [name: string, parameters: Parameters, error: string][] = [
    ['no authentication', { client_id: 'demo' }, 'invalid_client'],
    ['an unknown client', { client_id: 'nobody' }, 'invalid_client'],
    ['a request_uri', { request_uri: `${PREFIX}x`, client_secret: SECRET }, 'invalid_request'],
    ['a foreign address', { redirect_uri: 'https://a.example/', client_secret: SECRET }, 'invalid_request'],
    ['an unknown scope', { scope: 'nonsense', client_secret: SECRET }, 'invalid_scope'],
    ['a request object', { request: 'e30.e30.', client_secret: SECRET }, 'invalid_request_object'],
  ]
  it.each(table)('%s: is refused at once', async (_name, parameters, error) => {
    const { post, events } = lab()
    expectError(await post('/par', { ...request, ...parameters }), 400, error)
    expect(events.at(-1)).toMatchObject({ type: 'push.refused', status: 400, error })
  })

  it('reports how to register an address, as the authorization endpoint does', async () => {
    const { post, events } = lab()
    const redirect_uri = 'http://127.0.0.1:9876/callback/'
    await post('/par', { ...request, redirect_uri }, [demo])
    expect(events.at(-1)).toMatchObject({
      type: 'push.refused',
      evidence: redirect_uri,
      registered: expect.arrayContaining([CALLBACK]),
      differences: expect.arrayContaining([expect.stringContaining('the slash')]),
      to_register: `oauth-lab serve --redirect-uri ${redirect_uri}`,
    })
    await post('/par', { ...request, scope: 'nonsense' }, [demo])
    expect(events.at(-1)).not.toHaveProperty('registered')
  })

  it('answers 401, 405 and 413 like the token endpoint', async () => {
    const { post, send } = lab()
    const refused = await post('/par', request, [basic('demo', 'wrong')])
    expectError(refused, 401, 'invalid_client')
    expect(header(refused, 'www-authenticate')).toMatch(/^Basic /)
    const other = await send('GET', '/par')
    expect(header(other, 'allow')).toBe('POST')
    expectError(other, 405, 'invalid_request')
    expectError(await post('/par', `state=${'x'.repeat(70_000)}`), 413, 'invalid_request')
  })
})

describe('a pushed request', () => {
  it('is shown, answered after a login, and then spent', async () => {
    const { server, query: reference } = await pushed()
    const agent = browser(server)
    const target = `/authorization?${query(reference)}`
    const page = await agent.get(target)
    expect(page.status).toBe(200)
    expect(text(page.body)).toContain('Know who you are')
    expect(text(page.body)).toContain('<form method="post">')
    const form = formOf(page)
    const answer = landed(await agent.post(target, form))
    expect(answer).toMatchObject({ state: 'pushed', scope: 'openid', iss: ISSUER })
    expect((await server.redeem(answer.code ?? '')).status).toBe(200)
    const again = await agent.get(target)
    expect(again.status).toBe(400)
    expect(text(again.body)).toContain('invalid_request_uri')
    expect(header(again, 'location')).toBeUndefined()
    expect((await agent.post(target, form)).status).toBe(400)
  })

  it('gives the person time for the login, and lets the page be reloaded', async () => {
    const { server, query: reference } = await pushed()
    const agent = browser(server)
    const target = `/authorization?${query(reference)}`
    server.clock.now += 89_999
    await agent.get(target)
    server.clock.now += 10 * 60_000
    const page = await agent.get(target)
    const form = formOf(page)
    expect((await agent.post(target, { ...form, password: 'nope' })).status).toBe(200)
    expect(landed(await agent.post(target, form)).code).toBeDefined()
  })

  it('opens in one browser only', async () => {
    const { server, query: reference } = await pushed()
    expect((await server.authorize(reference)).status).toBe(200)
    const second = await server.authorize(reference)
    expect(second.status).toBe(400)
    expect(header(second, 'content-type')).toMatch(/^text\/html/)
  })

  it('opens only for the client that pushed it, and another client does not spend it', async () => {
    const { server, query: reference } = await pushed()
    for (const client_id of ['other', 'nobody', undefined]) {
      const response = await server.authorize({ ...reference, client_id })
      expect(response.status).toBe(400)
      expect(header(response, 'location')).toBeUndefined()
    }
    expect((await server.authorize(reference)).status).toBe(200)
  })

  it('ignores parameters beside it', async () => {
    const { server, query: reference } = await pushed()
    const more = { ...reference, redirect_uri: 'https://evil.example/', state: 'evil', scope: 'nonsense' }
    const page = await server.authorize(more)
    expect(page.status).toBe(200)
    expect(text(page.body)).not.toContain('evil')
  })

  it('is answered without a form in a session, and then spent', async () => {
    const server = lab()
    const agent = browser(server)
    await agent.login(request)
    const { query: reference } = await pushed({ ...request, prompt: 'none' }, server)
    const answer = landed(await agent.authorize(reference))
    expect(answer).toMatchObject({ state: 'pushed', code: expect.any(String) })
    expect((await agent.authorize(reference)).status).toBe(400)
  })

  it('is spent by an error that was sent to the client', async () => {
    const { server, query: reference } = await pushed({ ...request, prompt: 'none' })
    expect(landed(await server.authorize(reference))).toMatchObject({ error: 'login_required' })
    expect((await server.authorize(reference)).status).toBe(400)
  })

  it('may be opened with a POST', async () => {
    const { server, query: reference } = await pushed()
    const agent = browser(server)
    const page = await agent.post('/authorization', reference)
    const action = /<form method="post" action="([^"]*)">/
      .exec(text(page.body))?.[1]
      ?.replaceAll('&amp;', '&')
    const form = formOf(page)
    expect(landed(await agent.post(action ?? '', form)).code).toBeDefined()
  })

  it('keeps PKCE and the response mode', async () => {
    const server = lab()
    const parameters = { ...request, code_challenge: CHALLENGE, code_challenge_method: 'S256' }
    const { query: reference } = await pushed({ ...parameters, response_mode: 'fragment' }, server)
    const response = await browser(server).login(reference)
    expect(header(response, 'location')).toMatch(`${CALLBACK}#code=`)
    const code = new URLSearchParams(header(response, 'location')?.split('#')[1]).get('code') ?? ''
    expectError(await server.redeem(code), 400, 'invalid_grant')
  })

  it.each([`${PREFIX}unknown`, PREFIX, `${PREFIX}__proto__`])('%s: is refused', async requestUri => {
    const response = await lab().authorize({ client_id: 'demo', request_uri: requestUri })
    expect(response.status).toBe(400)
    expect(text(response.body)).toContain('invalid_request_uri')
  })
})
