import { describe, expect, it } from 'vitest'
import { header } from '../../../../src/protocol/http/message.js'
import type { AuthorizationServerPorts } from '../../../../src/servers/authorization-server/settings.js'
import {
  basic,
  claimsOf,
  client,
  codeRequest,
  expectError,
  field,
  ISSUER,
  json,
  lab,
  landed,
  type Parameters,
  query,
} from '../support.js'

const API = 'https://localhost:8444'
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'
const clients = [
  client('demo', { client_secret: 'x', grant_types: ['authorization_code', 'refresh_token', EXCHANGE] }),
  client('service', { client_secret: 'x', grant_types: ['client_credentials'] }),
  client('device', { grant_types: [DEVICE] }),
]
const DEMO = [basic('demo', 'x')]

/** A server that knows two resources, one of them published. */
function world(
  resources: 'any' | readonly string[] = ['urn:example:orders', 'orders'],
  ports: Partial<AuthorizationServerPorts> = {},
) {
  const server = lab({ clients, resources, protectedResources: () => [API] }, undefined, ports)
  const { token, newCode, redeem, get } = server
  const service = (resource: string) =>
    token({ grant_type: 'client_credentials', resource }, [basic('service', 'x')])
  const userinfo = (accessToken: unknown) =>
    get('/userinfo', [['authorization', `Bearer ${String(accessToken)}`]])
  const tokens = async (asked: Parameters, redeemed: Parameters = {}) =>
    json(await redeem(await newCode({ scope: 'openid', ...asked }), redeemed, DEMO))
  return { ...server, service, userinfo, tokens }
}

describe('a resource', () => {
  it.each([
    [API, API],
    [`${API}/`, API],
    ['urn:example:orders', 'urn:example:orders'],
    [ISSUER, ISSUER],
    [`${ISSUER}/userinfo`, `${ISSUER}/userinfo`],
  ])('that is known becomes the audience, as it is registered: %s', async (asked, aud) => {
    expect(claimsOf(json(await world().service(asked)).access_token).aud).toBe(aud)
  })

  it.each([
    'https://api.example',
    `${API}/records`,
    `${API}//`,
    'urn:example:ORDERS',
    'http://localhost:8444',
  ])('that is unknown is refused: %s', async resource => {
    const { service, events, login } = world()
    expectError(await service(resource), 400, 'invalid_target')
    expect(events.at(-1)).toMatchObject({ type: 'token.refused', rule: 'RFC 8707 §2', evidence: resource })
    expect(landed(await login(codeRequest({ resource })))).toMatchObject({ error: 'invalid_target' })
  })

  it('that the authorization did not name cannot be named later', async () => {
    const { newCode, redeem, tokens, token } = world()
    const code = await newCode()
    const refused = await redeem(code, { resource: API }, DEMO)
    expectError(refused, 400, 'invalid_target')
    expect(json(refused).error_description).toContain('the authorization request named none')
    const { refresh_token } = await tokens({ resource: API })
    const refresh = { grant_type: 'refresh_token', refresh_token: String(refresh_token) }
    expectError(await token({ ...refresh, resource: 'urn:example:orders' }, DEMO), 400, 'invalid_target')
    expect(claimsOf(json(await token({ ...refresh, resource: `${API}/` }, DEMO)).access_token).aud).toBe(API)
  })

  it('of a device is named when its code is asked for', async () => {
    const { post, token, get, types } = world()
    const ask = (resource?: string) => post('/device_authorization', { client_id: 'device', resource })
    expectError(await ask('https://api.example'), 400, 'invalid_target')
    const started = json(await ask(API))
    const page = await get(`/device?user_code=${String(started.user_code)}`)
    const cookie = (header(page, 'set-cookie') ?? '').split(';')[0]!
    const csrf = field(page, 'csrf')
    const form = { user_code: String(started.user_code), csrf, username: 'alice', password: 'wonderland' }
    await post('/device', form, [['cookie', cookie]])
    const poll = { grant_type: DEVICE, device_code: String(started.device_code), client_id: 'device' }
    expectError(await token({ ...poll, resource: 'urn:example:orders' }, []), 400, 'invalid_target')
    const { access_token } = json(await token(poll, []))
    expect(claimsOf(access_token).aud).toBe(API)
    expect(types()).toContain('device_code.approved')
  })
})

