import { sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { edKey, knownRsaKey, makeHmacJwt, makeJwt, part } from '../../../protocol/tokens/jwt-maker.js'
import { CALLBACK, client, ISSUER, landed, SECRET } from '../support.js'
import { EXAMPLE, EXAMPLE_KEY } from './rfc9101-example.js'
import {
  accepted,
  claims,
  clients,
  key,
  now,
  of,
  refused,
  signed,
  stranger,
  unsigned,
  world,
} from './support.js'

const WITHOUT = { iss: undefined, aud: undefined, exp: undefined, nbf: undefined }
const send = (request: string, id = 'signer') => ({ client_id: id, request })

describe('a request object is accepted', () => {
  it.each([
    ['signed, with its type', send(signed())],
    ['with the type JWT', send(signed({}, { typ: 'JWT' }))],
    ['with the whole media type', send(signed({}, { typ: 'application/OAuth-AuthZ-Req+JWT' }))],
    ['without a type', send(makeJwt(key, { kid: 'one' }, claims()))],
    ['without iss, aud, exp and nbf', send(signed(WITHOUT))],
    ['with an audience among others', send(signed({ aud: ['https://x.example', ISSUER] }))],
    ['of a clock that is a little ahead', send(signed({ nbf: now + 20, iat: now + 20 }))],
    ['with the secret of the client', send(makeHmacJwt(SECRET, {}, claims(of('demo'))), 'demo')],
    ['of the registered algorithm', send(signed(of('only-es256')), 'only-es256')],
    ['unsigned, of a client that is registered so', send(unsigned(of('unsigned')), 'unsigned')],
    ['with a sub that is not the client', send(signed({ sub: 'alice' }))],
  ])('%s', async (_name, parameters) => {
    expect(await accepted(parameters)).toMatchObject({ client_id: parameters.client_id, delivery: 'value' })
  })

  it('as Ed25519 where EdDSA is registered (RFC 9864 §2.2)', async () => {
    const ed = edKey('ed')
    const registered = client('signer', {
      jwks: { keys: [ed.publicJwk] },
      request_object_signing_alg: 'EdDSA',
    })
    const input = `${part({ alg: 'Ed25519', kid: 'ed' })}.${part(claims())}`
    const request = `${input}.${sign(null, Buffer.from(input), ed.privateKey).toString('base64url')}`
    expect(await accepted(send(request), world({ clients: [registered] }))).toMatchObject({ alg: 'Ed25519' })
  })

  it('with an event that has each check, and its parameters', async () => {
    const event = await accepted(send(signed()))
    expect(event).toMatchObject({
      rules: 'RFC 9101 §6.3',
      alg: 'ES256',
      parameters: ['response_type', 'redirect_uri', 'scope', 'state'],
    })
    const { checks } = event as unknown as { checks: { name: string; ok: boolean }[] }
    expect(checks.map(each => each.name)).toEqual([
      ...['typ', 'alg', 'signature', 'client_id', 'iss', 'aud', 'exp', 'nbf'],
    ])
    expect(checks.every(each => each.ok)).toBe(true)
  })

  it('and leads to a code, by the form that the page has', async () => {
    const server = world()
    const { page, cookies, csrf } = await server.openForm(send(signed()))
    const action = /action="([^"]+)"/.exec(Buffer.from(page.body).toString())?.[1]?.replaceAll('&amp;', '&')
    expect(action).toContain('request_uri=urn%3Aietf%3Aparams%3Aoauth%3Arequest_uri%3Aobject%3A')
    // The login may take longer than the object lives.
    server.clock.now += 20 * 60_000
    const form = { username: 'alice', password: 'wonderland', csrf }
    const answer = landed(await server.post(action ?? '', form, cookies))
    expect(answer).toMatchObject({ code: expect.any(String), state: 'inside' })
    expect((await server.post(action ?? '', form, cookies)).status).toBe(400)
  })

  it('of RFC 9101 §4, whose signature holds', async () => {
    const example = client('s6BhdRkqt3', {
      jwks: { keys: [EXAMPLE_KEY] },
      redirect_uris: ['https://client.example.org/cb'],
      response_types: ['code id_token'],
      grant_types: ['authorization_code', 'implicit'],
    })
    const server = world({ clients: [example], issuer: 'https://server.example.com' })
    await accepted({ client_id: 's6BhdRkqt3', request: EXAMPLE }, server)
    expect(server.events.find(({ type }) => type === 'authorization.requested')).toMatchObject({
      response_type: 'code id_token',
      redirect_uri: 'https://client.example.org/cb',
      scope: 'openid',
    })
  })
})

