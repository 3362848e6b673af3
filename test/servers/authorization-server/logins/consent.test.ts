import { describe, expect, it } from 'vitest'
import { type HttpResponse, header, text } from '../../../../src/protocol/http/message.js'
import { browser } from '../browser.js'
import {
  CALLBACK,
  CHALLENGE,
  client,
  codeRequest,
  field,
  ISSUER,
  json,
  lab,
  landed,
  type Parameters,
  query,
  settings,
  VERIFIER,
} from '../support.js'

const demo = codeRequest({ scope: 'openid', state: 'xyz' })
const pkce = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }
const spa = codeRequest({ client_id: 'demo-spa', scope: 'openid', state: 'xyz', ...pkce })
const other = codeRequest({ client_id: 'other', scope: 'openid', state: 'xyz' })
const PRIVATE = 'com.example.app:/oauth'
const CLAIMED = 'https://app.example/oauth'
const phone = codeRequest({ client_id: 'phone', scope: 'openid', state: 'xyz' })

const clients = [
  ...settings.clients,
  client('phone', { application_type: 'native' }),
  client('desktop', { application_type: 'native', client_secret: 'desktop-secret' }),
  client('once', { application_type: 'native', client_secret: 'once-secret', consent: 'kept' }),
  client('app', { redirect_uris: [PRIVATE, CALLBACK] }),
  client('claimed', { application_type: 'native', redirect_uris: [CLAIMED] }),
  client('trusted', { consent: 'granted' }),
  client('both', { client_secret: 'both-secret', response_types: ['code', 'token'] }),
]

const world = () => {
  const server = lab({ clients })
  return { server, ...browser(server) }
}
type World = ReturnType<typeof world>

const at = (parameters: Parameters) => `/authorization?${query(parameters)}`

const asks = (response: HttpResponse) => text(response.body).includes('<h1>Allow access?</h1>')
const tokenIn = (response: HttpResponse) => header(response, 'location')?.includes('#access_token=') === true
const asksForPassword = (response: HttpResponse) => text(response.body).includes('name="password"')

/** Opens the consent page of a request and presses a button. */
async function press(
  { authorize, post }: World,
  parameters: Parameters,
  consent: string,
  more: Parameters = {},
) {
  const page = await authorize(parameters)
  expect(asks(page)).toBe(true)
  return post(at(parameters), { consent, csrf: field(page, 'csrf'), ...more })
}

const eventsOf = ({ server }: World, type: string) => server.events.filter(event => event.type === type)

