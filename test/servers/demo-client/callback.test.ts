import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TransportError } from '../../../src/protocol/errors.js'
import { bytes, jsonResponse, splitUrl, text } from '../../../src/protocol/http/message.js'
import { codeChallenge } from '../../../src/protocol/oauth/pkce.js'
import { signJwt } from '../../../src/protocol/tokens/keys.js'
import { LOGIN_LIFETIME } from '../../../src/servers/demo-client/settings.js'
import type { Ask } from '../../support/ask.js'
import { ISSUER, signingKey } from '../authorization-server/support.js'
import { answerOf, metadataAt, notesOf, SITE, type WorldOptions, world } from './world.js'

const refusals = ({ events }: ReturnType<typeof world>) =>
  events.filter(({ type }) => type === 'demo_client.login_refused')

describe('the callback of the demo client', () => {
  it('finishes a login once', async () => {
    const lab = world()
    const alice = lab.browser()
    const { href } = await answerOf(alice)
    expect((await alice.get(href)).url).toBe(`${SITE}/notes`)
    const again = await alice.get(href)
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('finished already')])
  })

  it('refuses an answer in another browser, which stays good in its own', async () => {
    const lab = world()
    const alice = lab.browser()
    const { href } = await answerOf(alice)
    const page = await lab.browser().get(href)
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('another browser')])
    expect(refusals(lab)).toMatchObject([{ error: 'state_mismatch', rule: 'RFC 6749 §10.12' }])
    expect((await alice.get(href)).url).toBe(`${SITE}/notes`)
  })

  it('refuses an answer that comes too late', async () => {
    const lifetimes = { code: 3e6, accessToken: 3e6, refreshToken: 3e6, login: 3e6 }
    const lab = world({ server: { lifetimes } })
    const alice = lab.browser()
    const { href } = await answerOf(alice)
    lab.clock.now += LOGIN_LIFETIME
    expect((await alice.get(href)).text).toContain('longer than 10 minutes')
  })

  const changes: readonly [string, (url: URL) => void, string, string][] = [
    ['another state', url => url.searchParams.set('state', 'x'), 'state_mismatch', 'RFC 6749 §10.12'],
    ['no state', url => url.searchParams.delete('state'), 'state_mismatch', 'RFC 6749 §10.12'],
    [
      'another iss',
      url => url.searchParams.set('iss', 'https://x.example'),
      'issuer_mismatch',
      'RFC 9207 §2.4',
    ],
    ['no iss', url => url.searchParams.delete('iss'), 'issuer_mismatch', 'RFC 9207 §2.4'],
    ['no code', url => url.searchParams.delete('code'), 'invalid_response', 'RFC 6749 §4.1.2'],
    ['an unknown code', url => url.searchParams.set('code', 'x'), 'invalid_grant', 'RFC 6749 §5.2'],
    ['a token', url => url.searchParams.set('access_token', 'x'), 'invalid_response', 'RFC 6749 §10.16'],
    ['two states', url => url.searchParams.append('state', 'x'), 'invalid_request', 'RFC 6749 §3.1'],
    ['two codes', url => url.searchParams.append('code', 'x'), 'invalid_response', 'RFC 6749 §3.1'],
  ]
  it.each(changes)('refuses an answer with %s', async (_, change, error, rule) => {
    const lab = world()
    const alice = lab.browser()
    const url = await answerOf(alice)
    change(url)
    const page = await alice.get(url.href)
    expect([page.status, page.text]).toEqual([400, expect.stringContaining(rule)])
    expect(refusals(lab)).toMatchObject([{ error, rule }])
    expect(lab.names()).not.toContain('demo_client.logged_in')
  })

  it('shows a login that the person cancelled, and an error of any text, as text', async () => {
    const lab = world()
    const alice = lab.browser()
    const page = await alice.submit(await alice.get('/login'), '', { cancel: 'yes' })
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('access_denied')])
    const url = await answerOf(alice)
    url.searchParams.set('error', '<script>alert(1)</script>')
    url.searchParams.set('error_description', `<img src=x>${'y'.repeat(5000)}`)
    const { body } = await alice.get(url.href)
    expect(body).not.toMatch(/<script|<img/)
    expect(body.length).toBeLessThan(8000)
  })

  it('answers any query with a page, and logs nobody in', async () => {
    const lab = world()
    const browser = lab.browser()
    const pair = fc.tuple(
      fc.constantFrom('code', 'state', 'iss', 'error', 'access_token', 'id_token', 'x', ''),
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('%zz', '%00', '&', ISSUER)),
      fc.boolean(),
    )
    const path = fc.constantFrom('', '/lab', '/x')
    const written = ([name, value, raw]: [string, string, boolean]) =>
      `${name}=${raw ? value.replace(/[^!-~]|[#"<>]/g, '') : encodeURIComponent(value.toWellFormed())}`
    await fc.assert(
      fc.asyncProperty(fc.array(pair, { maxLength: 6 }), path, async (pairs, path) => {
        const page = await browser.get(`${SITE}/callback${path}?${pairs.map(written).join('&')}`)
        expect(page.status).toBe(400)
        expect(page.text).toContain('This was refused')
      }),
      { numRuns: 200 },
    )
  })
})

