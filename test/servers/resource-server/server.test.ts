import { describe, expect, it } from 'vitest'
import { bytes, type Header } from '../../../src/protocol/http/message.js'
import { MAX_BODY_BYTES } from '../../../src/servers/resource-server/settings.js'
import { baseUrl, issuer, server, start, tokenOf } from './support.js'

const writer = await tokenOf({ scope: 'records:read records:write' })

describe('without a token, the server', () => {
  it('greets at /', async () => {
    const answer = await server().send('/')
    expect(answer).toMatchObject({ status: 200, type: 'text/plain; charset=utf-8' })
    expect(answer.text).toContain('resource server')
  })

  it.each(['GET', 'POST', 'DELETE'])('answers %s /public and checks no token', async method => {
    const { send, fetched } = server()
    const answer = await send('/public', { method, headers: [['authorization', 'Bearer nonsense']] })
    expect(answer.status).toBe(200)
    expect(answer.json.message).toContain('Anyone')
    expect(fetched).toEqual([])
  })

  it.each([
    ['c770aef3-6784-41f7-8e0e-ff5f97bddb3a', 'c770aef3-6784-41f7-8e0e-ff5f97bddb3a'],
    [undefined, expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)],
    ['x'.repeat(129), expect.stringMatching(/^[\da-f-]{36}$/)],
  ])('has the interaction id of the request %s, or makes one, in every answer', async (sent, id) => {
    const headers: Header[] = sent === undefined ? [] : [['X-FAPI-Interaction-ID', sent]]
    for (const path of ['/', '/public', '/resource', '/nothing', '/mcp']) {
      expect((await server().send(path, { headers })).headers).toContainEqual(['x-fapi-interaction-id', id])
    }
  })

  it('publishes its metadata (RFC 9728 §3.2)', async () => {
    const answer = await server().send('/.well-known/oauth-protected-resource')
    expect(answer.type).toBe('application/json;charset=UTF-8')
    expect(answer.headers).toContainEqual(['cache-control', 'public, max-age=60'])
    expect(answer.json).toEqual({
      resource: baseUrl,
      authorization_servers: [issuer],
      scopes_supported: ['records:read', 'records:write'],
      authorization_details_types_supported: ['payment_initiation'],
      bearer_methods_supported: ['header'],
      resource_name: 'oauth-lab resource server',
      dpop_signing_alg_values_supported: expect.arrayContaining(['RS256', 'ES256', 'EdDSA']),
      dpop_bound_access_tokens_required: false,
    })
  })

  it('publishes each scope of its routes once', async () => {
    const routes = [{ path: '/a', scope: 'x  y' }, { path: '/b' }, { path: '/c', scope: 'y z ' }]
    const answer = await server({ settings: { routes } }).send('/.well-known/oauth-protected-resource')
    expect(answer.json.scopes_supported).toEqual(['x', 'y', 'z'])
  })

  it('answers 404 text/plain to other paths', async () => {
    for (const path of ['/nothing', '/resource/', '/Resource', '/resource/x', '/records/1']) {
      expect(await server().send(path)).toMatchObject({ status: 404, type: 'text/plain; charset=utf-8' })
    }
  })
})

