import { describe, expect, it } from 'vitest'
import { type Header, type HttpResponse, header } from '../../../../src/protocol/http/message.js'
import { fixedKeyring, loadSharedSecret } from '../../../../src/protocol/tokens/keys.js'
import type { Grant } from '../../../../src/servers/authorization-server/grants/grant.js'
import { GRANTS } from '../../../../src/servers/authorization-server/grants/index.js'
import { tooFull } from '../../../../src/servers/authorization-server/stores/issued-tokens.js'
import { basic, client, expectError, json, lab, type Parameters, SECRET, settings } from '../support.js'

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const ASSERTION = { client_assertion_type: 'urn:x', client_assertion: 'x' }
const OTHER = basic('other', 'other-secret')

it.each<[name: string, form: Parameters, headers: Header[], evidence: string]>([
  ['no client', {}, [], 'no client_id'],
  ['a client_id alone', { client_id: 'nobody' }, [], 'nobody'],
  ['a secret in the body', { client_id: 'demo', client_secret: 'x' }, [], 'demo'],
  ['a secret in the header', {}, [basic('demo', 'x')], 'demo'],
  ['a name that is encoded', {}, [basic('a%2Fb', 'x')], 'a/b'],
  ['a disabled client', {}, [basic('demo-disabled', 'disabled-secret')], 'demo-disabled'],
  ['an assertion', { ...ASSERTION, client_assertion_type: TYPE }, [], 'no client_id'],
  ['an assertion with a client_id', { ...ASSERTION, client_id: 'signer' }, [], 'signer'],
])(
  'the evidence of a failed client authentication is the client: %s',
  async (_name, form, headers, evidence) => {
    const { token, events } = lab()
    await token({ grant_type: 'client_credentials', ...form }, headers)
    expect(events.at(-1)).toMatchObject({ error: 'invalid_client', rule: 'RFC 6749 §3.2.1', evidence })
  },
)

describe('a client', () => {
  const clients = [
    client('open', { client_secret: 'x', token_endpoint_auth_method: 'none' }),
    ...settings.clients,
  ]
  const attempt = (form: Parameters, headers: readonly Header[] = []) =>
    lab({ clients }).post('/revocation', { token: 'x', ...form }, headers)

  it('that is registered for no authentication needs none, whatever secret it has', async () => {
    expect((await attempt({ client_id: 'open' })).status).toBe(200)
    expectError(await attempt({ client_id: 'open', client_secret: 'x' }), 400, 'invalid_client')
  })

  it('whose secret was changed authenticates with the new one', async () => {
    const changing = [...settings.clients]
    const { post } = lab({ clients: changing })
    const revoke = (secret: string) => post('/revocation', { token: 'x' }, [basic('demo', secret)])
    expect((await revoke(SECRET)).status).toBe(200)
    changing.push({ ...settings.clients[0]!, client_secret: 'changed' })
    expectError(await revoke(SECRET), 401, 'invalid_client')
    expect((await revoke('changed')).status).toBe(200)
  })
})

it('a server that is full asks for a pause of a minute', async () => {
  const full: Grant = {
    grantType: 'urn:example:full',
    parameters: [],
    decide: async () => {
      throw tooFull()
    },
  }
  const clients = [client('demo', { client_secret: SECRET, grant_types: [full.grantType] })]
  const { token, events } = lab({ clients }, undefined, undefined, [...GRANTS, () => full])
  const answer = await token({ grant_type: full.grantType })
  expectError(answer, 503, 'temporarily_unavailable')
  expect(header(answer, 'retry-after')).toBe('60')
  expect(events.at(-1)).toMatchObject({ type: 'token.refused', status: 503, grant_type: full.grantType })
})

