import { describe, expect, it } from 'vitest'
import { header } from '../../../../src/protocol/http/message.js'
import { claimsOf, expectError, ISSUER, json, type Parameters } from '../support.js'
import { errorOf, TOKEN, world } from './world.js'

describe('the answer', () => {
  it('has an unpredictable id, a lifetime and an interval (CIBA Core §7.3)', async () => {
    const { ask, last } = world()
    const [first, second] = [await ask({ binding_message: 'W4SCT' }), await ask()]
    expect(first.status).toBe(200)
    expect(header(first, 'cache-control')).toBe('no-store')
    expect(json(first)).toEqual({ auth_req_id: expect.any(String), expires_in: 600, interval: 5 })
    expect(json(first).auth_req_id).toMatch(/^[\w-]{43}$/)
    expect(json(second).auth_req_id).not.toBe(json(first).auth_req_id)
    const event = last('ciba.requested')
    expect(event).toEqual({
      type: 'ciba.requested',
      client_id: 'poller',
      username: 'alice',
      scope: 'openid profile',
      mode: 'poll',
      expires_in: 600,
      page: `${ISSUER}/ciba`,
    })
  })

  it.each([
    ['60', 60],
    ['600', 600],
    ['86400', 600],
  ])('requested_expiry %s gives %i seconds', async (requested_expiry, expected) => {
    expect(json(await world().ask({ requested_expiry })).expires_in).toBe(expected)
  })

  it.each([
    ['the username', 'alice'],
    ['the e-mail address', 'alice@example.com'],
  ])('login_hint is %s', async (_, login_hint) => {
    const { ask, last } = world()
    expect((await ask({ login_hint })).status).toBe(200)
    expect(last('ciba.requested')).toMatchObject({ username: 'alice' })
  })

  it('id_token_hint is an ID token that the client got, even an expired one', async () => {
    const { idOf, login, decide, poll, ask, clock, last } = world()
    const id = await idOf()
    await decide(await login(), 'allow')
    const { id_token } = json(await poll(id))
    clock.now += 86_400_000
    const hint = { login_hint: undefined, id_token_hint: String(id_token) }
    expect((await ask(hint)).status).toBe(200)
    expect(last('ciba.requested')).toMatchObject({ username: 'alice' })
    expectError(await ask(hint, 'may-sign'), 400, 'invalid_request')
    expectError(await ask({ ...hint, id_token_hint: `${id_token}x` }), 400, 'invalid_request')
  })

  it('names parameters without effect', async () => {
    const { ask, last } = world()
    await ask({ user_code: '1234', client_notification_token: TOKEN, prompt: 'none' })
    const ignored = ['user_code', 'client_notification_token', 'prompt']
    expect(last('ciba.requested')).toMatchObject({ ignored })
  })
})