describe('routes', () => {
  it('answer 405 to a method that no route of the path accepts', async () => {
    const answer = await server().send('/records', { method: 'DELETE' })
    expect(answer.status).toBe(405)
    expect(answer.headers).toContainEqual(['allow', 'GET, HEAD, POST'])
    expect(answer).toMatchObject({ type: 'text/plain; charset=utf-8', challenges: [] })
    expect(answer.text).toBe('DELETE is not allowed here. Allowed: GET, HEAD, POST\n')
  })

  it('answer HEAD like GET, and the first that fits answers', async () => {
    const routes = [
      { path: '/mail', methods: ['PUT'], scope: 'mail:write' },
      { path: '/mail', methods: ['GET', 'PUT'] },
    ]
    const { withToken, send } = server({ settings: { routes } })
    const token = await tokenOf()
    expect((await withToken(token, '/mail', 'HEAD')).status).toBe(200)
    expect((await withToken(token, '/mail', 'PUT')).status).toBe(403)
    expect((await send('/mail', { method: 'POST' })).headers).toContainEqual(['allow', 'PUT, GET, HEAD'])
  })

  it('of the lab file need their scope, and may restrict the built-in routes', async () => {
    const routes = [
      { path: '/mail', methods: ['GET'], scope: 'mail:read mail:list' },
      { path: '/resource', scope: 'all' },
      { path: '/public', scope: 'all' },
    ]
    const { withToken, send } = server({ settings: { routes } })
    const all = await tokenOf({ scope: 'mail:list x mail:read' })
    expect((await withToken(all, '/mail')).json.sub).toBe('alice')
    const lacking = await withToken(await tokenOf({ scope: 'mail:list' }), '/mail')
    expect(lacking.json.error_description).toContain('the scope mail:read is needed')
    expect(lacking.challenges[0]).toContain('scope="mail:read mail:list"')
    expect((await withToken(all)).status).toBe(403)
    expect((await send('/public')).status).toBe(401)
    expect((await send('/records')).status).toBe(404)
  })

  it('answer 413 to a body beyond the limit', async () => {
    const answer = await server().send('/resource', {
      method: 'POST',
      body: new Uint8Array(MAX_BODY_BYTES + 1),
    })
    expect(answer).toMatchObject({ status: 413, challenges: [], json: { error: 'content_too_large' } })
    expect(answer.headers).toContainEqual(['cache-control', 'no-store'])
    const longest = { method: 'POST', body: new Uint8Array(MAX_BODY_BYTES) }
    expect((await server().send('/resource', longest)).status).toBe(401)
  })
})

describe('/records', () => {
  const json = ['content-type', 'application/json'] as const
  const headers = [['authorization', `Bearer ${writer}`], json] as const
  const post = (to: ReturnType<typeof server>, body: string | Uint8Array, type: Header = json) =>
    to.send('/records', {
      method: 'POST',
      headers: [headers[0], type],
      body: typeof body === 'string' ? bytes(body) : body,
    })

  it('lists the posted values', async () => {
    const to = server()
    expect((await to.withToken(writer, '/records')).json).toEqual({ records: [] })
    const added = await post(to, '{"title":"a"}')
    expect(added.status).toBe(201)
    expect(added.json).toEqual({
      id: 'AAAAAAAAAAAA',
      at: new Date(start).toISOString(),
      by: 'alice',
      value: { title: 'a' },
    })
    expect((await to.withToken(writer, '/records')).json).toEqual({ records: [added.json] })
  })

  it('keeps the last 100 values', async () => {
    const to = server()
    for (let i = 0; i < 105; i++) await post(to, String(i))
    const { records } = (await to.withToken(writer, '/records')).json as { records: { value: number }[] }
    expect(records.map(each => each.value)).toEqual(Array.from({ length: 100 }, (_, i) => i + 5))
  })

  it('answers HEAD, and other methods of a route with the claims', async () => {
    const to = server({ settings: { routes: [{ path: '/records' }] } })
    await post(to, '1')
    for (const method of ['GET', 'HEAD']) {
      const answer = await to.withToken(writer, '/records', method)
      expect(answer.json.records).toHaveLength(1)
      expect(answer.headers).toContainEqual(['cache-control', 'no-store'])
    }
    expect((await to.withToken(writer, '/records', 'DELETE')).json.sub).toBe('alice')
  })

  it('keeps a value of the longest size, and names nobody for a token without sub', async () => {
    const to = server()
    const value = 'x'.repeat(4094)
    expect(await post(to, `"${value}"`)).toMatchObject({ status: 201, json: { value } })
    const nameless = await tokenOf({ scope: 'records:write', sub: 7 })
    const nobody = ['authorization', `Bearer ${nameless}`] as const
    const answer = await to.send('/records', { method: 'POST', headers: [nobody, json], body: bytes('1') })
    expect(answer.json).toMatchObject({ by: null, value: 1 })
    expect(answer.headers).toContainEqual(['cache-control', 'no-store'])
  })

  it('publishes no accepted request for a refused value', async () => {
    const to = server()
    await post(to, '{')
    expect(to.events.map(each => each.type)).toEqual(['keys.fetched', 'resource.refused'])
  })

  it.each([
    ['{', 400],
    ['', 400],
    [`"${'x'.repeat(4095)}"`, 413],
    [new Uint8Array([0x22, 0xff, 0x22]), 400],
  ])('refuses a body that is not JSON, or too long', async (body, status) => {
    expect((await post(server(), body)).status).toBe(status)
  })

  it('refuses another content type than JSON', async () => {
    const text = ['content-type', 'text/plain'] as const
    expect((await post(server(), '{}', text)).status).toBe(400)
  })
})

