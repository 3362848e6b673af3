import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { header, text } from '../../../../src/protocol/http/message.js'
import { decodeJwt } from '../../../../src/protocol/tokens/decode.js'
import { verifyJwt } from '../../../../src/protocol/tokens/verify.js'
import { ecKey, makeJwt, part } from '../../../protocol/tokens/jwt-maker.js'
import { back, front, quiet, WEB, world } from '../logout/world.js'
import { codeRequest, ISSUER, json, landed } from '../support.js'

/*
 * The demands of the OpenID Foundation's four logout plans for OPs, by the names of their modules.
 * docs/maintainers/conformance.md names the plans.
 */

/** As long as the suite's, with characters of every kind that RFC 6749 Appendix A.5 allows. */
const STATE = `${'~!@#$%^&*()_+={}[]|:;"<>,.?/ '.repeat(5)}end`.slice(-128)

const clients = [
  { ...back, backchannel_logout_session_required: true },
  { ...front, frontchannel_logout_session_required: true },
  quiet,
]

/** A person who is logged in at a client, which sends her to the end_session_endpoint. */
async function loggedIn(id: 'back' | 'front' | 'quiet' = 'quiet') {
  const here = world([], clients)
  const { hint, claims, answer } = await here.login(id)
  const bye = `${WEB}/${id}/bye`
  const whole = { id_token_hint: hint, post_logout_redirect_uri: bye, state: STATE }
  const request = codeRequest({ client_id: id, redirect_uri: `${WEB}/${id}`, scope: 'openid' })
  /** The second authorization, with prompt=none: its error says if the person was logged out. */
  const again = async () => landed(await here.agent.authorize({ ...request, prompt: 'none' }))
  return { ...here, hint, claims, answer, bye, whole, again }
}

const without = (parameters: Readonly<Record<string, string>>, ...names: string[]) =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !names.includes(name)))

const metadata = async () => json(await world([], clients).server.get('/.well-known/openid-configuration'))

describe('oidcc-rp-initiated-logout-certification-test-plan', () => {
  it('discovery-endpoint-verification', async () => {
    expect((await metadata()).end_session_endpoint).toMatch(/^https:/)
  })

  it.each([
    ['oidcc-rp-initiated-logout', []],
    ['no-state', ['state']],
  ])('%s: back at the client with its state and nothing else, and logged out', async (_, left) => {
    const { logout, whole, bye, again } = await loggedIn()
    const response = await logout(without(whole, ...left))
    const { origin, pathname, searchParams } = new URL(header(response, 'location') ?? '')
    expect(origin + pathname).toBe(bye)
    expect([...searchParams]).toEqual(left.length === 0 ? [['state', STATE]] : [])
    expect((await again()).error).toBe('login_required')
  })

  it.each([
    ['bad-post-logout-redirect-uri', { post_logout_redirect_uri: `${WEB}/quiet/byeA` }],
    ['query-added-to-post-logout-redirect-uri', { post_logout_redirect_uri: `${WEB}/quiet/bye?foo=bar` }],
  ])('%s: an error page, and no redirect', async (_, changed) => {
    const { logout, whole, again } = await loggedIn()
    const response = await logout({ ...whole, ...changed })
    expect([response.status, header(response, 'location')]).toEqual([400, undefined])
    expect((await again()).error).toBeUndefined()
  })

  it.each([
    ['no-id-token-hint', () => undefined],
    ['bad-id-token-hint', (claims: object) => makeJwt(ecKey(), { kid: 'suite' }, claims)],
    ['modified-id-token-hint', (claims: object) => `${part({ alg: 'none' })}.${part(claims)}.`],
  ])('%s: an error page, and no redirect', async (_, made) => {
    const { logout, whole, claims, again } = await loggedIn()
    const hint = made(claims)
    const rest = without(whole, 'id_token_hint')
    const response = await logout(hint === undefined ? rest : { ...rest, id_token_hint: hint })
    expect([response.status, header(response, 'location')]).toEqual([400, undefined])
    expect((await again()).error).toBeUndefined()
  })

  it('no-post-logout-redirect-uri: a page says that she is logged out', async () => {
    const { logout, whole, again } = await loggedIn()
    const response = await logout(without(whole, 'post_logout_redirect_uri'))
    expect([response.status, header(response, 'location')]).toEqual([200, undefined])
    expect(text(response.body)).toContain('You are logged out')
    expect((await again()).error).toBe('login_required')
  })

  it.each([
    ['no-params', {}],
    ['only-state', { state: STATE }],
  ])('%s: she confirms, and a page says that she is logged out', async (_, parameters) => {
    const { logout, agent, again } = await loggedIn()
    const page = text((await logout(parameters)).body)
    const csrf = /name="csrf" value="([^"]*)"/.exec(page)?.[1]
    const done = await agent.post('/end-session', { ...parameters, csrf, logout: 'yes' })
    expect([done.status, header(done, 'location')]).toEqual([200, undefined])
    expect(text(done.body)).toContain('You are logged out')
    expect((await again()).error).toBe('login_required')
  })
})

