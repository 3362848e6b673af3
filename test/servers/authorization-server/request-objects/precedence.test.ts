import { describe, expect, it } from 'vitest'
import { CALLBACK, client, expectError, type Parameters } from '../support.js'
import { accepted, clients, of, refused, signed, unsigned, type World, world } from './support.js'

const OTHER = 'https://client.example/cb'
const only = { client_id: 'signer', request: signed() }
/** A request of OpenID Connect, with its parameters beside the object. */
const login: Parameters = { client_id: 'signer', response_type: 'code', scope: 'openid' }

const requested = (server: World) =>
  server.events.find(({ type }) => type === 'authorization.requested') as Record<string, unknown> | undefined

describe('without openid, only the object counts (RFC 9101 §6.3)', () => {
  it('and everything beside it is ignored', async () => {
    const server = world()
    const outside = { ...only, scope: 'records:write', redirect_uri: OTHER, state: 'x', nonce: 'n' }
    expect(await accepted(outside, server)).toMatchObject({
      rules: 'RFC 9101 §6.3',
      ignored: ['scope', 'redirect_uri', 'state', 'nonce'],
    })
    expect(requested(server)).toMatchObject({ scope: 'records:read', redirect_uri: CALLBACK })
  })

  it('and what it lacks is not taken from outside', async () => {
    const request = signed({ response_type: undefined, redirect_uri: CALLBACK })
    const server = world({ responseTypeErrors: 'redirect' })
    expect(await refused({ ...only, response_type: 'code', request }, server)).toMatchObject({
      error: 'invalid_request',
      channel: 'redirect',
    })
  })

  it('even where the scope outside asks for openid, and that of the object does not', async () => {
    const server = world()
    const outside = { ...login, request: signed(), nonce: 'added', prompt: 'none' }
    expect(await accepted(outside, server)).toMatchObject({ rules: 'RFC 9101 §6.3' })
    expect(requested(server)).toMatchObject({ scope: 'records:read' })
  })

  it('even in a login, where the client requires signed objects', async () => {
    const server = world({ clients: clients.map(each => ({ ...each, require_signed_request_object: true })) })
    const request = signed({ scope: 'openid' })
    expect(await accepted({ ...login, request, prompt: 'none' }, server)).toMatchObject({
      rules: 'RFC 9101 §6.3',
      ignored: ['response_type', 'scope', 'prompt'],
    })
  })

  it('even in a login that is sent as RFC 9101 §5 says', async () => {
    expect(await accepted({ ...only, request: signed({ scope: 'openid' }) })).toMatchObject({
      rules: 'RFC 9101 §6.3',
    })
  })
})

describe('in a login, both count (OpenID Connect Core §6.1)', () => {
  it('and the parameters of the object go first', async () => {
    const server = world()
    const request = signed({ scope: 'openid email', state: 'inside' })
    const outside = { ...login, request, redirect_uri: 'https://evil.example/', prompt: 'login' }
    expect(await accepted(outside, server)).toMatchObject({
      rules: 'OpenID Connect Core §6.3.3',
      ignored: ['response_type', 'scope', 'redirect_uri'],
    })
    expect(requested(server)).toMatchObject({ scope: 'openid email', redirect_uri: CALLBACK })
  })

  it('and an unsigned object is accepted, which may lack all but its own parameters', async () => {
    const server = world()
    const request = unsigned({ client_id: undefined, response_type: undefined, scope: undefined })
    expect(await accepted({ ...login, request }, server)).toMatchObject({ alg: 'none' })
    expect(requested(server)).toMatchObject({ scope: 'openid' })
  })

  it('and max_age, claims and resources are those of the object', async () => {
    const server = world()
    const request = signed({
      scope: 'openid',
      max_age: 0,
      claims: { id_token: { email: null } },
      resource: ['https://a.example', 'https://b.example'],
      'https://claims.example/more': { deep: [1] },
    })
    await accepted({ ...login, request }, server)
    expect(requested(server)).toMatchObject({ claims: ['email'], ignored: ['https://claims.example/more'] })
  })

  it('and another response_type is refused', async () => {
    const request = signed({ scope: 'openid', response_type: 'id_token' })
    expect(await refused({ ...login, request })).toMatchObject({
      error: 'invalid_request_object',
      rule: 'OpenID Connect Core §6.1',
    })
  })

  it('and another client_id is refused', async () => {
    const request = signed({ scope: 'openid', client_id: 'demo' })
    expect(await refused({ ...login, request })).toMatchObject({ rule: 'RFC 9101 §6.3' })
  })
})

describe('where signed objects are required (RFC 9101 §10.5)', () => {
  it.each([
    ['by the client', 'must-sign', {}],
    ['by the server', 'signer', { requireSignedRequestObject: true }],
  ])('%s, other requests are refused', async (_name, id, settings) => {
    const plain = { client_id: id, response_type: 'code', redirect_uri: CALLBACK, scope: 'openid' }
    const refusal = { error: 'invalid_request', channel: 'redirect', rule: 'RFC 9101 §10.5' }
    expect(await refused(plain, world(settings))).toMatchObject(refusal)
    const request = unsigned({ ...of(id), scope: 'openid' })
    const unsafe = await refused({ ...plain, request }, world(settings))
    expect(unsafe).toMatchObject({ ...refusal, error: 'invalid_request_object' })
    await accepted({ client_id: id, request: signed(of(id)) }, world(settings))
  })

  it('even of a client that is registered for alg none', async () => {
    const request = unsigned(of('unsigned'))
    const server = world({ requireSignedRequestObject: true })
    expect(await refused({ client_id: 'unsigned', request, redirect_uri: CALLBACK }, server)).toMatchObject({
      rule: 'RFC 9101 §10.5',
    })
  })
})

describe('a pushed request object (RFC 9126 §3)', () => {
  const secret = client('demo', { client_secret: 'x'.repeat(40), jwks: clients[0]?.jwks as { keys: [] } })
  const push = (form: Parameters, server: World) =>
    server.post('/par', { client_secret: 'x'.repeat(40), ...form })
  const open = () => world({ clients: [secret] })

  it('counts alone, and the browser needs no more than request_uri', async () => {
    const server = open()
    const form = { client_id: 'demo', request: signed(of('demo')), scope: 'records:write', state: 'x' }
    const { request_uri } = JSON.parse(Buffer.from((await push(form, server)).body).toString())
    expect(server.events.find(({ type }) => type === 'request_object.accepted')).toMatchObject({
      delivery: 'pushed',
      ignored: ['scope', 'state'],
    })
    expect((await server.authorize({ client_id: 'demo', request_uri })).status).toBe(200)
    expect(requested(server)).toMatchObject({ scope: 'records:read' })
  })

  it.each([
    ['unsigned', unsigned(of('demo'))],
    ['unsigned in a login', unsigned({ ...of('demo'), scope: 'openid' })],
    ['of another client', signed({ iss: 'demo' })],
    ['that is no JWT', 'nonsense'],
  ])('is refused %s', async (_name, request) => {
    const server = open()
    const form = { ...login, client_id: 'demo', redirect_uri: CALLBACK, request }
    expectError(await push(form, server), 400, 'invalid_request_object')
    expect(server.events.at(-1)).toMatchObject({ type: 'push.refused', error: 'invalid_request_object' })
  })

  it('is what a server that requires signed objects asks for (RFC 9126 §2.3)', async () => {
    const server = world({ clients: [secret], requireSignedRequestObject: true })
    const answer = await push({ client_id: 'demo', response_type: 'code', redirect_uri: CALLBACK }, server)
    expectError(answer, 400, 'invalid_request')
  })
})