describe('a request object is refused', () => {
  const rsa = knownRsaKey(2)
  const table: readonly [name: string, parameters: Record<string, string>, rule: string][] = [
    ['signed with another key', send(signed({}, {}, stranger)), 'RFC 9101 §6.2'],
    ['with an unknown kid', send(signed({}, { kid: 'two' })), 'RFC 9101 §6.2'],
    ['of a client without keys', send(signed(of('unsigned')), 'unsigned'), 'OpenID Connect Core §6.3.2'],
    ['with alg none', send(unsigned()), 'RFC 9101 §10.5'],
    ['with alg none and a signature', send(`${unsigned(of('unsigned'))}AAAA`, 'unsigned'), 'RFC 7518 §3.6'],
    ['of a short secret', send(makeHmacJwt('x', {}, claims())), 'RFC 9101 §6.2'],
    [
      'by the public key as a secret',
      send(makeHmacJwt(JSON.stringify(key.publicJwk), {}, claims())),
      'RFC 9101 §6.2',
    ],
    [
      'of another algorithm than the registered one',
      send(makeJwt(rsa, {}, claims(of('only-es256'))), 'only-es256'),
      'OpenID Connect Core §6.3.2',
    ],
    ['of the type of another JWT', send(signed({}, { typ: 'at+jwt' })), 'RFC 9101 §10.8'],
    ['with a type that is no text', send(signed({}, { typ: ['JWT'] })), 'RFC 9101 §10.8'],
    ['of another client', send(signed({ client_id: 'demo' })), 'RFC 9101 §6.3'],
    ['without client_id', send(signed({ client_id: undefined })), 'RFC 9101 §6.3'],
    ['with another issuer', send(signed({ iss: 'demo' })), 'RFC 9101 §4'],
    ['that could be a client assertion', send(signed({ sub: 'signer' })), 'RFC 9101 §10.8'],
    ['for another server', send(signed({ aud: 'https://other.example' })), 'RFC 7519 §4.1.3'],
    ['expired this second', send(signed({ exp: now })), 'RFC 7519 §4.1.4'],
    ['with an exp that is no number', send(signed({ exp: 'tomorrow' })), 'RFC 7519 §4.1.4'],
    ['not yet valid', send(signed({ nbf: now + 60 })), 'RFC 7519 §4.1.5'],
    ['issued in the future', send(signed({ iat: now + 60 })), 'RFC 7519 §4.1.6'],
    ['with a jti that is no text', send(signed({ jti: 7 })), 'RFC 7519 §4.1.7'],
    ['with an unknown critical member', send(signed({}, { crit: ['x'], x: 1 })), 'RFC 9101 §6.2'],
    ['with request inside', send(signed({ request: 'x' })), 'RFC 9101 §4'],
    ['with request_uri inside', send(signed({ request_uri: 'https://x.example' })), 'RFC 9101 §4'],
    ['with a state that is a number', send(signed({ state: 7 })), 'RFC 9101 §4'],
    ['with a scope that is a list', send(signed({ scope: ['records:read'] })), 'RFC 9101 §4'],
    ['that is no JWT', send('e30'), 'RFC 9101 §4'],
  ]
  it.each(table)('%s', async (_name, parameters, rule) => {
    const outside = { ...parameters, response_type: 'code', redirect_uri: CALLBACK, state: 'outside' }
    expect(await refused(outside)).toMatchObject({
      error: 'invalid_request_object',
      channel: 'redirect',
      client_id: parameters.client_id,
      rule,
    })
  })

  it('unless the client is registered, when nothing of it is read', async () => {
    expect(await refused(send(signed(), 'nobody'))).toMatchObject({ error: 'unauthorized_client' })
    const off = clients.map(each => ({ ...each, enabled: false }))
    expect(await refused(send(signed()), world({ clients: off }))).toMatchObject({
      error: 'unauthorized_client',
    })
  })
})
