import { describe, expect, it } from 'vitest'
import { cut, type NewEvent } from '../../../src/protocol/events.js'
import { fixedKeyring } from '../../../src/protocol/tokens/keys.js'
import { DEVICE_GRANT } from '../../../src/servers/authorization-server/grants/polled-grant.js'
import type { AuthorizationServerSettings } from '../../../src/servers/authorization-server/settings.js'
import { browser } from './browser.js'
import {
  basic,
  CALLBACK,
  CHALLENGE,
  claimsOf,
  client,
  codeRequest,
  field,
  json,
  lab,
  landed,
  type Parameters,
  query,
  SECRET,
  settings,
  signingKey,
  VERIFIER,
} from './support.js'

// An event has exactly the members that its type declares: a dashboard folds them, and tools read them as JSON.

const clients = [
  ...settings.clients,
  client('tv', { client_secret: 'tv-secret', grant_types: [DEVICE_GRANT] }),
  client('legacy', { client_secret: 'legacy-secret', grant_types: ['password'] }),
]
const TV = [basic('tv', 'tv-secret')]
const text = expect.any(String)
const refused = (error: string, rule = text, evidence?: unknown) => ({
  error,
  description: text,
  rule,
  ...(evidence === undefined ? {} : { evidence }),
})
type ReasonOf = [error: string, rule?: string, evidence?: string]
const requested = {
  type: 'authorization.requested',
  client_id: 'demo',
  response_type: 'code',
  redirect_uri: CALLBACK,
  scope: 'openid',
  pkce: 'none',
}
const openid = codeRequest({ scope: 'openid' })
const DEMO = { client_id: 'demo' }
const registered = expect.arrayContaining([CALLBACK])

function world(more: Partial<AuthorizationServerSettings> = {}) {
  const server = lab({ clients, ...more })
  /** The events since the last call. */
  const since = (): NewEvent[] => server.events.splice(0)
  return { ...server, since }
}

describe('the events of an authorization', () => {
  it.each<[pkce: string, parameters: Parameters]>([
    ['none', {}],
    ['S256', { code_challenge: CHALLENGE, code_challenge_method: 'S256' }],
    ['plain', { client_id: 'plain', code_challenge: VERIFIER }],
  ])('name the PKCE method %s', async (pkce, parameters) => {
    const { authorize, since } = world()
    await authorize({ ...openid, ...parameters })
    const { client_id = 'demo' } = parameters
    expect(since()).toStrictEqual([
      { ...requested, client_id, pkce },
      { type: 'login.shown', client_id, scope: 'openid' },
    ])
  })

  it('name the user, the cut code and its lifetime after a login', async () => {
    const { login, since } = world()
    const { code = '' } = landed(await login({ ...openid, scope: 'records:read openid' }))
    expect(since().slice(2)).toStrictEqual([
      { type: 'login.succeeded', client_id: 'demo', username: 'alice' },
      {
        type: 'code.issued',
        client_id: 'demo',
        username: 'alice',
        code: cut(code),
        scope: 'records:read openid',
        expires_in: 600,
      },
    ])
  })

  it('say that a session answered', async () => {
    const { since, handle } = world()
    const agent = browser({ handle })
    await agent.login(openid)
    since()
    const { code = '' } = landed(await agent.authorize(openid))
    expect(since()).toMatchObject([
      requested,
      { type: 'session.resumed', client_id: 'demo', username: 'alice' },
      { type: 'consent.applied', client_id: 'demo', username: 'alice', scope: 'openid', source: 'session' },
      { type: 'code.issued', code: cut(code) },
    ])
  })

  it('say that an id_token was issued without an access token', async () => {
    const { login, since } = world()
    const asked = { client_id: 'demo-spa', response_type: 'id_token', scope: 'openid', nonce: 'n' }
    await login(codeRequest(asked))
    expect(since().at(-1)).toStrictEqual({
      type: 'id_token.issued',
      client_id: 'demo-spa',
      username: 'alice',
    })
  })

  const PAGE = { type: 'authorization.refused', channel: 'page' }
  const SHOWN = { ...PAGE, client_id: 'demo' }
  const SENT = { ...SHOWN, channel: 'redirect' }
  const CLIENT = 'RFC 6749 §4.1.2.1'
  const LOGIN = 'OpenID Connect Core §3.1.2.1'
  const TYPE = 'RFC 6749 §3.1.1'
  const DISABLED = 'demo-disabled'
  const PUSHED = 'urn:ietf:params:oauth:request_uri:x'
  it.each<[string, Parameters, NewEvent, ...ReasonOf]>([
    ['without a client', { client_id: undefined }, PAGE, 'invalid_request', CLIENT],
    ['of an unknown client', { client_id: 'nobody' }, PAGE, 'unauthorized_client', CLIENT, 'nobody'],
    ['of a disabled one', { client_id: DISABLED }, PAGE, 'unauthorized_client', CLIENT, DISABLED],
    ['without response_type', { response_type: undefined }, SHOWN, 'invalid_request', TYPE],
    ['of an unknown type', { response_type: 'x' }, SHOWN, 'unsupported_response_type', TYPE, 'x'],
    ['with a malformed scope', { scope: 'a"b' }, SENT, 'invalid_scope', 'RFC 6749 §3.3', 'a"b'],
    ['with an unknown response_mode', { response_mode: 'x.jws' }, SENT, 'invalid_request', text, 'x.jws'],
    ['with an unknown prompt', { prompt: 'login create' }, SENT, 'invalid_request', LOGIN, 'create'],
    ['with a max_age that is no number', { max_age: 'soon' }, SENT, 'invalid_request', LOGIN, 'soon'],
    ['with a relative resource', { resource: '/x' }, SENT, 'invalid_target', 'RFC 8707 §2', '/x'],
    [
      'with an unknown request_uri',
      { request_uri: PUSHED },
      PAGE,
      'invalid_request_uri',
      'RFC 9126 §4',
      PUSHED,
    ],
  ])('give the reason to refuse a request %s', async (_name, changes, event, ...reason) => {
    const { authorize, since } = world()
    await authorize(codeRequest(changes))
    expect(since()).toStrictEqual([{ ...event, ...refused(...reason) }])
  })

  it('give the reason for a failed login', async () => {
    const { login, since } = world({
      rateLimits: { login: { attempts: 1, window: 60_000 }, passwordGrant: 'off', clientSecret: 'off' },
    })
    const failed = { type: 'login.failed', client_id: 'demo', username: 'alice', description: text }
    for (const [reason, fields] of [
      ['credentials', { password: 'wrong' }],
      ['limited', { password: 'wrong' }],
      ['csrf', { csrf: 'x' }],
    ] as const) {
      await login(openid, fields)
      expect(since().slice(2)).toStrictEqual([
        { ...failed, reason, rule: text },
        { type: 'login.shown', client_id: 'demo', scope: 'openid' },
      ])
    }
    await login(openid, { username: undefined, csrf: 'x' })
    expect(since()).toContainEqual(expect.objectContaining({ type: 'login.failed', username: '' }))
  })

  it('give the reason when the person cancels', async () => {
    const { login, since } = world()
    await login(openid, { cancel: 'yes' })
    expect(since().at(-1)).toStrictEqual({
      type: 'authorization.refused',
      client_id: 'demo',
      channel: 'redirect',
      ...refused('access_denied', 'RFC 6749 §4.1.2.1'),
    })
  })
})