describe('a session', () => {
  it('gives another client nothing before the person allowed it', async () => {
    const here = world()
    await here.login(demo)
    const page = await here.authorize(spa)
    expect(asks(page)).toBe(true)
    expect(asksForPassword(page)).toBe(false)
    expect(header(page, 'location')).toBeUndefined()
    expect(here.server.types().filter(type => type === 'code.issued')).toHaveLength(1)
    expect(eventsOf(here, 'consent.shown')).toMatchObject([
      {
        client_id: 'demo-spa',
        username: 'alice',
        scope: 'openid',
        redirect_uri: CALLBACK,
        reason: 'client',
        rule: 'RFC 6749 §10.2',
      },
    ])
  })

  it('answers the client once the person allowed it, and again without a page', async () => {
    const here = world()
    await here.login(demo)
    const allowed = landed(await press(here, spa, 'allow'))
    expect(allowed).toMatchObject({ code: expect.any(String), state: 'xyz', iss: ISSUER })
    expect(eventsOf(here, 'consent.granted')).toMatchObject([
      { client_id: 'demo-spa', username: 'alice', scope: 'openid', kept: true },
    ])
    const tokens = json(
      await here.server.redeem(allowed.code ?? '', { client_id: 'demo-spa', code_verifier: VERIFIER }, []),
    )
    expect(tokens.access_token).toEqual(expect.any(String))
    expect(landed(await here.authorize(spa)).code).toEqual(expect.any(String))
    expect(eventsOf(here, 'consent.applied')).toMatchObject([{ client_id: 'demo-spa', source: 'session' }])
  })

  it('asks again for a wider scope, for a narrower one it does not', async () => {
    const here = world()
    await here.login({ ...demo, scope: 'openid profile' })
    expect(landed(await here.authorize(demo)).code).toEqual(expect.any(String))
    const wider = { ...demo, scope: 'openid records:write' }
    await press(here, wider, 'allow')
    expect(eventsOf(here, 'consent.shown')).toMatchObject([{ reason: 'scope' }])
    expect(landed(await here.authorize({ ...demo, scope: 'openid profile records:write' })).code).toEqual(
      expect.any(String),
    )
  })

  it.each([
    ['a wider scope', { scope: 'openid profile records:write' }, ['records:write'], 'openid, profile'],
    ['prompt=consent', { scope: 'openid profile', prompt: 'consent' }, ['openid', 'profile'], undefined],
    ['a claim', { scope: 'openid', claims: '{"userinfo":{"email":null}}' }, ['email'], 'openid'],
  ])(
    'asks for what was added alone, and says what was allowed before: %s',
    async (_, more, asked, before) => {
      const here = world()
      await here.login({ ...demo, scope: 'openid profile' })
      const page = text((await here.authorize({ ...demo, ...more })).body)
      const codes = (of: string) => [...of.matchAll(/<code>([^<]+)<\/code>/g)].map(([, code]) => code)
      expect(codes(/<ul>(.*?)<\/ul>/s.exec(page)?.[1] ?? '')).toEqual(asked)
      const told = /allowed it before: (.*?)<\/p>/.exec(page)?.[1]
      expect(told && codes(told).join(', ')).toBe(before)
    },
  )

  it('keeps the consent of a confidential client for each of its addresses', async () => {
    const here = world()
    await here.login(demo)
    await press(here, other, 'allow')
    const elsewhere = { ...other, redirect_uri: 'https://client.example/cb?tenant=a' }
    expect(landed(await here.authorize(elsewhere)).code).toEqual(expect.any(String))
  })

  it('keeps the consent to tokens in the answer for the exact address, because no secret is shown there', async () => {
    const here = world()
    const page = {
      ...demo,
      client_id: 'both',
      response_type: 'token',
      redirect_uri: 'http://127.0.0.1:7000/callback',
    }
    await here.login({ ...page, response_type: 'code' })
    expect(tokenIn(await here.authorize(page))).toBe(true)
    const thief = { ...page, redirect_uri: 'http://127.0.0.1:6666/callback' }
    const silent = header(await here.authorize({ ...thief, prompt: 'none' }), 'location') ?? ''
    expect(new URL(silent).hash).toContain('error=consent_required')
    const asked = await here.authorize(thief)
    expect(asks(asked)).toBe(true)
    expect(text(asked.body)).toContain('Nothing proves the name of this client.')
    expect(eventsOf(here, 'consent.shown')).toMatchObject([{ reason: 'client', rule: 'RFC 6749 §10.2' }])
    expect(landed(await here.authorize({ ...thief, response_type: 'code' })).code).toEqual(expect.any(String))
    expect(tokenIn(await press(here, thief, 'allow'))).toBe(true)
    expect(tokenIn(await here.authorize(thief))).toBe(true)
  })

  it('keeps the consent of a public client for the exact address: another port is asked about', async () => {
    const here = world()
    const page = { ...spa, redirect_uri: 'http://127.0.0.1:7000/callback' }
    await here.login(page)
    expect(landed(await here.authorize({ ...page, prompt: 'none' })).code).toEqual(expect.any(String))
    const thief = { ...spa, redirect_uri: 'http://127.0.0.1:6666/callback' }
    expect(asks(await here.authorize(thief))).toBe(true)
    expect(landed(await here.authorize({ ...thief, prompt: 'none' }))).toEqual({
      error: 'consent_required',
      error_description: expect.any(String),
      error_uri: 'https://openid.net/specs/openid-connect-core-1_0.html#rfc.section.3.1.2.6',
      state: 'xyz',
      iss: ISSUER,
    })
  })

  it.each([
    ['of the type native', phone],
    ['of the type native with a secret', { ...phone, client_id: 'desktop' }],
    ['with a private scheme', { ...phone, client_id: 'app', redirect_uri: PRIVATE }],
  ])('asks every time about a client %s (RFC 8252 §8.6)', async (_, parameters) => {
    const here = world()
    await here.login(parameters)
    await press(here, parameters, 'allow')
    await press(here, parameters, 'allow')
    expect(eventsOf(here, 'consent.granted')).toMatchObject([{ kept: false }, { kept: false }])
    expect(eventsOf(here, 'consent.shown')[0]).toMatchObject({ reason: 'native', rule: 'RFC 8252 §8.6' })
    const silent = await here.authorize({ ...parameters, prompt: 'none' })
    expect(header(silent, 'location')).toContain('error=consent_required')
  })

  it('asks once about a native client at an https address, which no other application has', async () => {
    const here = world()
    const claimed = { ...phone, client_id: 'claimed', redirect_uri: CLAIMED, ...pkce }
    await here.login(claimed)
    expect(landed(await here.authorize({ ...claimed, prompt: 'none' })).code).toEqual(expect.any(String))
  })

  it('does not ask about a client that the lab file allows, unless the request wants that', async () => {
    const here = world()
    await here.login(demo)
    const trusted = { ...demo, client_id: 'trusted' }
    expect(landed(await here.authorize({ ...trusted, prompt: 'none' })).code).toEqual(expect.any(String))
    expect(eventsOf(here, 'consent.applied')).toMatchObject([{ client_id: 'trusted', source: 'client' }])
    expect(asks(await here.authorize({ ...trusted, prompt: 'consent' }))).toBe(true)
  })

  it('asks once about a native client whose consent the lab file keeps', async () => {
    const here = world()
    await here.login(demo)
    const once = { ...demo, client_id: 'once' }
    expect(landed(await here.authorize({ ...once, prompt: 'none' })).error).toBe('consent_required')
    await press(here, once, 'allow')
    expect(eventsOf(here, 'consent.granted')).toMatchObject([{ client_id: 'once', kept: true }])
    expect(landed(await here.authorize({ ...once, prompt: 'none' })).code).toEqual(expect.any(String))
    expect(asks(await here.authorize({ ...once, scope: 'openid profile' }))).toBe(true)
  })

  it('forgets its consents when it ends', async () => {
    const here = world()
    await here.login(demo)
    await press(here, other, 'allow')
    await here.login({ ...demo, prompt: 'login' })
    expect(asks(await here.authorize(other))).toBe(true)
  })

  it('keeps a limited number of consents, the latest', async () => {
    const here = world()
    const page = (port: number) => ({ ...spa, redirect_uri: `http://127.0.0.1:${port}/callback` })
    await here.login(page(1))
    for (let port = 2; port <= 101; port++) await press(here, page(port), 'allow')
    expect(asks(await here.authorize(page(2)))).toBe(false)
    expect(asks(await here.authorize(page(1)))).toBe(true)
  })
})