describe('a resource that trusts this server by its own metadata', () => {
  const OWN = 'https://localhost:9444'

  /** A world in which the port finds `OWN`, with the resources that the port was asked for. */
  function trusting(resources?: 'any') {
    const asked: (readonly string[])[] = []
    const findTrustedResources = async (named: readonly string[]) => {
      asked.push(named)
      return named.some(each => each.startsWith(OWN)) ? [{ resource: OWN, scopes: [] }] : []
    }
    return { ...world(resources, { findTrustedResources }), asked }
  }

  it('becomes the audience, as its metadata has it, in every request that may name it', async () => {
    const { service, tokens, token, post } = trusting()
    const { access_token } = json(await service(`${OWN}/`))
    expect(claimsOf(access_token).aud).toBe(OWN)
    expect(claimsOf((await tokens({ resource: OWN }, { resource: `${OWN}/` })).access_token).aud).toBe(OWN)
    expect((await post('/device_authorization', { client_id: 'device', resource: OWN })).status).toBe(200)
    const pushed = await post('/par', codeRequest({ resource: OWN }), DEMO)
    expect(pushed.status).toBe(201)
    const form = exchangeForm(await tokens({}))
    expect(claimsOf(json(await token({ ...form, audience: OWN }, DEMO)).access_token).aud).toBe(OWN)
  })

  it('is looked for only when the request names an unknown URI, after the client authenticated', async () => {
    const { service, token, tokens, authorize, asked } = trusting()
    await service(API)
    await service('not a URI')
    await service(`${OWN}#part`)
    await authorize(codeRequest({}))
    const unauthenticated = { grant_type: 'client_credentials', resource: OWN }
    expectError(await token(unauthenticated, [basic('service', 'wrong')]), 401, 'invalid_client')
    await token({ ...exchangeForm(await tokens({})), audience: 'orders' }, DEMO)
    expect(asked).toEqual([])
    expectError(await service('https://api.example'), 400, 'invalid_target')
    expect(asked).toEqual([['https://api.example']])
  })

  it('is not looked for when every resource is known', async () => {
    const { service, asked } = trusting('any')
    await service(OWN)
    expect(asked).toEqual([])
  })
})

/** The form of a token exchange for the access token of a response. */
function exchangeForm({ access_token }: Record<string, unknown>) {
  const type = 'urn:ietf:params:oauth:token-type:access_token'
  return { grant_type: EXCHANGE, subject_token: String(access_token), subject_token_type: type }
}

describe('an audience of a token exchange', () => {
  const exchange = async (audience: string) => {
    const { tokens, token } = world()
    return token({ ...exchangeForm(await tokens({})), audience }, DEMO)
  }

  it.each([
    ['service', 'service'],
    [`${API}/`, API],
    ['orders', 'orders'],
  ])('is a client, a known resource or a registered name: %s', async (audience, aud) => {
    expect(claimsOf(json(await exchange(audience)).access_token).aud).toBe(aud)
  })

  it('is refused when it is unknown', async () => {
    expectError(await exchange('https://api.example'), 400, 'invalid_target')
  })
})

describe('/userinfo', () => {
  it.each([{}, { resource: ISSUER }, { resource: `${ISSUER}/` }, { resource: `${ISSUER}/userinfo` }])(
    'accepts a token for itself: %j',
    async asked => {
      const { tokens, userinfo } = world()
      expect((await userinfo((await tokens(asked)).access_token)).status).toBe(200)
    },
  )

  it('refuses a token for another resource', async () => {
    const { tokens, userinfo, events } = world()
    const refused = await userinfo((await tokens({ resource: API })).access_token)
    expect([refused.status, json(refused).error]).toEqual([401, 'invalid_token'])
    expect(header(refused, 'www-authenticate')).toContain('for another resource')
    expect(events.at(-1)).toMatchObject({
      type: 'userinfo.refused',
      rule: 'RFC 9068 §4',
      evidence: `aud: ${API}`,
    })
  })

  it('accepts a token for several resources, if it is one of them', async () => {
    const { redeem, userinfo, get, post } = world()
    const target = `/authorization?${query(codeRequest({ scope: 'openid' }))}&resource=${API}&resource=${ISSUER}`
    const page = await get(target)
    const cookie = (header(page, 'set-cookie') ?? '').split(';')[0]!
    const form = { username: 'alice', password: 'wonderland', csrf: field(page, 'csrf') }
    const { code = '' } = landed(await post(target, form, [['cookie', cookie]]))
    const { access_token } = json(await redeem(code, {}, DEMO))
    expect(claimsOf(access_token).aud).toEqual([API, ISSUER])
    expect((await userinfo(access_token)).status).toBe(200)
  })
})

const namedResources = () => [`${API}/mcp`]

it('a resource that has to be named is listed in the metadata, and gets tokens for it alone', async () => {
  const { get, token } = lab({ clients, protectedResources: () => [API], namedResources })
  const { protected_resources: listed } = json(await get('/.well-known/oauth-authorization-server'))
  expect(listed).toEqual([API, `${API}/mcp`])
  const form = { grant_type: 'client_credentials', resource: `${API}/mcp` }
  const answer = json(await token(form, [basic('service', 'x')]))
  expect(claimsOf(answer.access_token).aud).toBe(`${API}/mcp`)
})
