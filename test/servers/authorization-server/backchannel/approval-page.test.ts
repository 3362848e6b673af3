import { describe, expect, it } from 'vitest'
import { parseTotpSecret, totpCode, totpCounter } from '../../../../src/protocol/oauth/totp.js'
import { browser } from '../browser.js'
import { claimsOf, expectError, FORM, field, ISSUER, json } from '../support.js'
import { NOTIFIED, shows, TOKEN, TOTP, world } from './world.js'

const MFA = 'urn:oauth-lab:acr:mfa'

describe('the page', () => {
  it('asks for a login, and then shows who asks, for what, and the message', async () => {
    const { agent, ask, login, last } = world()
    await ask({ binding_message: 'W4SCT <b>' })
    const before = await agent.get('/ciba')
    expect(shows(before)).not.toContain('W4SCT')
    const page = await login()
    expect(shows(page)).toContain('<strong>The &lt;poller&gt;</strong> wants to ')
    expect(shows(page)).toContain('<bdi>W4SCT &lt;b&gt;</bdi>')
    expect(shows(page)).toContain('<code>profile</code>')
    expect(shows(page)).toContain('<time datetime="2030-01-01T00:10:00.123Z">00:10:00 UTC</time>')
    expect(shows(page)).not.toMatch(/<button[^>]*autofocus/)
    expect(last('ciba.shown')).toEqual({ type: 'ciba.shown', username: 'alice', waiting: 1 })
    expect(shows(await agent.get('/ciba'))).toContain('The &lt;poller&gt;')
  })

  it('shows a person their own requests alone', async () => {
    const { ask, login, agent, decide, poll, idOf } = world()
    const id = await idOf()
    await ask({ login_hint: 'carol' })
    const page = await login('bob', 'builder')
    expect(shows(page)).toContain('No request waits for you.')
    // The name of the request and the csrf value of another person's page decide nothing.
    const hers = await login()
    await login('bob', 'builder')
    const answer = await decide(hers, 'allow')
    expect(shows(answer)).toContain('was decided before, or has expired')
    expectError(await poll(id), 400, 'authorization_pending')
    expect(shows(await agent.get('/ciba'))).toContain('<strong>bob</strong>')
  })

  it('never allows by itself: not by a session, not by an earlier permission, not by looking', async () => {
    const { idOf, login, decide, poll, agent, clock } = world()
    const [first, second] = [await idOf(), await idOf()]
    await decide(await login(), 'allow')
    await agent.get('/ciba')
    const [one, other] = [await poll(first), await poll(second)].map(json)
    expect([one!.error, other!.error].sort()).toEqual(['authorization_pending', undefined].sort())
    clock.now += 600_000
    expect(shows(await agent.get('/ciba'))).toContain('No request waits for you.')
  })

  it('decides once, and not after the end', async () => {
    const { idOf, login, decide, poll, clock, last } = world()
    const id = await idOf()
    const page = await login()
    expect(shows(await decide(page, 'deny'))).toContain('Access refused')
    expect(shows(await decide(page, 'allow'))).toContain('was decided before, or has expired')
    expect(last('ciba.failed')).toMatchObject({ reason: 'gone', username: 'alice' })
    expectError(await poll(id), 400, 'access_denied')
    const late = await idOf()
    const seen = await login()
    clock.now += 600_000
    expect(shows(await decide(seen, 'allow'))).toContain('was decided before, or has expired')
    expectError(await poll(late), 400, 'expired_token')
  })

  it.each([
    ['no csrf value', { csrf: undefined }],
    ['a csrf value of another form', { csrf: 'x'.repeat(86) }],
  ])('takes no decision with %s', async (_, more) => {
    const { idOf, login, decide, poll, last } = world()
    const id = await idOf()
    const answer = await decide(await login(), 'allow', more)
    expect(answer.status).toBe(403)
    expect(last('ciba.failed')).toMatchObject({ reason: 'csrf', client_id: 'poller' })
    expectError(await poll(id), 400, 'authorization_pending')
  })

  it('takes no decision of another browser, and no decision without a login', async () => {
    const made = world()
    const id = await made.idOf()
    const page = await made.login()
    const form = { request: field(page, 'request'), csrf: field(page, 'csrf'), decision: 'allow' }
    expect(shows(await browser(made).post('/ciba', form))).toContain('Your login has ended')
    const other = browser(made)
    const csrf = field(await other.get('/ciba'), 'csrf')
    await other.post('/ciba', { username: 'alice', password: 'wonderland', csrf })
    expect((await other.post('/ciba', form)).status).toBe(403)
    expectError(await made.poll(id), 400, 'authorization_pending')
  })

  it('counts anything but "allow" as a refusal, and refuses repeated fields', async () => {
    const { idOf, login, decide, poll, agent } = world()
    const id = await idOf()
    const page = await login()
    const twice = await agent.send('POST', '/ciba', [FORM], 'decision=deny&decision=allow&request=x')
    expect(twice.status).toBe(400)
    await decide(page, 'ALLOW')
    expectError(await poll(id), 400, 'access_denied')
  })

  it('says that a password is wrong, and takes no login of another page', async () => {
    const { login, last } = world()
    expect(shows(await login('alice', 'x'))).toContain('Username or password is wrong.')
    expect(last('login.failed')).toMatchObject({ username: 'alice', reason: 'credentials' })
    expect((await login('alice', 'wonderland', { csrf: 'x' })).status).toBe(403)
  })

  it('asks for a one-time code where the client wants a stronger login', async () => {
    const { idOf, login, decide, poll, clock } = world()
    const id = await idOf({ login_hint: 'carol', acr_values: MFA })
    const page = await login('carol', 'looking-glass')
    expect(shows(page)).toContain('name="otp"')
    expect(shows(await decide(page, 'allow'))).toContain('This code is wrong')
    expectError(await poll(id), 400, 'authorization_pending')
    const otp = totpCode(parseTotpSecret(TOTP)!, totpCounter(clock.now))
    expect(shows(await decide(page, 'allow', { otp }))).toContain('Access allowed')
    clock.now += 5000
    expect(claimsOf(json(await poll(id)).id_token)).toMatchObject({ acr: MFA, amr: ['pwd', 'otp', 'mfa'] })
  })

  it('asks nobody without a second factor for a code', async () => {
    const { idOf, login, decide, poll } = world()
    const id = await idOf({ acr_values: MFA })
    const page = await login()
    expect(shows(page)).not.toContain('name="otp"')
    await decide(page, 'allow')
    expect(claimsOf(json(await poll(id)).id_token)).toMatchObject({ acr: 'urn:oauth-lab:acr:pwd' })
  })
})

