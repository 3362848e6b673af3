import { describe, expect, it } from 'vitest'
import type { Header } from '../../../../src/protocol/http/message.js'
import { ecKey, knownRsaKey, makeJwt } from '../../../protocol/tokens/jwt-maker.js'
import { basic, client, expectError, ISSUER, json, lab, type Parameters } from '../support.js'

const key = ecKey('one')
const rsa = knownRsaKey(2, 'two')
const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const clients = [
  client('signer', {
    grant_types: ['client_credentials'],
    jwks: { keys: [key.publicJwk, rsa.publicJwk] },
    token_endpoint_auth_method: 'private_key_jwt',
  }),
  client('both', {
    client_secret: 'x',
    jwks: { keys: [key.publicJwk] },
    grant_types: ['client_credentials'],
  }),
  client('secret', { client_secret: 'x', grant_types: ['client_credentials'] }),
  client('off', { enabled: false, jwks: { keys: [key.publicJwk] }, grant_types: ['client_credentials'] }),
]

const world = () => lab({ clients })
const now = Math.floor(world().clock.now / 1000)
let count = 0
const claims = (more: object = {}) => ({
  iss: 'signer',
  sub: 'signer',
  aud: ISSUER,
  exp: now + 60,
  iat: now,
  jti: `id-${++count}`,
  ...more,
})
const sign = (more: object = {}, header: object = { kid: 'one' }, by = key) =>
  makeJwt(by, header, claims(more))
const BOTH = { iss: 'both', sub: 'both' }
const form = (assertion: string, more: Parameters = {}): Parameters => ({
  grant_type: 'client_credentials',
  client_assertion_type: TYPE,
  client_assertion: assertion,
  ...more,
})

describe('a client that signs (RFC 7523 §2.2)', () => {
  it.each([
    ['the issuer as audience', form(sign())],
    ['the token endpoint as audience', form(sign({ aud: `${ISSUER}/token` }))],
    ['an audience among others', form(sign({ aud: ['https://x.example', ISSUER] }))],
    ['an RSA key', form(sign({}, { kid: 'two' }, rsa))],
    ['its client_id beside it', form(sign(), { client_id: 'signer' })],
    ['a secret it has and does not use', form(sign(BOTH))],
  ])('is accepted with %s', async (_name, parameters) => {
    const response = await world().token(parameters, [])
    expect(json(response).error_description).toBeUndefined()
    expect(response.status).toBe(200)
  })

  it('is accepted once with each assertion', async () => {
    const { token, events } = world()
    const parameters = form(sign())
    expect((await token(parameters, [])).status).toBe(200)
    expectError(await token(parameters, []), 400, 'invalid_client')
    expect(events.at(-1)).toMatchObject({ type: 'token.refused', rule: 'RFC 7523 §3' })
    expect(JSON.stringify(events)).not.toContain(parameters.client_assertion)
  })

  it.each(['', '/token', '/introspection'])('may name %j of the issuer as audience', async path => {
    const { post } = world()
    const client_assertion = sign({ aud: `${ISSUER}${path}` })
    const asked = { token: 'x', client_assertion_type: TYPE, client_assertion }
    expect(json(await post('/introspection', asked))).toEqual({ active: false })
  })

  const unsigned = () => sign().replace(/[^.]*$/, '')
  const bad: readonly [name: string, form: () => Parameters, error?: string, headers?: Header[]][] = [
    ['no signature', () => form(unsigned())],
    ['another issuer', () => form(sign({ iss: 'both' }))],
    ['an unknown client', () => form(sign({ iss: 'nobody', sub: 'nobody' }))],
    ['a client without keys', () => form(sign({ iss: 'secret', sub: 'secret' }))],
    ['a disabled client', () => form(sign({ iss: 'off', sub: 'off' }))],
    ['another client_id', () => form(sign(), { client_id: 'both' })],
    ['another type', () => form(sign(), { client_assertion_type: 'urn:x' })],
    ['no type', () => form(sign(), { client_assertion_type: undefined })],
    ['a type alone', () => form('', { client_id: 'signer' }), 'invalid_request'],
    ['a secret beside it', () => form(sign(BOTH), { client_secret: 'x' }), 'invalid_request'],
    ['the header beside it', () => form(sign(BOTH)), 'invalid_request', [basic('both', 'x')]],
  ]
  it.each(bad)('is refused with %s', async (_name, parameters, error = 'invalid_client', headers = []) => {
    expectError(await world().token(parameters(), headers), 400, error)
  })

  it('is refused with the assertion in the query or repeated', async () => {
    const { post, token } = world()
    const asked = { grant_type: 'client_credentials' }
    const inQuery = `/token?client_assertion=${sign()}&client_assertion_type=${TYPE}`
    expectError(await post(inQuery, asked), 400, 'invalid_request')
    const twice = `grant_type=client_credentials&client_assertion_type=${TYPE}&client_assertion=${sign()}&client_assertion=${sign()}`
    expectError(await token(twice, []), 400, 'invalid_request')
  })
})