describe('prompt', () => {
  it('none: consent_required for a client that was not allowed, sent to the client', async () => {
    const here = world()
    await here.login(demo)
    for (const parameters of [other, spa, phone, { ...demo, scope: 'openid email' }]) {
      const answer = landed(await here.authorize({ ...parameters, prompt: 'none' }))
      expect(answer).toMatchObject({ error: 'consent_required', state: 'xyz', iss: ISSUER })
      expect(answer).not.toHaveProperty('code')
    }
    expect(eventsOf(here, 'session.resumed')).toEqual([])
  })

  it('none: allows no form, not even a submitted one', async () => {
    const here = world()
    await here.login(demo)
    const csrf = field(await here.authorize(spa), 'csrf')
    const answer = await here.post(at({ ...spa, prompt: 'none' }), { consent: 'allow', csrf })
    expect(landed(answer)).toMatchObject({ error: 'consent_required' })
  })

  it('consent: asks again without the password, and keeps the login', async () => {
    const here = world()
    await here.login(demo)
    const again = { ...demo, prompt: 'consent' }
    expect(landed(await press(here, again, 'allow')).code).toEqual(expect.any(String))
    expect(eventsOf(here, 'consent.shown')).toMatchObject([{ reason: 'prompt' }])
    expect(eventsOf(here, 'login.succeeded')).toHaveLength(1)
    expect(asksForPassword(await browser(here.server).authorize(again))).toBe(true)
  })
})