describe('a ping (CIBA Core §10.2)', () => {
  const pinged = (made: ReturnType<typeof world>) => made.idOf({ client_notification_token: TOKEN }, 'pinged')

  it.each(['allow', 'deny'])('follows %s, with the token of the client and no result', async decision => {
    const made = world()
    const id = await pinged(made)
    expect(made.calls).toEqual([])
    await made.decide(await made.login(), decision)
    expect(made.calls).toEqual([{ url: NOTIFIED, message: { auth_req_id: id }, bearerToken: TOKEN }])
    await Promise.resolve()
    const about = { client_id: 'pinged', username: 'alice', url: NOTIFIED }
    expect(made.last('ciba_ping.sent')).toEqual({ type: 'ciba_ping.sent', ...about })
    expect(made.last('ciba_ping.accepted')).toEqual({ type: 'ciba_ping.accepted', ...about, status: 204 })
    const answer = await made.poll(id, 'pinged')
    expect(json(answer).error).toBe(decision === 'allow' ? undefined : 'access_denied')
  })

  it.each([
    ['an answer 302', { status: 302 }, 302],
    ['an answer 500', { status: 500 }, 500],
    ['no answer', new Error('connection refused'), undefined],
  ])('that fails by %s leaves the result for a poll', async (_, answer, status) => {
    const made = world([answer])
    const id = await pinged(made)
    expect(shows(await made.decide(await made.login(), 'allow'))).toContain('Access allowed')
    await Promise.resolve()
    expect(made.last('ciba_ping.failed')).toMatchObject({ url: NOTIFIED, ...(status && { status }) })
    expect((await made.poll(id, 'pinged')).status).toBe(200)
  })

  it('is not sent to a client that polls alone', async () => {
    const made = world()
    await made.idOf({ client_notification_token: TOKEN })
    await made.decide(await made.login(), 'allow')
    expect(made.calls).toEqual([])
  })

  it('is in the metadata of a server that calls clients', async () => {
    const { get } = world()
    expect(json(await get('/.well-known/openid-configuration'))).toMatchObject({
      backchannel_authentication_endpoint: `${ISSUER}/bc-authorize`,
      backchannel_token_delivery_modes_supported: ['poll', 'ping'],
    })
  })
})

it('no event has the id of a request or the token of a client', async () => {
  const made = world()
  const id = await made.idOf({ client_notification_token: TOKEN }, 'pinged')
  await made.decide(await made.login(), 'allow')
  await made.poll(id, 'pinged')
  expect(JSON.stringify(made.events)).not.toContain(id)
  expect(JSON.stringify(made.events)).not.toContain(TOKEN)
})