/** An authorization server of the test's own, whose token endpoint answers what the test says. */
function otherIssuer(
  answer: (request: URLSearchParams) => Promise<unknown> | unknown,
  userinfo: unknown = {},
): Ask {
  return async request => {
    const { path } = splitUrl(request.url)
    if (path === '/token') return jsonResponse(200, await answer(new URLSearchParams(text(request.body))))
    if (path === '/keys') return jsonResponse(200, { keys: [signingKey.publicJwk] })
    if (path === '/userinfo') return jsonResponse(200, userinfo)
    if (!path.startsWith('/.well-known/')) return { status: 200, headers: [], body: bytes('') }
    return jsonResponse(200, metadataAt(OTHER.issuer))
  }
}

const OTHER = {
  issuer: 'https://other.example',
  key: 'other',
  clientId: 'c',
  clientSecret: 's',
  auth: 'client_secret_post',
} as const

describe('an ID token', () => {
  const claims = (nonce: string | null, now: number) => {
    const about = { iss: OTHER.issuer, sub: 'dora', aud: OTHER.clientId }
    return { ...about, exp: now + 60, iat: now, nonce }
  }
  type Claims = Record<string, unknown>

  /** Logs in at the other issuer, which changes the claims. */
  async function login(
    change: (claims: Claims) => Claims,
    more: Claims = {},
    userinfo: Claims = { sub: 'dora' },
  ) {
    let nonce: string | null = null
    const site = otherIssuer(async () => {
      const token = await signJwt(change(claims(nonce, Math.floor(lab.clock.now / 1000))), signingKey)
      return { access_token: 'opaque', token_type: 'Bearer', id_token: token, ...more }
    }, userinfo)
    const options: WorldOptions = { issuers: [OTHER], sites: { [OTHER.issuer]: site } }
    const lab = world(options)
    const dora = lab.browser()
    const { searchParams } = new URL((await dora.get('/login?issuer=other')).url)
    nonce = searchParams.get('nonce')
    expect(searchParams.get('redirect_uri')).toBe(`${SITE}/callback/other`)
    const page = await dora.get(`${SITE}/callback/other?code=x&state=${searchParams.get('state')}`)
    return { page, lab, searchParams }
  }

  it('logs in a person of another issuer, with the verifier of the challenge', async () => {
    const { page, lab, searchParams } = await login(each => each, {}, { sub: 'dora', name: 'Dora' })
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Notes of Dora')])
    const token = lab.sent.find(({ url }) => url.endsWith('/token'))
    const verifier = new URLSearchParams(text(token?.body ?? bytes(''))).get('code_verifier') ?? ''
    expect(codeChallenge(verifier)).toBe(searchParams.get('code_challenge'))
  })

  const refused: readonly [string, (claims: Claims) => Claims, string][] = [
    ['of another issuer', each => ({ ...each, iss: ISSUER }), 'RFC 7519 §4.1.1'],
    ['for another client', each => ({ ...each, aud: 'demo' }), 'RFC 7519 §4.1.3'],
    ['for another party', each => ({ ...each, azp: 'demo' }), 'OpenID Connect Core §3.1.3.7'],
    ['with another nonce', each => ({ ...each, nonce: 'x' }), 'OpenID Connect Core §3.1.3.7'],
    ['without a nonce', ({ nonce: _, ...each }) => each, 'OpenID Connect Core §3.1.3.7'],
    ['that expired', each => ({ ...each, exp: Number(each.iat) - 10 }), 'RFC 7519 §4.1.4'],
    ['without a subject', ({ sub: _, ...each }) => each, 'OpenID Connect Core §2'],
    ['of another access token', each => ({ ...each, at_hash: 'x' }), 'OpenID Connect Core §3.1.3.8'],
    ['about somebody else than userinfo', each => ({ ...each, sub: 'eve' }), 'OpenID Connect Core §5.3.2'],
  ]
  it.each(refused)('%s is refused', async (_, change, rule) => {
    const { page, lab } = await login(change)
    expect([page.status, page.text]).toEqual([400, expect.stringContaining(rule)])
    expect(refusals(lab)).toMatchObject([{ rule }])
  })

  it.each([
    ['missing', { id_token: undefined }, 'OpenID Connect Core §3.1.3.3'],
    ['not a JWT', { id_token: 'x' }, 'OpenID Connect Core §2'],
    ['not signed', { id_token: 'eyJhbGciOiJub25lIn0.e30.' }, 'RFC 7515 §5.2'],
    ['signed with no published key', { id_token: 'eyJhbGciOiJSUzI1NiJ9.e30.AAAA' }, 'RFC 7515 §5.2'],
  ])('that is %s is refused', async (_, more, rule) => {
    const { page } = await login(each => each, more)
    expect([page.status, page.text]).toEqual([400, expect.stringContaining(rule)])
  })

  it('of another issuer makes another account, although the subject is the same', async () => {
    const { lab } = await login(each => ({ ...each, sub: 'alice' }), {}, { sub: 'alice' })
    const accounts = lab.events.flatMap(({ type, account }) =>
      type === 'demo_client.logged_in' ? [account] : [],
    )
    await notesOf(lab.browser())
    expect(accounts).toEqual([JSON.stringify([OTHER.issuer, 'alice'])])
    expect(lab.events.findLast(({ type }) => type === 'demo_client.logged_in')?.account).not.toBe(accounts[0])
  })
})