describe('scripts of other origins', () => {
  const origin = ['origin', 'https://spa.example'] as const

  it('get an answer to a preflight of every path, without a token', async () => {
    for (const path of ['/resource', '/records', '/nothing']) {
      const answer = await server().send(path, {
        method: 'OPTIONS',
        headers: [
          origin,
          ['access-control-request-method', 'DELETE'],
          ['access-control-request-headers', 'dpop'],
        ],
      })
      expect(answer.status).toBe(204)
      const allowed = new Map(answer.headers)
      expect(allowed.get('access-control-allow-origin')).toBe('*')
      expect(allowed.get('access-control-allow-methods')).toContain('DELETE')
      expect(allowed.get('access-control-allow-headers')).toMatch(/Authorization.*DPoP/)
    }
  })

  it.each([
    ['POST', [origin, ['access-control-request-method', 'PUT']]],
    ['OPTIONS', [origin]],
    ['OPTIONS', [['access-control-request-method', 'PUT']]],
  ] as [string, Header[]][])('get no preflight for %s with %j', async (method, headers) => {
    expect((await server().send('/resource', { method, headers })).status).toBe(401)
  })

  it('may read every answer, including errors and their challenges', async () => {
    const { send, withToken } = server({ published: new Map() })
    const answers = [
      await send('/public'),
      await send('/resource'),
      await send('/x'),
      await withToken(await tokenOf()),
    ]
    expect(answers.map(each => each.status)).toEqual([200, 401, 404, 503])
    for (const { headers } of answers) {
      expect(headers).toContainEqual(['access-control-allow-origin', '*'])
      expect(new Map(headers).get('access-control-expose-headers')).toContain('WWW-Authenticate')
    }
  })
})

describe('an internal error', () => {
  it('is answered 500 without detail, and its detail is in an event', async () => {
    const macKeys = () => {
      throw new Error('the store is gone')
    }
    const { send, events } = server({ ports: { macKeys } })
    const answer = await send('/resource', { headers: [['authorization', 'MAC id=a, nonce=1:b, mac=c']] })
    expect(answer).toMatchObject({ status: 500, challenges: [], json: { error: 'server_error' } })
    expect(answer.headers).toContainEqual(['cache-control', 'no-store'])
    expect(answer.text).not.toContain('store')
    expect(events.at(-1)).toEqual({
      type: 'server.failed',
      site: 'resource',
      method: 'GET',
      path: '/resource',
      description: 'Error: the store is gone',
    })
  })

  it('may be a value that is no error', async () => {
    const { send, events } = server({ ports: { macKeys: () => Promise.reject('gone') } })
    const answer = await send('/resource', { headers: [['authorization', 'MAC id=a, nonce=1:b, mac=c']] })
    expect(answer.status).toBe(500)
    expect(events.at(-1)).toMatchObject({ type: 'server.failed', description: 'unknown' })
  })
})