describe('refused requests (CIBA Core §13)', () => {
  const long = 'x'.repeat(129)
  it.each<[string, string, Parameters, string?]>([
    ['no scope', 'invalid_request', { scope: undefined }],
    ['no openid', 'invalid_scope', { scope: 'profile' }],
    ['an unknown scope', 'invalid_scope', { scope: 'openid x' }],
    ['a malformed scope', 'invalid_scope', { scope: 'openid "x"' }],
    ['openid that is not allowed', 'invalid_scope', { scope: 'openid records:read' }, 'narrow'],
    ['no hint', 'invalid_request', { login_hint: undefined }],
    ['an empty hint', 'invalid_request', { login_hint: '' }],
    ['two hints', 'invalid_request', { id_token_hint: 'x' }],
    ['an unknown user', 'unknown_user_id', { login_hint: 'nobody' }],
    ['a prototype as a user', 'unknown_user_id', { login_hint: '__proto__' }],
    ['the e-mail address of two users', 'unknown_user_id', { login_hint: 'twins@example.com' }],
    ['a text as ID token', 'invalid_request', { login_hint: undefined, id_token_hint: 'x.y.z' }],
    ['a long message', 'invalid_binding_message', { binding_message: long }],
    ['a message with a line end', 'invalid_binding_message', { binding_message: 'a\nb' }],
    ['a message that turns around', 'invalid_binding_message', { binding_message: 'a\u202eb' }],
    ['a message of spaces', 'invalid_binding_message', { binding_message: '  ' }],
    ['an expiry of zero', 'invalid_request', { requested_expiry: '0' }],
    ['a negative expiry', 'invalid_request', { requested_expiry: '-5' }],
    ['an expiry that is no number', 'invalid_request', { requested_expiry: '5e3' }],
    ['unknown details', 'invalid_authorization_details', { authorization_details: '[{"type":"x"}]' }],
    ['a resource with a fragment', 'invalid_target', { resource: 'https://api.example/#x' }],
    ['another grant', 'unauthorized_client', {}, 'other'],
    ['a ping without a token', 'invalid_request', {}, 'pinged'],
    ['a short token', 'invalid_request', { client_notification_token: 'abcdefgh12345678' }, 'pinged'],
    ['a token of digits', 'invalid_request', { client_notification_token: '1234567890'.repeat(3) }, 'pinged'],
    ['a token of one letter', 'invalid_request', { client_notification_token: 'a'.repeat(60) }, 'pinged'],
    ['a token with a space', 'invalid_request', { client_notification_token: `${TOKEN} x` }, 'pinged'],
    ['a long token', 'invalid_request', { client_notification_token: TOKEN.repeat(33) }, 'pinged'],
  ])('%s: %s', async (_, error, more, id) => {
    const { ask, last } = world()
    expectError(await ask(more, id), 400, error)
    expect(last('ciba.refused')).toMatchObject({ client_id: id ?? 'poller', error, status: 400 })
    expect(last('ciba.requested')).toBeUndefined()
  })

  it('a hint token is refused by its name', async () => {
    const [, , description] = errorOf(await world().ask({ login_hint: undefined, login_hint_token: 'x' }))
    expect(description).toContain('login_hint_token is not supported')
  })

  it('a client without credentials, with wrong ones, and with its secret in the query', async () => {
    const { post, ask } = world()
    const form = { scope: 'openid', login_hint: 'alice' }
    expectError(await post('/bc-authorize', form), 401, 'invalid_client')
    const posted = { ...form, client_id: 'poller', client_secret: 'wrong' }
    expectError(await post('/bc-authorize', posted), 401, 'invalid_client')
    expectError(await post('/bc-authorize', { ...form, client_id: 'public' }), 400, 'unauthorized_client')
    expectError(await ask(form, 'nobody'), 401, 'invalid_client')
    expectError(await post('/bc-authorize?client_secret=x', form), 400, 'invalid_request')
  })

  it('a repeated parameter, another method and another type of body', async () => {
    const { askAs, get, send, credentials } = world()
    expectError(await askAs('poller', 'scope=openid&login_hint=alice&login_hint=bob'), 400, 'invalid_request')
    const got = await get('/bc-authorize')
    expect([got.status, header(got, 'allow')]).toEqual([405, 'POST'])
    const headers = [...credentials('poller'), ['content-type', 'application/json'] as const]
    expectError(await send('POST', '/bc-authorize', headers, '{}'), 400, 'invalid_request')
  })
})

