import { createPublicKey, generateKeyPairSync, KeyObject } from 'node:crypto'
import { SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { encodeForm } from '../../../src/protocol/http/form.js'
import { bytes, type HttpRequest, header, text } from '../../../src/protocol/http/message.js'
import { FORM, ISSUER, signingKey } from '../authorization-server/support.js'
import { demoWeb, notesOf, SITE, world } from './world.js'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const registered = { demoWeb: { backchannel_logout_uri: `${SITE}/backchannel-logout` } }

/** A person who is logged in, and ways to send logout tokens. */
async function loggedIn() {
  const made = world()
  const browser = made.browser()
  await notesOf(browser)
  const now = made.clock.now / 1000
  const claims = {
    iss: ISSUER,
    aud: demoWeb.client_id,
    sub: 'alice',
    iat: now,
    exp: now + 120,
    jti: 'j-1',
    events: { [EVENT]: {} },
  }
  const sign = (changed: object = {}, head: object = {}) =>
    new SignJWT({ ...claims, ...changed })
      .setProtectedHeader({ alg: 'RS256', kid: signingKey.kid, typ: 'logout+jwt', ...head })
      .sign(signingKey.privateKey)
  const send = async (fields: Readonly<Record<string, string>>) => {
    const body = bytes(encodeForm(Object.entries(fields)))
    const request: HttpRequest = { method: 'POST', url: `${SITE}/backchannel-logout`, headers: [FORM], body }
    const response = await made.handle(request)
    return { status: response.status, said: text(response.body), store: header(response, 'cache-control') }
  }
  const isLoggedIn = async () => (await browser.get('/notes')).text.includes('Notes of')
  return { ...made, claims, sign, send, browserOf: browser, isLoggedIn }
}

describe('a logout token at the demo client (Back-Channel Logout §2.6)', () => {
  it('ends all sessions of the person it names, and the person reads why', async () => {
    const { sign, send, browserOf, events } = await loggedIn()
    expect(await send({ logout_token: await sign() })).toEqual({ status: 200, said: '', store: 'no-store' })
    expect((await browserOf.get('/notes')).text).toContain('You logged out at the authorization server')
    expect(events.find(({ type }) => type === 'demo_client.logout_accepted')).toMatchObject({
      channel: 'back',
      sub: 'alice',
      checks: expect.arrayContaining([expect.objectContaining({ name: 'jti', ok: true })]),
    })
  })

  it('ends the session of its sid alone, and lets the person log in again', async () => {
    const { sign, send, isLoggedIn, browserOf } = await loggedIn()
    expect((await send({ logout_token: await sign({ sid: 'other' }) })).status).toBe(200)
    expect(await isLoggedIn()).toBe(true)
    expect((await send({ logout_token: await sign({ jti: 'j-2' }) })).status).toBe(200)
    expect(await isLoggedIn()).toBe(false)
    await browserOf.get('/login')
    expect(await isLoggedIn()).toBe(true)
  })

  it.each<[string, object, object, string]>([
    ['another audience', { aud: 'other' }, {}, 'aud'],
    ['another issuer', { iss: 'https://evil.example' }, {}, 'does not log in'],
    ['a nonce', { nonce: 'n' }, {}, 'nonce'],
    ['no events', { events: undefined }, {}, 'events'],
    ['another event', { events: { 'urn:other': {} } }, {}, 'events'],
    ['an event that is no object', { events: { [EVENT]: true } }, {}, 'events'],
    ['neither sub nor sid', { sub: undefined }, {}, 'sub or sid'],
    ['no jti', { jti: undefined }, {}, 'jti'],
    ['no exp', { exp: undefined }, {}, 'exp'],
    ['no iat', { iat: undefined }, {}, 'age'],
    ['an old iat', { iat: Date.UTC(2029, 0, 1) / 1000 }, {}, 'age'],
    ['the type of an access token', {}, { typ: 'at+jwt' }, 'typ'],
    ['an unknown key', {}, { kid: 'unknown' }, 'signature'],
  ])('with %s is refused, and ends nothing', async (_, changed, head, problem) => {
    const { sign, send, isLoggedIn, events } = await loggedIn()
    const { status, said, store } = await send({ logout_token: await sign(changed, head) })
    expect([status, store]).toEqual([400, 'no-store'])
    expect(said).toContain(problem)
    expect(await isLoggedIn()).toBe(true)
    expect(events.some(({ type }) => type === 'demo_client.logout_refused')).toBe(true)
  })

  it('without a signature, by a secret, or changed is refused', async () => {
    const { claims, sign, send, isLoggedIn } = await loggedIn()
    const good = await sign()
    const hmac = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'logout+jwt' })
      .sign(bytes('demo-web-secret-of-32-bytes-or-more'))
    const spki = createPublicKey(KeyObject.from(signingKey.privateKey)).export({
      type: 'spki',
      format: 'pem',
    })
    const byPublicKey = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: signingKey.kid, typ: 'logout+jwt' })
      .sign(bytes(spki.toString()))
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const foreign = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: signingKey.kid, typ: 'logout+jwt' })
      .sign(privateKey)
    const unsigned = new UnsecuredJWT(claims).encode()
    for (const token of [unsigned, byPublicKey, foreign, hmac, `${good.slice(0, -4)}AAAA`, 'x', '']) {
      expect((await send({ logout_token: token })).status).toBe(400)
    }
    expect((await send({})).status).toBe(400)
    expect(await isLoggedIn()).toBe(true)
  })

  it('is accepted once', async () => {
    const { sign, send } = await loggedIn()
    const token = await sign()
    expect((await send({ logout_token: token })).status).toBe(200)
    const again = await send({ logout_token: token })
    expect([again.status, again.said.includes('came before')]).toEqual([400, true])
  })
})

describe('a logout at the authorization server', () => {
  it('ends the session of the demo client through the back channel', async () => {
    const { browser, events } = world(registered)
    const agent = browser()
    await notesOf(agent)
    const question = await agent.get(`${ISSUER}/end-session`)
    const page = await agent.submit(question, '/end-session', { logout: 'yes' })
    expect(page.text).toContain('confirmed that it ended its session')
    expect((await agent.get('/notes')).text).toContain('You logged out at the authorization server')
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['logout_token.sent', 'demo_client.logout_accepted', 'logout_token.accepted']),
    )
  })

  it('ends it by a frame, which the authorization server alone may show', async () => {
    const { browser, handle, events } = world(registered)
    const agent = browser()
    await notesOf(agent)
    const question = await agent.get(`${ISSUER}/end-session`)
    await agent.submit(question, '/end-session', { logout: 'yes' })
    const { sid } = events.find(({ type }) => type === 'logout_token.sent') as unknown as { sid: string }
    const open = (query: string) =>
      handle({ method: 'GET', url: `${SITE}/frontchannel-logout?${query}`, headers: [], body: bytes('') })
    const response = await open(
      encodeForm([
        ['iss', ISSUER],
        ['sid', sid],
      ]),
    )
    expect(response.status).toBe(200)
    expect(header(response, 'content-security-policy')).toBe(
      "default-src 'none'; frame-ancestors https://localhost:8443",
    )
    expect(header(response, 'x-frame-options')).toBeUndefined()
    expect((await open('iss=https%3A%2F%2Fevil.example&sid=x')).status).toBe(400)
    expect((await open('')).status).toBe(400)
  })
})
