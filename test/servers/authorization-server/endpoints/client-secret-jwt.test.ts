import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ecKey, makeJwt, part } from '../../../protocol/tokens/jwt-maker.js'
import { client, expectError, ISSUER, json, lab } from '../support.js'

const LONG = 'a-secret-that-has-sixty-four-bytes-and-a-few-more-0123456789-0123456789'
const SHORT = 'a-secret-of-32-bytes-0123456789-'
const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const method = { token_endpoint_auth_method: 'client_secret_jwt' as const }
const key = ecKey('one')
const grant_types = ['client_credentials']
const clients = [
  client('shared', { client_secret: LONG, grant_types, ...method }),
  client('short', { client_secret: SHORT, grant_types, ...method }),
  client('only512', {
    client_secret: LONG,
    grant_types,
    ...method,
    token_endpoint_auth_signing_alg: 'HS512',
  }),
  client('other', { client_secret: LONG, grant_types }),
  client('keyed', {
    jwks: { keys: [key.publicJwk] },
    grant_types,
    token_endpoint_auth_method: 'private_key_jwt',
  }),
]

const world = () => lab({ clients })
const now = Math.floor(world().clock.now / 1000)
let count = 0

/** An assertion that a secret signed. */
function sign(id: string, more: object = {}, { alg = 'HS256', secret = LONG } = {}): string {
  const claims = { iss: id, sub: id, aud: ISSUER, exp: now + 60, iat: now, jti: `id-${++count}`, ...more }
  const input = `${part({ alg })}.${part(claims)}`
  const mac = createHmac(`sha${alg.slice(2)}`, secret).update(input)
  return `${input}.${mac.digest('base64url')}`
}

const PUBLIC = { secret: JSON.stringify(key.publicJwk) }
const form = (assertion: string) => ({
  grant_type: 'client_credentials',
  client_assertion_type: TYPE,
  client_assertion: assertion,
})

describe('a client that signs with its secret (OpenID Connect Core §9)', () => {
  it.each([
    ['HS256', sign('shared')],
    ['HS512', sign('shared', {}, { alg: 'HS512' })],
    ['the algorithm that it registered', sign('only512', {}, { alg: 'HS512' })],
    ['a secret of 32 bytes', sign('short', {}, { secret: SHORT })],
  ])('is accepted with %s', async (_name, assertion) => {
    const response = await world().token(form(assertion), [])
    expect(json(response).error_description).toBeUndefined()
    expect(response.status).toBe(200)
  })

  it.each([
    ['another secret', sign('shared', {}, { secret: SHORT }), 'signature'],
    ['the name of another client', sign('shared', { sub: 'other' }), 'client_secret_jwt is a method'],
    ['another algorithm than it registered', sign('only512'), 'HS512'],
    ['too short a secret for it', sign('short', {}, { alg: 'HS512', secret: SHORT }), 'not registered'],
    ['a client without that method', sign('other'), 'is a method this client is not registered for'],
    ['the public key of a client with keys as the secret', sign('keyed', {}, PUBLIC), 'is a method'],
  ])('is refused with %s', async (_name, assertion, why) => {
    const response = await world().token(form(assertion), [])
    expectError(response, 400, 'invalid_client')
    expect(json(response).error_description).toContain(why)
  })

  it('is refused where it sends its secret, and where it signs with a key', async () => {
    const { token } = world()
    const sent = { grant_type: 'client_credentials', client_id: 'shared', client_secret: LONG }
    const secret = await token(sent, [])
    expectError(secret, 400, 'invalid_client')
    expect(json(secret).error_description).toContain('registered for client_secret_jwt')
    const claims = { iss: 'shared', sub: 'shared', aud: ISSUER, exp: now + 60, jti: 'k' }
    expectError(await token(form(makeJwt(key, { kid: 'one' }, claims)), []), 400, 'invalid_client')
  })
})