describe('signed requests (CIBA Core §7.1.1)', () => {
  it('count in place of the form', async () => {
    const { askAs, sign, last } = world()
    const more = { binding_message: 'W4SCT', requested_expiry: 60, resource: ['https://api.example/a'] }
    const answer = await askAs('signer', { request: await sign('signer', more) })
    expect(json(answer)).toMatchObject({ expires_in: 60 })
    expect(last('ciba.requested')).toMatchObject({ username: 'alice', binding_message: 'W4SCT' })
    expect(last('request_object.accepted')).toMatchObject({ alg: 'ES256', client_id: 'signer' })
  })

  it('may be sent by a client that is not registered for an algorithm', async () => {
    const { askAs, sign } = world()
    expect((await askAs('may-sign', { request: await sign('may-sign') })).status).toBe(200)
  })

  it.each(['iss', 'aud', 'exp', 'iat', 'nbf', 'jti'])('need %s', async name => {
    const { askAs, sign } = world()
    const answer = await askAs('signer', { request: await sign('signer', { [name]: undefined }) })
    expectError(answer, 400, 'invalid_request')
    expect(json(answer).error_description).toContain(name)
  })

  it.each([
    ['another issuer', { iss: 'poller' }],
    ['another audience', { aud: 'https://other.example' }],
    ['the past', { exp: 1000 }],
    ['the future', { nbf: 9_999_999_999 }],
    ['a jti that is empty', { jti: '' }],
    ['an iat that is no number', { iat: 'now' as unknown as number }],
    ['a request within', { request: 'x' }],
    ['a scope that is no text', { scope: ['openid'] }],
    ['two hints', { id_token_hint: 'x' }],
  ])('are refused with %s', async (_, more) => {
    const { askAs, sign } = world()
    expectError(await askAs('signer', { request: await sign('signer', more) }), 400, 'invalid_request')
  })

  it.each([
    ['of 70 minutes', 0, 70, 400],
    ['of 70 minutes ago', -70, -10, 400],
    ['that began 70 minutes ago', -70, 1, 400],
    ['of 60 minutes', 0, 60, 200],
  ])('of a strict client live 60 minutes at most: %s', async (_, from, to, status) => {
    const { askAs, sign, clock } = world()
    const at = (minutes: number) => clock.now / 1000 + minutes * 60
    const sent = async (id: string) => askAs(id, { request: await sign(id, { nbf: at(from), exp: at(to) }) })
    expect((await sent('strict')).status).toBe(status)
    if (to > 0) expect((await sent('may-sign')).status).toBe(200)
  })

  it('are accepted once', async () => {
    const { askAs, sign } = world()
    const request = await sign('signer')
    expect((await askAs('signer', { request })).status).toBe(200)
    const [status, error, description] = errorOf(await askAs('signer', { request }))
    expect([status, error]).toEqual([400, 'invalid_request'])
    expect(description).toContain('used before')
  })

  it('are not signed by a shared secret or by nobody', async () => {
    const { askAs, sign } = world()
    for (const id of ['signer', 'may-sign']) {
      expectError(await askAs(id, { request: await sign(id, {}, 'HS256') }), 400, 'invalid_request')
      const [, payload] = (await sign(id)).split('.')
      const header = Buffer.from('{"alg":"none"}').toString('base64url')
      expectError(await askAs(id, { request: `${header}.${payload}.` }), 400, 'invalid_request')
    }
    const [head, , signature] = (await sign('signer')).split('.')
    const [, other] = (await sign('signer', { login_hint: 'bob' })).split('.')
    expectError(await askAs('signer', { request: `${head}.${other}.${signature}` }), 400, 'invalid_request')
  })

  it('stand alone, and a registered client sends no other', async () => {
    const { askAs, ask, sign } = world()
    const request = await sign('signer')
    const beside = errorOf(await askAs('signer', { request, scope: 'openid' }))
    expect(beside.slice(0, 2)).toEqual([400, 'invalid_request'])
    expect(beside[2]).toContain('scope')
    expectError(await ask({}, 'signer'), 400, 'invalid_request')
  })
})

describe('the grant (CIBA Core §10.1, §11)', () => {
  it('waits, slows down, and gives the tokens once', async () => {
    const { idOf, poll, login, decide, clock } = world()
    const id = await idOf()
    expectError(await poll(id), 400, 'authorization_pending')
    expectError(await poll(id), 400, 'slow_down')
    clock.now += 10_000
    expectError(await poll(id), 400, 'authorization_pending')
    await decide(await login(), 'allow')
    const tokens = json(await poll(id))
    expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'openid profile' })
    expect(tokens).toHaveProperty('refresh_token')
    const claims = claimsOf(tokens.id_token)
    expect(claims).toMatchObject({ iss: ISSUER, aud: 'poller', sub: 'alice', amr: ['pwd'] })
    // The claim binds pushed tokens alone (CIBA Core §10.3.1).
    expect(claims).not.toHaveProperty('urn:openid:params:jwt:claim:auth_req_id')
    expectError(await poll(id), 400, 'invalid_grant')
  })

  it('says once in the log that a request has expired', async () => {
    const { idOf, poll, clock, events } = world()
    const id = await idOf({ requested_expiry: '30' })
    clock.now += 30_000
    expectError(await poll(id), 400, 'expired_token')
    expectError(await poll(id), 400, 'expired_token')
    const about = { type: 'ciba.expired', client_id: 'poller', username: 'alice' }
    expect(events.filter(each => each.type === 'ciba.expired')).toEqual([about])
  })

  it('refuses what was denied, another client, an unknown id and no id', async () => {
    const { idOf, poll, login, decide, last } = world()
    const id = await idOf()
    expectError(await poll(id, 'may-sign'), 400, 'invalid_grant')
    expectError(await poll('x'), 400, 'invalid_grant')
    expectError(await poll(''), 400, 'invalid_request')
    expectError(await poll(id, 'other'), 400, 'unauthorized_client')
    await decide(await login(), 'deny')
    expectError(await poll(id), 400, 'access_denied')
    const about = { client_id: 'poller', username: 'alice', scope: 'openid profile' }
    expect(last('ciba.denied')).toEqual({ type: 'ciba.denied', ...about })
  })
})
