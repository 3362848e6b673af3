import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { header, text } from '../../../../src/protocol/http/message.js'
import { WEAK_MODES, type WeakNameAt } from '../../../../src/protocol/rules/weak-modes.js'
import { weakDefences } from '../../../../src/servers/authorization-server/weak/weak-defences.js'
import { wrongGuesses } from '../../../../src/servers/compression/studies/breach.js'
import { browser } from '../browser.js'
import { JSON_BODY } from '../registration/support.js'
import {
  basic,
  CHALLENGE,
  claimsOf,
  client,
  codeRequest,
  field,
  ISSUER,
  json,
  lab,
  landed,
  location,
  SECRET,
  settings,
  VERIFIER,
} from '../support.js'

type Name = WeakNameAt<'authorization-server'>
type Server = ReturnType<typeof lab>

const OUTSIDE = 'https://counter.example/picture'
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

const clients = [
  ...settings.clients,
  client('tv', { client_name: 'Television', grant_types: [DEVICE_GRANT] }),
  client('native', { application_type: 'native', redirect_uris: ['com.example.app:/cb'] }),
]

/** A server at which strangers introduce their clients in both ways. */
const open = {
  clients,
  clientIdDocuments: true,
  registration: { mode: 'open', tokens: [], statementIssuers: [], rate: 'off' },
} as const

/** An answer that a redirect or a name of the attacker led to: the page of a server that only the lab reaches. */
const ports = {
  fetchDocument: async () => ({ body: 'the key is under the rabbit', contentType: 'text/plain' }),
}

const withModes = (...names: Name[]): Server =>
  lab({ ...open, defences: weakDefences(names, { outside: OUTSIDE }) }, undefined, ports)

const strict = (): Server => lab(open, undefined, ports)

/** The code that a server sends to the attacker’s address after the victim’s login; undefined without one. */
const codeAt = async (server: Server, redirectUri: string) => {
  const answer = await server.login(codeRequest({ redirect_uri: redirectUri }))
  return header(answer, 'location')?.startsWith(redirectUri) ? landed(answer).code : undefined
}

/** The status of a token request. */
const statusOf = async (answer: Promise<{ readonly status: number }>) => (await answer).status

const metadata = async (server: Server) => json(await server.get('/.well-known/oauth-authorization-server'))

/** The attack that each mode opens. Returns true when the attacker has what only the victim should have. */
const attacks: Readonly<
  Record<Exclude<Name, 'saml-wrapping' | 'id-jag-not-bound'>, (server: Server) => Promise<boolean>>