describe('the events of tokens', () => {
  it('tell what was issued, with the tokens cut', async () => {
    const { newCode, redeem, since } = world()
    const code = await newCode({ scope: 'openid' })
    since()
    const tokens = json(await redeem(code))
    const about = { client_id: 'demo', username: 'alice' }
    const { jti } = claimsOf(tokens.access_token)
    expect(since()).toStrictEqual([
      { type: 'code.redeemed', ...about, code: cut(code), scope: 'openid' },
      {
        type: 'token.issued',
        client_id: 'demo',
        sub: 'alice',
        grant_type: 'authorization_code',
        scope: 'openid',
        token_type: 'Bearer',
        aud: 'demo',
        access_token: cut(String(tokens.access_token)),
        jti,
        expires_in: 3600,
        id_token: true,
        refresh_token: cut(String(tokens.refresh_token)),
      },
      { type: 'id_token.issued', ...about },
    ])

    await redeem(code)
    expect(since()).toStrictEqual([
      { type: 'code.replayed', ...about, code: cut(code), rule: 'RFC 6749 §4.1.2' },
      { type: 'token.revoked', ...about, jti, reason: text },
      {
        type: 'token.refused',
        client_id: 'demo',
        grant_type: 'authorization_code',
        code: cut(code),
        status: 400,
        ...refused('invalid_grant', 'RFC 6749 §4.1.2', `code ${cut(code)}`),
      },
    ])
  })

  it('tell of a rotation and of a reuse', async () => {
    const { newCode, redeem, token, since } = world()
    const first = json(await redeem(await newCode({ scope: 'records:read records:write' })))
    since()
    const old = String(first.refresh_token)
    const refresh = () => token({ grant_type: 'refresh_token', refresh_token: old, scope: 'records:read' })
    const second = json(await refresh())
    const about = { client_id: 'demo', username: 'alice' }
    expect(since()[0]).toStrictEqual({
      type: 'refresh_token.rotated',
      ...about,
      refresh_token: cut(old),
      replaced_by: cut(String(second.refresh_token)),
      scope: 'records:read',
    })
    await refresh()
    const revoked = [first, second].map(({ access_token }) => ({
      type: 'token.revoked',
      ...about,
      jti: claimsOf(access_token).jti,
      reason: text,
    }))
    expect(since()).toStrictEqual([
      { type: 'refresh_token.reused', ...about, refresh_token: cut(old), rule: 'RFC 9700 §4.14.2' },
      ...revoked,
      {
        type: 'token.refused',
        client_id: 'demo',
        grant_type: 'refresh_token',
        status: 400,
        ...refused('invalid_grant', 'RFC 9700 §4.14.2', `refresh token ${cut(old)}`),
      },
    ])
  })

  it('tell what a client revoked', async () => {
    const { newCode, redeem, post, since } = world()
    const tokens = json(await redeem(await newCode()))
    since()
    const demo = [basic('demo', SECRET)]
    const about = { client_id: 'demo', username: 'alice' }
    const { jti } = claimsOf(tokens.access_token)
    const refresh = String(tokens.refresh_token)
    await post('/revocation', { token: refresh }, demo)
    expect(since()).toStrictEqual([
      { type: 'refresh_token.revoked', ...about, refresh_token: cut(refresh), reason: text },
      { type: 'token.revoked', ...about, jti, reason: text },
    ])
    await post('/revocation', { token: refresh }, demo)
    expect(since()).toEqual([])
    await post('/revocation', { token: refresh }, [basic('other', 'other-secret')])
    expect(since()).toStrictEqual([
      {
        type: 'revocation.refused',
        client_id: 'other',
        status: 400,
        ...refused('invalid_grant', 'RFC 7009 §2.1', 'issued to demo'),
      },
    ])
  })

  it('tell of an introspection, and nothing about an inactive token', async () => {
    const { newCode, redeem, post, since } = world()
    const tokens = json(await redeem(await newCode()))
    since()
    const other = [basic('other', 'other-secret')]
    await post('/introspection', { token: String(tokens.refresh_token) }, other)
    await post('/introspection', { token: 'x' }, other)
    const introspected = { type: 'token.introspected', client_id: 'other' }
    expect(since()).toStrictEqual([
      { ...introspected, active: true, kind: 'refresh_token', issued_to: 'demo', username: 'alice' },
      { ...introspected, active: false },
    ])
  })

  it('name the claims that /userinfo returned, but not their values', async () => {
    const { accessToken, get, since } = world()
    const token = await accessToken({ scope: 'openid email' })
    since()
    await get('/userinfo', [['authorization', `Bearer ${token}`]])
    await get('/userinfo', [['authorization', 'Bearer x']])
    expect(since()).toStrictEqual([
      { type: 'userinfo.answered', client_id: 'demo', username: 'alice', claims: ['sub', 'email'] },
      { type: 'userinfo.refused', status: 401, ...refused('invalid_token', 'RFC 7519 §7.2') },
    ])
  })

  it('give the check that refused a token, with its values', async () => {
    const { accessToken, get, clock, since } = world()
    const token = await accessToken({ scope: 'openid' })
    since()
    clock.now += 3_600_000
    await get('/userinfo', [['authorization', `Bearer ${token}`]])
    expect(since()).toStrictEqual([
      { type: 'userinfo.refused', status: 401, ...refused('invalid_token', 'RFC 7519 §4.1.4', text) },
    ])
  })

  it.each<[path: string, type: string, form: Parameters, reason: object]>([
    ['/token', 'token.refused', { grant_type: 'x' }, refused('unsupported_grant_type', text, 'x')],
    ['/token', 'token.refused', {}, refused('invalid_request', 'RFC 6749 §5.2')],
    ['/introspection', 'introspection.refused', {}, { ...DEMO, ...refused('invalid_request') }],
    ['/revocation', 'revocation.refused', {}, { ...DEMO, ...refused('invalid_request') }],
    ['/par', 'push.refused', {}, { ...DEMO, ...refused('invalid_request'), registered, differences: [] }],
    [
      '/device_authorization',
      'device_authorization.refused',
      {},
      { ...DEMO, ...refused('unauthorized_client') },
    ],
  ])('give the reason for a refusal at %s', async (path, type, form, reason) => {
    const { post, since } = world()
    await post(path, form, [basic('demo', SECRET)])
    expect(since()).toStrictEqual([{ type, status: 400, ...reason }])
    if ('grant_type' in form) return
    await post(path, { ...form, grant_type: 'authorization_code' }, [basic('demo', 'wrong')])
    const asked = path === '/token' ? { grant_type: 'authorization_code' } : {}
    expect(since()).toStrictEqual([
      { type, status: 401, ...asked, ...refused('invalid_client', 'RFC 6749 §3.2.1', 'demo') },
    ])
  })

  it('give the reason to refuse a password', async () => {
    const passwordGrant = { attempts: 1, window: 60_000 }
    const { token, since } = world({ rateLimits: { login: 'off', passwordGrant, clientSecret: 'off' } })
    const form = { grant_type: 'password', username: 'alice', password: 'wrong' }
    for (const reason of ['credentials', 'rate']) {
      await token(form, [basic('legacy', 'legacy-secret')])
      expect(since()[0]).toStrictEqual({
        type: 'password.refused',
        client_id: 'legacy',
        username: 'alice',
        reason,
      })
    }
  })
})