describe('oidcc-backchannel-rp-initiated-logout-certification-test-plan', () => {
  it('discovery-endpoint-verification', async () => {
    expect(await metadata()).toMatchObject({
      end_session_endpoint: expect.stringMatching(/^https:/),
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
    })
  })

  it('oidcc-backchannel-rp-initiated-logout', async () => {
    const { logout, whole, calls, claims, server, again, bye } = await loggedIn('back')
    const response = await logout(whole)
    expect(header(response, 'location')?.startsWith(`${bye}?state=`)).toBe(true)
    expect(calls.map(({ form }) => [...form].map(([name]) => name))).toEqual([['logout_token']])
    const token = String([...(calls[0]?.form ?? [])][0]?.[1])
    const jwks = json(await server.get('/.well-known/jwks.json')) as { keys: [] }
    const verdict = await verifyJwt(token, { kind: 'jwks', jwks }, { issuer: ISSUER, now: server.clock.now })
    expect(verdict.ok).toBe(true)
    const said = decodeJwt(token).claims
    expect(said).toMatchObject({ iss: ISSUER, aud: 'back', sub: claims.sub, sid: claims.sid })
    expect(said.iat).toBe(Math.floor(server.clock.now / 1000))
    expect(Number(said.exp)).toBeLessThanOrEqual(Number(said.iat) + 120)
    expect(said).toMatchObject({ events: { 'http://schemas.openid.net/event/backchannel-logout': {} } })
    expect(said).not.toHaveProperty('nonce')
    expect(said.jti).toEqual(expect.any(String))
    expect((await again()).error).toBe('login_required')
  })
})

describe('oidcc-frontchannel-rp-initiated-logout-certification-test-plan', () => {
  it('discovery-endpoint-verification', async () => {
    expect(await metadata()).toMatchObject({
      end_session_endpoint: expect.stringMatching(/^https:/),
      frontchannel_logout_supported: true,
      frontchannel_logout_session_supported: true,
    })
  })

  it('oidcc-frontchannel-rp-initiated-logout: a frame with iss and sid alone, then back with state', async () => {
    const { logout, whole, claims, again, bye } = await loggedIn('front')
    const page = text((await logout(whole)).body)
    const frame = /<iframe[^>]* src="([^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect(frame.startsWith(`${WEB}/front/logout?t=a&`)).toBe(true)
    expect([...new URL(frame).searchParams]).toEqual([
      ['t', 'a'],
      ['iss', ISSUER],
      ['sid', claims.sid],
    ])
    const next = /<a [^>]*href="([^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect([...new URL(next).searchParams]).toEqual([['state', STATE]])
    expect(next.startsWith(bye)).toBe(true)
    expect((await again()).error).toBe('login_required')
  })
})

describe('oidcc-session-management-certification-test-plan', () => {
  it('discovery-endpoint-verification', async () => {
    expect((await metadata()).check_session_iframe).toMatch(/^https:/)
  })

  it('oidcc-session-management-rp-initiated-logout: session_state is that of the session until she logs out', async () => {
    const { answer, agent, logout, whole, again } = await loggedIn()
    const [hash = '', salt = ''] = String(answer.session_state).split('.')
    const state = () => [...agent.jar].find(([name]) => name.includes('browser-state'))?.[1]
    const expected = () => createHash('sha256').update(`quiet ${WEB} ${state()} ${salt}`).digest('base64url')
    expect(String(answer.session_state)).not.toContain(' ')
    expect(hash).toBe(expected())
    // The frame computes the same from its cookie, and says unchanged.
    await logout(whole)
    expect(hash).not.toBe(expected())
    expect((await again()).error).toBe('login_required')
  })
})
