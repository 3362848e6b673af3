import { describe, expect, it } from 'vitest'
import { client, json, landed } from '../support.js'
import { accepted, key, now, of, refused, signed, world } from './support.js'

const strict = (more: object = {}) => ({ client_id: 'strict', request: signed({ ...of('strict'), ...more }) })
const used = { error: 'invalid_request_object', description: 'the request object was used before' }

describe('a strict request object', () => {
  it.each([
    ['without aud', { aud: undefined }, 'RFC 7519 §4.1.3'],
    ['without exp', { exp: undefined }, 'RFC 7519 §4.1.4'],
    ['without nbf', { nbf: undefined }, 'FAPI 2.0 Message Signing §5.3.1'],
    ['that lives for more than an hour', { exp: now + 3601 }, 'FAPI 2.0 Message Signing §5.3.1'],
    ['of more than an hour ago', { nbf: now - 3601, exp: now + 1 }, 'FAPI 2.0 Message Signing §5.3.1'],
  ])('%s is refused', async (_name, more, rule) => {
    expect(await refused(strict(more))).toMatchObject({ error: 'invalid_request_object', rule })
    // Other clients may send it.
    await accepted({ client_id: 'signer', request: signed(more) })
  })

  it.each([
    ['with a jti', { jti: 'one' }],
    ['without a jti', {}],
  ])('%s is accepted in one browser, until it is answered', async (_name, more) => {
    const server = world()
    const { cookies, csrf } = await server.openForm(strict(more))
    const query = new URLSearchParams(strict(more)).toString()
    expect((await server.get(`/authorization?${query}`, cookies)).status).toBe(200)
    expect(await refused2(server, query)).toMatchObject(used)
    const form = { username: 'alice', password: 'wonderland', csrf }
    const answer = await server.post(`/authorization?${query}`, form, cookies)
    expect(landed(answer)).toMatchObject({ code: expect.any(String) })
    await server.get(`/authorization?${query}`, cookies)
    expect(server.events.at(-1)).toMatchObject(used)
  })

  const refused2 = async (server: ReturnType<typeof world>, query: string) => {
    await server.get(`/authorization?${query}`)
    return server.events.at(-1)
  }

  it('with the jti of another client’s object is accepted', async () => {
    const clients = ['a', 'b'].map(id =>
      client(id, { jwks: { keys: [key.publicJwk] }, strict_request_objects: true }),
    )
    const server = world({ clients })
    for (const id of ['a', 'b']) {
      const request = signed({ ...of(id), jti: 'same' })
      expect((await server.authorize({ client_id: id, request })).status).toBe(200)
    }
  })

  it('is pushed once', async () => {
    const server = world({
      strictRequestObjects: true,
      clients: [
        client('demo-public', { jwks: { keys: [key.publicJwk] }, token_endpoint_auth_method: 'none' }),
      ],
    })
    const form = { client_id: 'demo-public', request: signed({ ...of('demo-public'), jti: 'one' }) }
    expect((await server.post('/par', form)).status).toBe(201)
    const again = await server.post('/par', form)
    expect([again.status, json(again).error]).toEqual([400, 'invalid_request_object'])
    // A pushed object is used up for browsers too.
    await server.authorize(form)
    expect(server.events.at(-1)).toMatchObject(used)
  })

  it('that was refused stays unused', async () => {
    const server = world()
    await refused({ ...strict({ jti: 'one', nbf: now + 60 }) }, server)
    server.clock.now += 60_000
    await accepted2(server, strict({ jti: 'one', nbf: now + 60 }))
  })

  const accepted2 = async (server: ReturnType<typeof world>, parameters: Record<string, string>) =>
    expect((await server.authorize(parameters)).status).toBe(200)

  it('is one of the clients that ask for it: others may repeat theirs', async () => {
    const server = world()
    for (let i = 0; i < 2; i++)
      await accepted2(server, { client_id: 'signer', request: signed({ jti: 'one' }) })
  })
})