describe('the events of a logout', () => {
  it.each([
    ['name the client', { client_id: 'demo' }, { client_id: 'demo' }],
    ['name no client when the request does not', {}, {}],
  ])('%s', async (_name, parameters, about) => {
    const { handle, since } = world()
    const agent = browser({ handle })
    await agent.login(openid)
    since()
    const page = await agent.get(`/end-session?${query(parameters)}`)
    await agent.post('/end-session', { ...parameters, csrf: field(page, 'csrf'), logout: 'yes' })
    expect(since()).toStrictEqual([
      { type: 'logout.shown', username: 'alice', ...about },
      { type: 'session.ended', username: 'alice', ...about },
    ])
    await agent.get(`/end-session?${query(parameters)}`)
    expect(since()).toEqual([])
  })

  it('give the reason for a refusal', async () => {
    const { get, since } = world()
    await get('/end-session?client_id=nobody')
    await get('/end-session?post_logout_redirect_uri=https://client.example/bye')
    expect(since()).toStrictEqual([
      { type: 'logout.refused', ...refused('invalid_request', text, 'nobody') },
      { type: 'logout.refused', ...refused('invalid_request') },
    ])
  })
})

describe('the events of a device', () => {
  const begin = async ({ post }: ReturnType<typeof world>) =>
    String(json(await post('/device_authorization', { scope: 'openid' }, TV)).user_code)

  it.each([
    [
      'approved',
      { username: 'alice', password: 'wonderland' },
      [
        { type: 'login.succeeded', client_id: 'tv', username: 'alice' },
        { type: 'device_code.approved', client_id: 'tv', username: 'alice' },
      ],
    ],
    ['denied', { cancel: 'yes' }, [{ type: 'device_code.denied', client_id: 'tv' }]],
  ])('tell that a person %s it', async (_decision, fields, decided) => {
    const server = world()
    const user_code = await begin(server)
    const agent = browser(server)
    const page = await agent.get(`/device?user_code=${user_code}`)
    expect(server.since()).toStrictEqual([
      { type: 'device_code.issued', client_id: 'tv', scope: 'openid', expires_in: 600 },
      { type: 'login.shown', client_id: 'tv', scope: 'openid' },
    ])
    await agent.post('/device', { user_code, csrf: field(page, 'csrf'), ...fields })
    expect(server.since()).toStrictEqual(decided)
  })

  it('tell of wrong codes and wrong passwords', async () => {
    const server = world()
    const user_code = await begin(server)
    const agent = browser(server)
    const page = await agent.get(`/device?user_code=${user_code}`)
    server.since()
    const form = { user_code, csrf: field(page, 'csrf'), username: 'alice', password: 'wrong' }
    await agent.post('/device', form)
    await agent.post('/device', { ...form, username: undefined })
    const failed = { type: 'login.failed', client_id: 'tv', reason: 'credentials', description: text }
    const again = { type: 'login.shown', client_id: 'tv', scope: 'openid' }
    expect(server.since()).toStrictEqual([
      { ...failed, username: 'alice', rule: 'RFC 6749 §3.1' },
      again,
      { ...failed, username: '', rule: 'RFC 6749 §3.1' },
      again,
    ])
    for (let i = 0; i < 11; i++) await agent.get('/device?user_code=BBBB-BBBB')
    const events = server.since()
    const unknown = { type: 'user_code.refused', reason: 'unknown', rule: 'RFC 8628 §3.3' }
    expect(events).toStrictEqual([
      ...Array.from({ length: 10 }, () => unknown),
      { type: 'user_code.refused', reason: 'limited', rule: 'RFC 8628 §5.1' },
    ])
  })
})

it.each([
  ['the exception', new TypeError('broken'), 'TypeError: broken'],
  ['nothing that is no exception', 'broken', 'unknown'],
])('the event of an internal error names the path and %s', async (_name, thrown, description) => {
  const published = () => {
    throw thrown
  }
  const { events, get } = lab({}, { ...fixedKeyring(signingKey), published })
  expect((await get('/.well-known/jwks.json?x=1')).status).toBe(500)
  expect(events).toStrictEqual([{ type: 'server.failed', path: '/.well-known/jwks.json', description }])
})