describe('the consent page', () => {
  it('names the user, the client, the scope and the receiver of the answer, escaped', async () => {
    const here = world()
    await here.login(other)
    const page = text((await here.authorize({ ...demo, scope: 'records:write' })).body)
    expect(page).toContain('<strong>Demo &lt;client&gt;</strong>')
    expect(page).toContain('<strong>alice</strong>')
    expect(page).toContain('Change &lt;records&gt;<small><code>records:write</code></small>')
    expect(page).toContain('the program on this computer that answers at http://127.0.0.1<')
    expect(page).not.toContain('Nothing proves the name')
    expect(page).not.toContain('autofocus')
    const app = text((await here.authorize({ ...phone, client_id: 'app', redirect_uri: PRIVATE })).body)
    expect(app).toContain('the application that this computer opens for com.example.app:<')
    expect(app).toContain('Nothing proves the name')
    const web = { ...other, redirect_uri: 'https://client.example/cb?tenant=a', prompt: 'consent' }
    expect(text((await here.authorize(web)).body)).toContain('<dd>https://client.example</dd>')
  })

  it('cannot be framed, stored or read by scripts', async () => {
    const here = world()
    await here.login(demo)
    const page = await here.authorize(spa)
    expect(header(page, 'x-frame-options')).toBe('DENY')
    expect(header(page, 'cache-control')).toBe('no-store')
    expect(header(page, 'content-security-policy')).toContain("default-src 'none'")
  })

  it('sends a refusal to the client, and asks again the next time', async () => {
    const here = world()
    await here.login(demo)
    expect(landed(await press(here, spa, 'deny'))).toMatchObject({ error: 'access_denied', state: 'xyz' })
    expect(eventsOf(here, 'consent.denied')).toMatchObject([{ client_id: 'demo-spa', scope: 'openid' }])
    expect(landed(await press(here, spa, 'perhaps'))).toMatchObject({ error: 'access_denied' })
  })

  it('lets somebody else log in instead', async () => {
    const here = world()
    await here.login(demo)
    const page = await press(here, spa, 'switch')
    expect(asksForPassword(page)).toBe(true)
    expect(field(page, 'username')).toBe('')
    const form = { username: 'bob', password: 'builder', csrf: field(page, 'csrf') }
    expect(landed(await here.post(at(spa), form)).code).toEqual(expect.any(String))
    expect(eventsOf(here, 'code.issued').at(-1)).toMatchObject({ username: 'bob', client_id: 'demo-spa' })
  })

  it('counts only for its own request, browser and user', async () => {
    const here = world()
    await here.login(demo)
    const csrf = field(await here.authorize(spa), 'csrf')
    const refused = async (agent: Pick<World, 'post'>, target: string, fields: Parameters) => {
      const response = await agent.post(target, { consent: 'allow', ...fields })
      expect([response.status, asks(response)]).toEqual([403, true])
      expect(text(response.body)).toContain('out of date')
    }
    const wide = { ...spa, scope: 'openid records:write' }
    for (const wrong of [undefined, '', 'x'.repeat(86)]) await refused(here, at(spa), { csrf: wrong })
    await refused(here, at(wide), { csrf })
    await refused(here, at({ ...spa, redirect_uri: 'http://127.0.0.1:1/callback' }), { csrf })
    const there = browser(here.server)
    await there.login(demo)
    await refused(there, at(spa), { csrf })
    expect(here.server.types().filter(type => type === 'code.issued')).toHaveLength(2)
    expect(eventsOf(here, 'consent.failed').at(-1)).toMatchObject({ reason: 'csrf', rule: 'RFC 6749 §10.12' })
    await here.login({ ...demo, prompt: 'login' }, { username: 'bob', password: 'builder' })
    await refused(here, at(spa), { csrf })
  })

  it('is not the login form: its value does not log anybody in, and the other way round', async () => {
    const here = world()
    await here.login(demo)
    const ofConsent = field(await here.authorize(spa), 'csrf')
    const login = { username: 'bob', password: 'builder', csrf: ofConsent }
    expect((await here.post(at(spa), login)).status).toBe(403)
    const ofLogin = field(await press(here, spa, 'switch'), 'csrf')
    expect((await here.post(at(spa), { consent: 'allow', csrf: ofLogin })).status).toBe(403)
  })

  it('shows the login form when the session ended meanwhile', async () => {
    const here = world()
    await here.login(demo)
    const csrf = field(await here.authorize(spa), 'csrf')
    here.jar.delete('__Host-oauth-lab-session')
    const page = await here.post(at(spa), { consent: 'allow', csrf })
    expect(asksForPassword(page)).toBe(true)
    expect(text(page.body)).toContain('Your login has ended')
  })

  it('works for a request that was a POST, and for a pushed one', async () => {
    const here = world()
    await here.login(demo)
    const page = await here.post('/authorization', other)
    const action = /action="([^"]*)"/.exec(text(page.body))?.[1]?.replaceAll('&amp;', '&') ?? ''
    const form = { consent: 'allow', csrf: field(page, 'csrf') }
    expect(landed(await here.post(action, form)).code).toEqual(expect.any(String))
    const pushed = json(await here.server.post('/par', { ...spa, response_type: 'code' }))
    const short = { client_id: 'demo-spa', request_uri: String(pushed.request_uri) }
    expect(landed(await press(here, short, 'allow')).code).toEqual(expect.any(String))
    expect((await here.authorize(short)).status).toBe(400)
  })
})