> = {
  async 'open-registration'(server) {
    const register = (body: object) => server.send('POST', '/register', [JSON_BODY], JSON.stringify(body))
    const web = { application_type: 'web', redirect_uris: ['http://localhost/catch'] }
    const { status } = await register(web)
    const { client_id: id } = json(await register({ redirect_uris: ['https://evil.example/cb'] }))
    const request = codeRequest({ client_id: String(id), redirect_uri: 'https://evil.example/cb' })
    const page = text((await server.authorize(request)).body)
    return status === 201 && !page.includes('registered itself')
  },
  async 'fetch-anything'(server) {
    const page = await server.authorize(codeRequest({ client_id: 'https://evil.example/client.json' }))
    expect(page.status).toBe(400)
    return text(page.body).includes('the key is under the rabbit')
  },
  'redirect-prefix': async server =>
    (await codeAt(server, 'https://client.example/cb?tenant=a/../go?to=evil')) !== undefined,
  'redirect-any': async server => (await codeAt(server, 'https://evil.example/')) !== undefined,
  async 'code-reuse'(server) {
    const code = await server.newCode()
    expect(await statusOf(server.redeem(code))).toBe(200)
    return (await statusOf(server.redeem(code))) === 200
  },
  async 'code-not-bound'(server) {
    const stolen = server.redeem(await server.newCode(), {}, [basic('other', 'other-secret')])
    return (await statusOf(stolen)) === 200
  },
  async 'pkce-ignored'(server) {
    const code = await server.newCode({ code_challenge: CHALLENGE, code_challenge_method: 'S256' })
    return (await statusOf(server.redeem(code))) === 200
  },
  async 'plain-downgrade'(server) {
    // The attacker removed the method from the victim’s request, and has its challenge from there.
    const code = await server.newCode({ code_challenge: CHALLENGE })
    return (await statusOf(server.redeem(code, { code_verifier: CHALLENGE }))) === 200
  },
  'no-iss': async server => landed(await server.login(codeRequest())).iss === undefined,
  async 'any-resource'(server) {
    const mallorys = { resource: 'https://mallory.example/mcp' }
    const token = json(await server.redeem(await server.newCode(mallorys), mallorys)).access_token
    return [claimsOf(token).aud].flat().includes(ISSUER)
  },
  async 'no-rotation'(server) {
    const { refresh_token: stolen } = json(await server.redeem(await server.newCode()))
    const refresh = () => server.token({ grant_type: 'refresh_token', refresh_token: String(stolen) })
    expect(await statusOf(refresh())).toBe(200)
    return (await statusOf(refresh())) === 200
  },
  async 'device-no-warning'(server) {
    const started = json(await server.post('/device_authorization', { client_id: 'tv' }))
    const victim = browser(server)
    const page = await victim.get(`/device?user_code=${started.user_code}`)
    const shown = text(page.body)
    const csrf = field(page, 'csrf')
    const form = { user_code: String(started.user_code), csrf, username: 'alice', password: 'wonderland' }
    await victim.post('/device', form)
    const poll = { grant_type: DEVICE_GRANT, device_code: String(started.device_code), client_id: 'tv' }
    expect(await statusOf(server.token(poll, []))).toBe(200)
    return !/device|Television|shows this code/i.test(shown.replace(/<[^>]*>/g, ''))
  },
  async 'consent-skipped'(server) {
    const victim = browser(server)
    await victim.login(codeRequest())
    const silent = { client_id: 'native', redirect_uri: 'com.example.app:/cb', prompt: 'none' }
    const answer = await victim.authorize(codeRequest(silent))
    return landed(answer).code !== undefined
  },
  async framable(server) {
    const page = await server.authorize(codeRequest())
    const frames = /frame-ancestors 'none'/.test(header(page, 'content-security-policy') ?? '')
    return !frames && header(page, 'x-frame-options') === undefined
  },
  async referrer(server) {
    const page = await server.get('/device')
    const policy = header(page, 'content-security-policy') ?? ''
    return (
      header(page, 'referrer-policy') === 'unsafe-url' &&
      text(page.body).includes(`<img src="${OUTSIDE}"`) &&
      / img-src data: https:\/\/counter\.example;/.test(policy)
    )
  },
  async 'no-mask'(server) {
    const victim = browser(server)
    await victim.authorize(codeRequest())
    const sizeWith = async (guess: string) => {
      const campaign = `name=csrf value=${guess}`
      return gzipSync((await victim.authorize({ ...codeRequest(), campaign })).body).length
    }
    const page = text((await victim.authorize(codeRequest())).body)
    const secret = /name="?csrf"? value="?([\w-]+)/.exec(page)?.[1] ?? ''
    const guesses = [secret, ...wrongGuesses(secret, 6)]
    const [right = 0, ...wrong] = await Promise.all(guesses.map(sizeWith))
    return right + 8 < Math.min(...wrong)
  },
}