describe('the headers of an answer', () => {
  const JSON_TYPE = ['content-type', 'application/json;charset=UTF-8']
  const NOT_STORED = [
    ['cache-control', 'no-store'],
    ['pragma', 'no-cache'],
  ]
  const CHALLENGE = ['www-authenticate', 'Basic realm="oauth-lab", charset="UTF-8"']

  /** The headers, without those that the whole server adds. */
  const own = ({ headers }: HttpResponse) =>
    headers.filter(([name]) => !/^(x-content-type-options|access-control-.*)$/.test(name))

  it.each<[string, number, Header[], Parameters, readonly (readonly string[])[]]>([
    ['/revocation', 200, [OTHER], { token: 'x' }, NOT_STORED],
    ['/introspection', 200, [OTHER], { token: 'x' }, NOT_STORED],
    ['/revocation', 400, [OTHER], {}, NOT_STORED],
    ['/token', 401, [basic('other', 'x')], { grant_type: 'password' }, [...NOT_STORED, CHALLENGE]],
    ['/introspection', 401, [], { token: 'x' }, [...NOT_STORED, CHALLENGE]],
  ])('of %s with the status %i are these alone', async (path, status, headers, form, expected) => {
    const answer = await lab().post(path, form, headers)
    expect(answer.status).toBe(status)
    expect(own(answer)).toEqual([JSON_TYPE, ...expected])
  })

  it('to another method name the right one', async () => {
    const answer = await lab().get('/revocation')
    expect(answer.status).toBe(405)
    expect(own(answer)).toEqual([JSON_TYPE, ...NOT_STORED, ['allow', 'POST']])
  })
})

describe('the format of an introspection response (RFC 9701)', () => {
  const JWT = 'application/token-introspection+jwt'
  const typeFor = async (...accept: string[]) => {
    const headers = accept.map((each): Header => ['accept', each])
    const answer = await lab().post('/introspection', { token: 'x' }, [OTHER, ...headers])
    return header(answer, 'content-type')
  }

  it.each([
    [JWT],
    [JWT.toUpperCase()],
    [`${JWT};q=0.5`],
    [`${JWT} ; q=0.001`],
    [`${JWT};version=1;q=1`],
    [`text/html , ${JWT}`],
    ['application/json', JWT],
  ])('is a JWT for %s', async (...accept) => {
    expect(await typeFor(...accept)).toBe(JWT)
  })

  it.each([
    [`${JWT}x`],
    [`application/json;profile=${JWT}`],
    ['*/*'],
    ['application/*'],
    [`${JWT};q=0`],
    [`${JWT};version=1; Q=0`],
    [],
  ])('is JSON for %s', async (...accept) => {
    expect(await typeFor(...accept)).toBe('application/json;charset=UTF-8')
  })

  it('is JSON while the server signs with a secret, which no client could verify', async () => {
    const secret = fixedKeyring(loadSharedSecret('a secret of at least thirty-two bytes'))
    const { post } = lab({ stage: 'shared-secret' }, secret)
    const answer = await post('/introspection', { token: 'x' }, [OTHER, ['accept', JWT]])
    expect(json(answer)).toEqual({ active: false })
  })
})

it('an injected fault invalid_client is 400 without an Authorization header, and no challenge', async () => {
  const { token } = lab({ faults: [{ endpoint: 'token', error: 'invalid_client', times: 1 }] })
  const answer = await token({}, [])
  expectError(answer, 400, 'invalid_client')
  expect(header(answer, 'www-authenticate')).toBeUndefined()
})

it.each([
  ['DPoP x', ['DPoP']],
  ['  dpop x', ['DPoP']],
  ['DPoP', ['DPoP']],
  ['DPoPx y', ['Bearer', 'DPoP']],
  ['Bearer DPoP x', ['Bearer', 'DPoP']],
  ['Basic eDp5', ['Bearer', 'DPoP']],
])('the scheme of a token at /userinfo of %j decides the challenges', async (authorization, schemes) => {
  const answer = await lab().get('/userinfo', [['authorization', authorization]])
  const challenges = answer.headers.filter(([name]) => name === 'www-authenticate')
  expect(challenges.map(([, value]) => value.split(' ')[0])).toEqual(schemes)
  expect(header(answer, 'cache-control')).toBe('no-store')
})
