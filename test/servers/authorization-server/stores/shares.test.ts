import { describe, expect, it } from 'vitest'
import type { HttpResponse } from '../../../../src/protocol/http/message.js'
import { CIBA_GRANT_TYPE } from '../../../../src/protocol/oauth/answers.js'
import { DEVICE_GRANT } from '../../../../src/servers/authorization-server/grants/polled-grant.js'
import { browser } from '../browser.js'
import { JSON_BODY } from '../registration/support.js'
import { basic, client, codeRequest, field, ISSUER, json, lab, query, settings } from '../support.js'

// Nobody can push out what another one left in a store of the server.

const grant_types = [DEVICE_GRANT, CIBA_GRANT_TYPE, 'authorization_code', 'refresh_token']
const secret = (id: string) => [basic(id, `${id}-secret`)]
const asking = (id: string) =>
  client(id, { client_secret: `${id}-secret`, grant_types, backchannel_token_delivery_mode: 'poll' })
const clients = [
  ...settings.clients,
  asking('honest'),
  asking('flood'),
  client('tv', { grant_types: [DEVICE_GRANT], redirect_uris: ['http://127.0.0.1/callback'] }),
]
const TOTP = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const users = settings.users.map(user => ({ ...user, totp_secret: TOTP }))
const registration = { mode: 'open', tokens: [], statementIssuers: [], rate: 'off' } as const

function world() {
  const server = lab({ clients, users, registration })
  const from = (remoteAddress: string, path: string, form: Record<string, string>) =>
    server.handle({
      method: 'POST',
      url: `${ISSUER}${path}`,
      headers: [['content-type', 'application/x-www-form-urlencoded']],
      body: new TextEncoder().encode(query(form)),
      remoteAddress,
    })
  const register = (remoteAddress: string) =>
    server.handle({
      method: 'POST',
      url: `${ISSUER}/register`,
      headers: [JSON_BODY],
      body: new TextEncoder().encode('{"redirect_uris":["https://client.example/cb"]}'),
      remoteAddress,
    })
  return { ...server, from, register }
}
type World = ReturnType<typeof world>

const ask = { scope: 'openid', login_hint: 'alice', binding_message: 'mine' }
const strong = codeRequest({ acr_values: 'urn:oauth-lab:acr:mfa', scope: 'openid' })

/** The number of times that the flood comes, the flood, and a use that has to work before and after it. */
type Row = readonly [
  name: string,
  times: number,
  flood: (on: World) => Promise<HttpResponse>,
  make: (on: World) => Promise<() => Promise<boolean>>,
]

const isWaiting = async (on: World, code: unknown) =>
  field(await on.get(`/device?user_code=${String(code)}`), 'csrf') !== undefined

const rows: readonly Row[] = [
  [
    'device requests that a stranger sends in the name of a public client',
    12_000,
    on => on.from('192.0.2.9', '/device_authorization', { client_id: 'tv' }),
    async on => {
      const { user_code } = json(await on.from('192.0.2.1', '/device_authorization', { client_id: 'tv' }))
      return () => isWaiting(on, user_code)
    },
  ],
  [
    'pushed requests',
    12_000,
    on => on.post('/par', codeRequest({ client_id: 'flood' }), secret('flood')),
    async on => {
      const pushed = await on.post('/par', codeRequest({ client_id: 'honest' }), secret('honest'))
      const reference = { client_id: 'honest', request_uri: String(json(pushed).request_uri) }
      const { authorize } = browser(on)
      return async () => (await authorize(reference)).status === 200
    },
  ],
  [
    'requests for a person',
    1000,
    on => on.post('/bc-authorize', ask, secret('flood')),
    async on => {
      const { auth_req_id } = json(await on.post('/bc-authorize', ask, secret('honest')))
      const form = { grant_type: CIBA_GRANT_TYPE, auth_req_id: String(auth_req_id) }
      const waits = async () => {
        on.clock.now += 10_000
        return json(await on.token(form, secret('honest'))).error === 'authorization_pending'
      }
      return async () =>
        (await waits()) && (await on.post('/bc-authorize', ask, secret('honest'))).status === 200
    },
  ],
  [
    'registrations from one network',
    2100,
    on => on.register('192.0.2.9'),
    async on => {
      const { client_id } = json(await on.register('192.0.2.1'))
      const works = async () =>
        (await on.get(`/authorization?${query({ client_id: String(client_id), response_type: 'code' })}`))
          .status === 200
      return async () => (await works()) && (await on.register('192.0.2.1')).status === 201
    },
  ],
  [
    'logins that never finish',
    5100,
    on => on.login(strong, { username: 'bob', password: 'builder' }),
    async on => {
      const agent = browser(on)
      const page = await agent.login(strong)
      const second_factor = field(page, 'second_factor') ?? ''
      const form = { second_factor, csrf: field(page, 'csrf'), otp: '000000' }
      return async () =>
        field(await agent.post(`/authorization?${query(strong)}`, form), 'second_factor') !== undefined
    },
  ],
]

describe.each(rows)('%s', (_, times, flood, make) => {
  it('leave alone what belongs to another one', async () => {
    const on = world()
    const works = await make(on)
    expect(await works()).toBe(true)
    for (let i = 0; i < times; i++) await flood(on)
    expect(await works()).toBe(true)
  }, 60_000)
})