describe('a weak mode of the authorization server', () => {
  it.each(Object.entries(attacks))(
    '%s lets its attack succeed, which fails without it',
    async (name, attack) => {
      expect(await attack(withModes(name as Name))).toBe(true)
      expect(await attack(strict())).toBe(false)
    },
  )

  it('is one of the table, with a test', () => {
    const named = WEAK_MODES.filter(({ at }) => at === 'authorization-server').map(({ name }) => name)
    const tested = [...Object.keys(attacks), 'saml-wrapping', 'id-jag-not-bound']
    expect(tested.sort()).toEqual(named.sort())
  })

  it('leaves the other defences: a code is still bound to its redirect_uri and its PKCE', async () => {
    const server = withModes('redirect-any', 'code-reuse', 'no-iss', 'consent-skipped')
    const code = await server.newCode({ code_challenge: CHALLENGE, code_challenge_method: 'S256' })
    expect(await statusOf(server.redeem(code))).toBe(400)
    const other = { code_verifier: VERIFIER, redirect_uri: 'https://evil.example/' }
    expect(await statusOf(server.redeem(code, other))).toBe(400)
    expect(await statusOf(server.redeem(code, { code_verifier: VERIFIER }))).toBe(200)
  })

  it('leaves client authentication: a stolen code needs the secret of some client', async () => {
    const server = withModes('code-not-bound')
    const wrong = [basic('other', `${SECRET}-wrong`)]
    expect(await statusOf(server.redeem(await server.newCode(), {}, wrong))).toBe(401)
  })

  it('redirect-prefix compares loopback addresses without their port', async () => {
    const server = withModes('redirect-prefix')
    const strange = 'http://127.0.0.1:7777/callback.evil'
    expect(await codeAt(server, strange)).toBeDefined()
    expect(await codeAt(server, 'http://127.0.0.1:7777/other')).toBeUndefined()
    expect(await codeAt(strict(), strange)).toBeUndefined()
  })

  it('never sends a browser to a script', async () => {
    for (const name of ['redirect-any', 'redirect-prefix'] as const) {
      const answer = await withModes(name).authorize(codeRequest({ redirect_uri: 'javascript:alert(1)' }))
      expect([answer.status, header(answer, 'location')]).toEqual([400, undefined])
    }
  })

  it('keeps the metadata truthful', async () => {
    const named = 'authorization_response_iss_parameter_supported'
    expect(await metadata(withModes('no-iss'))).toMatchObject({ [named]: false })
    expect(await metadata(withModes('pkce-ignored'))).not.toHaveProperty('code_challenge_methods_supported')
    const both = { code_challenge_methods_supported: ['S256', 'plain'] }
    expect(await metadata(withModes('plain-downgrade'))).toMatchObject(both)
    expect(await metadata(withModes('redirect-any', 'framable'))).toEqual(await metadata(withModes()))
  })

  it('answers errors to any address, with the same defences as other responses', async () => {
    const sent = codeRequest({ redirect_uri: 'https://evil.example/', scope: 'unknown' })
    const answer = await withModes('redirect-any', 'no-iss').authorize(sent)
    expect(location(answer).origin).toBe('https://evil.example')
    expect(landed(answer)).toMatchObject({ error: 'invalid_scope' })
    expect(landed(answer)).not.toHaveProperty('iss')
  })

  it('says in its events that nobody was asked, and calls no refresh token rotated', async () => {
    const server = withModes('consent-skipped', 'no-rotation')
    const victim = browser(server)
    await victim.login(codeRequest())
    await victim.authorize(codeRequest({ client_id: 'native', redirect_uri: 'com.example.app:/cb' }))
    expect(server.events).toContainEqual(expect.objectContaining({ type: 'consent.applied', source: 'weak' }))
    const { refresh_token: kept } = json(await server.redeem(await server.newCode()))
    const again = json(await server.token({ grant_type: 'refresh_token', refresh_token: String(kept) }))
    expect(again.refresh_token).toBe(kept)
    expect(server.types()).not.toContain('refresh_token.rotated')
  })

  it('takes a csrf value without a mask from its own browser and request alone', async () => {
    const server = withModes('no-mask')
    const victim = browser(server)
    const page = await victim.authorize(codeRequest())
    const csrf = /name=csrf value=([\w-]+)>/.exec(text(page.body))?.[1] ?? ''
    expect(csrf).toHaveLength(43)
    const attempt = { username: 'alice', password: 'wonderland', csrf }
    const elsewhere = browser(server)
    await elsewhere.authorize(codeRequest())
    const target = `/authorization?${new URLSearchParams(codeRequest() as Record<string, string>)}`
    expect(await statusOf(elsewhere.post(target, attempt))).toBe(403)
    expect(await statusOf(victim.post(target, { ...attempt, csrf: `${csrf.slice(0, -2)}AA` }))).toBe(403)
    expect(await statusOf(victim.post(target, attempt))).toBe(302)
  })

  it('escapes what a page repeats, and keeps pages with unreadable requests', async () => {
    const server = withModes('no-mask')
    const page = text((await server.authorize({ ...codeRequest(), campaign: '"><script>' })).body)
    expect(page).toContain('You came by &quot;&gt;&lt;script&gt;')
    const many = Array.from({ length: 2000 }, (_, i) => `a${i}=1`).join('&')
    expect(await statusOf(server.get(`/authorization?${many}`))).toBe(400)
  })
})