describe('an authorization server', () => {
  const at = (site: Ask) => world({ issuers: [OTHER], sites: { [OTHER.issuer]: site } })

  it('that is unknown is refused', async () => {
    const page = await world().browser().get('/login?issuer=evil')
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('no such authorization server')])
  })

  const DOWN = new TransportError('other.example refused the connection', 'ECONNREFUSED')
  it.each<[string, Ask, number, string]>([
    [
      'without metadata',
      async () => ({ status: 404, headers: [], body: bytes('') }),
      400,
      'publishes no metadata',
    ],
    ['that names another issuer', async () => jsonResponse(200, { issuer: ISSUER }), 400, 'RFC 8414 §3.3'],
    ['that cannot be reached', () => Promise.reject(DOWN), 502, 'refused the connection'],
  ])('%s is refused with a page', async (_, site, status, says) => {
    const lab = at(site)
    const page = await lab.browser().get('/login?issuer=other')
    expect([page.status, page.text]).toEqual([status, expect.stringContaining(says)])
    if (status === 502) expect(lab.events).toMatchObject([{ type: 'demo_client.login_failed' }])
  })

  it('is one of several that the first page offers', async () => {
    const { browser } = at(otherIssuer(() => ({})))
    const page = await browser().get('/')
    expect(page.body).toContain('Log in with localhost:8443')
    expect(page.body).toContain('Log in with other.example')
  })
})
