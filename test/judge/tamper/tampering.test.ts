import { describe, expect, it } from 'vitest'
import type { UserAgent, Visit } from '../../../src/client/user-agent.js'
import { type Middleware, outgoing } from '../../../src/flows/middleware/middleware.js'
import { OTHER_AUDIENCE } from '../../../src/judge/tamper/moves/presentations.js'
import { shapeOf } from '../../../src/judge/tamper/shape.js'
import type { Situation } from '../../../src/judge/tamper/situation.js'
import { tamperWith } from '../../../src/judge/tamper/tampering.js'
import type { Exchange } from '../../../src/protocol/http/exchange.js'
import { bytes, type HeaderList, type HttpRequest, text } from '../../../src/protocol/http/message.js'
import type { AuthorizationRequest } from '../../../src/protocol/oauth/authorization-request.js'
import { recorded } from '../../flows/support/network.js'
import { move } from './named-move.js'

const metadata = {
  token_endpoint: 'https://lab.test/token',
  pushed_authorization_request_endpoint: 'https://lab.test/par',
}
const redirectUri = 'http://127.0.0.1:7000/callback'
const situation: Situation = {
  client: { clientId: 'demo', clientSecret: 's', auth: 'client_secret_post' },
  other: { clientId: 'spa', auth: 'none' },
  redirectUri,
  pkce: true,
  challengeMethods: ['S256'],
  issPromised: true,
  resourceServer: false,
  credentials: { username: 'alice', password: 'wonderland' },
}
const { signal } = new AbortController()

const post = (url: string, body: string, headers: HeaderList = []): HttpRequest => ({
  method: 'POST',
  url,
  headers,
  body: bytes(body),
})
const get = (url: string): HttpRequest => ({ method: 'GET', url, headers: [], body: bytes('') })
const redeem = post(metadata.token_endpoint, 'grant_type=authorization_code&code=abcd')

/** A move in its place: between a client that marks its requests, and a network that notes what arrives. */
function tampered(name: string, more: Partial<Situation> = {}, answer: Partial<Exchange['response']> = {}) {
  const sent: HttpRequest[] = []
  const tampering = tamperWith(move(name), { situation: { ...situation, ...more }, metadata })
  const mark: Middleware = next => (request, options) =>
    next({ ...request, headers: [...request.headers, ['x-proof', `${sent.length}`]] }, options)
  const ways = outgoing(
    async request => {
      sent.push(request)
      const { body, ...more } = { status: 200, headers: [], body: '{}', ...answer }
      const headers = [['Host', 'lab.test'] as const, ...request.headers]
      return recorded({ ...request, headers }, { ...more, body: bytes(body) })
    },
    { tampering: tampering.layers, client: [mark] },
  )
  return { ...ways, sent, tampering, bodies: () => sent.map(({ body }) => text(body)) }
}

/** A move between a client and a network that notes the signal of each request. */
function signalled(name: string) {
  const signals: unknown[] = []
  const tampering = tamperWith(move(name), { situation, metadata })
  const { client } = outgoing(
    async (request, options) => {
      signals.push(options?.signal)
      return recorded(request, { status: 200, headers: [], body: bytes('{"access_token":"x"}') })
    },
    { tampering: tampering.layers },
  )
  return { client, tampering, signals }
}

describe('the signal that ends a flow', () => {
  it.each(['reuse-code', 'replayed-client-assertion'])(
    'goes with a request that is sent again: %s',
    async name => {
      const { client, tampering, signals } = signalled(name)
      await client(redeem)
      await tampering.sendAgain(signal)
      expect(signals).toEqual([undefined, signal])
    },
  )

  it.each([
    [undefined, 1],
    ['bare', 1],
    ['twice', 2],
  ] as const)('goes with a token that is shown %s', async (how, requests) => {
    const { tampering, signals } = signalled('altered-token')
    await tampering.present(get('https://lab.test/userinfo'), how, signal)
    expect(signals).toEqual(Array(requests).fill(signal))
  })
})

describe('a wrong token request', () => {
  it('is changed on its way, after the client added its proof', async () => {
    const { client, sent, bodies, tampering } = tampered('guessed-code')
    const exchange = await client(redeem)
    expect(bodies()).toEqual(['grant_type=authorization_code&code=abAd'])
    expect(sent[0]?.headers).toEqual([['x-proof', '0']])
    expect(tampering.noted.exchange).toBe(exchange)
  })

  it.each<[what: string, request: HttpRequest]>([
    ['another grant', post(metadata.token_endpoint, 'grant_type=refresh_token&code=abcd')],
    ['no grant', post(metadata.token_endpoint, 'code=abcd')],
    ['another endpoint', post('https://lab.test/revoke', 'grant_type=authorization_code&code=abcd')],
    ['another method', { ...redeem, method: 'GET' }],
  ])('is none with %s', async (_what, request) => {
    const { client, bodies, tampering } = tampered('guessed-code')
    await client(request)
    expect(bodies()).toEqual([text(request.body)])
    expect(tampering.noted.exchange).toBeUndefined()
    await expect(tampering.sendAgain(signal)).rejects.toThrow(/no token request/)
  })

  it('is none where the move changes another message', async () => {
    const { client, bodies, tampering } = tampered('unknown-client')
    await client(redeem)
    expect(bodies()).toEqual([text(redeem.body)])
    expect(tampering.noted.exchange).toBeUndefined()
  })

  it('is that of the last grant of a flow', async () => {
    const { client, bodies } = tampered('unknown-grant-type', { flow: shapeOf('refresh') })
    await client(redeem)
    await client(post(metadata.token_endpoint, 'grant_type=refresh_token'))
    expect(bodies()).toEqual([text(redeem.body), 'grant_type=oauth-lab-no-such-grant'])
  })

  it('asks for more than an earlier answer granted', async () => {
    const flow = shapeOf('refresh')
    const { client, bodies, tampering } = tampered(
      'widened-scope',
      { flow, knownScopes: ['a', 'b', 'c'] },
      { body: '{"scope":"a b"}' },
    )
    expect(tampering.forbidden()).toBe('a')
    await client(redeem)
    expect(tampering.forbidden()).toBe('c')
    await client(post(metadata.token_endpoint, 'grant_type=refresh_token'))
    expect(bodies()[1]).toBe('grant_type=refresh_token&scope=a%20b%20c')
    expect(tampering.forbidden()).toBe('c')
  })

  it('forgets no scope through an answer without one', async () => {
    const { client, tampering } = tampered(
      'widened-scope',
      { flow: shapeOf('refresh') },
      { body: '{"scope":7}' },
    )
    await client(redeem)
    expect(tampering.forbidden()).toBe('oauth-lab:no-such-scope')
    expect(tampered('guessed-code').tampering.forbidden()).toBeUndefined()
    expect(tampered('unknown-client').tampering.forbidden()).toBeUndefined()
  })
})

describe('a token request that comes a second time', () => {
  it('is made by the client again, with a new proof', async () => {
    const { client, sent, tampering } = tampered('reuse-code')
    await client(redeem)
    expect(await tampering.sendAgain(signal)).not.toHaveProperty('problem')
    expect(sent).toEqual([
      { ...redeem, headers: [['x-proof', '0']] },
      { ...redeem, headers: [['x-proof', '1']] },
    ])
  })

  it('has the very same bytes where the proof is what is replayed', async () => {
    const { client, sent, tampering } = tampered('replayed-client-assertion', {
      client: { clientId: 'app', auth: 'none', proof: 'key' },
    })
    await client(redeem)
    await tampering.sendAgain(signal)
    expect(sent[1]).toEqual(sent[0])
  })

  it('is not sent where it would prove nothing', async () => {
    const refresh = post(metadata.token_endpoint, 'grant_type=refresh_token&refresh_token=r')
    const flow = shapeOf('refresh')
    const still = tampered('reuse-refresh-token', { flow }, { body: '{}' })
    await still.client(refresh)
    expect(await still.tampering.sendAgain(signal)).toEqual({ problem: expect.stringMatching(/rotate/) })
    expect(still.sent.length).toBe(1)

    const rotating = tampered('reuse-refresh-token', { flow }, { body: '{"refresh_token":"n"}' })
    await rotating.client(refresh)
    expect(await rotating.tampering.sendAgain(signal)).not.toHaveProperty('problem')
  })
})

describe('the clock', () => {
  const clock = () => {
    const advanced: number[] = []
    const advance = (ms: number) => {
      advanced.push(ms)
    }
    return { advanced, advance, lifetimes: { code: 1000, accessToken: 2000, refreshToken: 3000 } }
  }

  it('is set beyond the lifetime of what is to expire, once', async () => {
    const { advanced, ...here } = clock()
    const { client } = tampered('expired-code', here)
    await client(redeem)
    await client(redeem)
    expect(advanced).toEqual([62_000])
  })

  it.each([
    ['expired-refresh-token', 'refresh', 'refresh_token', 64_000],
    ['expired-subject-token', 'token-exchange', 'urn:ietf:params:oauth:grant-type:token-exchange', 63_000],
  ] as const)('%s', async (name, flow, grantType, ms) => {
    const { advanced, ...here } = clock()
    const { client } = tampered(name, { ...here, flow: shapeOf(flow) })
    await client(post(metadata.token_endpoint, `grant_type=${encodeURIComponent(grantType)}`))
    expect(advanced).toEqual([ms])
  })

  it.each([
    ['{"device_code":"d","expires_in":600}', 661_000],
    ['{"device_code":"d"}', 61_000],
    ['{"expires_in":600}', 61_000],
    ['{"device_code":"d","expires_in":"600"}', 61_000],
  ])('is set beyond the time that a device may ask: %s', async (body, ms) => {
    const { advanced, ...here } = clock()
    const { client } = tampered('expired-device-code', { ...here, flow: shapeOf('device') }, { body })
    await client(post('https://lab.test/device', 'client_id=demo'))
    await client(
      post(metadata.token_endpoint, 'grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code'),
    )
    expect(advanced).toEqual([ms])
  })

  it('is set before a token is presented, and stays where no lifetime is known or nothing is to expire', async () => {
    const { advanced, ...here } = clock()
    await tampered('expired-token', here).tampering.layers
    const waiting = tampered('expired-token', here)
    await waiting.tampering.present(get('https://lab.test/userinfo'), undefined, signal)
    expect(advanced).toEqual([63_000])

    const { advance } = here
    const unknown = tampered('expired-token', { advance })
    await unknown.tampering.present(get('https://lab.test/userinfo'), undefined, signal)
    expect(advanced).toEqual([63_000, 61_000])

    const still = tampered('no-token', here)
    await still.tampering.present(get('https://lab.test/userinfo'), undefined, signal)
    await tampered('guessed-code', here).client(redeem)
    expect(advanced.length).toBe(2)
  })
})

describe('a token that is presented', () => {
  const request = { ...get('https://lab.test/userinfo'), headers: [['authorization', 'Bearer t'] as const] }

  it('goes through the client, or past it', async () => {
    const { tampering, sent } = tampered('no-token')
    await tampering.present(request, undefined, signal)
    await tampering.present(request, 'bare', signal)
    expect(sent.map(({ headers }) => headers)).toEqual([
      [
        ['authorization', 'Bearer t'],
        ['x-proof', '0'],
      ],
      [['authorization', 'Bearer t']],
    ])
  })

  it('twice: the second time with the bytes of the first, without the headers of its connection', async () => {
    const { tampering, sent } = tampered('no-token')
    const headers = [
      'Connection',
      'content-length',
      'transfer-encoding',
      'Accept-Encoding',
      'user-agent',
    ].map(name => [name, 'x'] as const)
    const body = bytes('[1]')
    await tampering.present({ ...request, headers: [...headers, ['x-hostname', 'y']], body }, 'twice', signal)
    expect(sent[1]).toEqual({
      method: 'GET',
      url: request.url,
      headers: [
        ['x-hostname', 'y'],
        ['x-proof', '0'],
      ],
      body,
    })
  })

  it('needs its middleware', async () => {
    const tampering = tamperWith(move('no-token'), { situation, metadata })
    await expect(tampering.present(request, undefined, signal)).rejects.toThrow(/not composed/)
    tampering.layers.watch(async () => ({}) as Exchange)
    await expect(tampering.present(request, 'bare', signal)).rejects.toThrow(/not composed/)
  })
})

const asked = `https://lab.test/authorization?client_id=demo&redirect_uri=${encodeURIComponent(redirectUri)}`

/** Sends a browser to the server through a move. */
async function browsing(name: string, landed?: string, more: Partial<Situation> = {}, location?: string) {
  const headers: HeaderList = location === undefined ? [] : [['location', location]]
  const here = tampered(name, more, { status: location === undefined ? 200 : 302, headers })
  const visits: Visit[] = [
    { name: 'login_form' },
    { name: 'authorization_response', ...(landed !== undefined && { landed }) },
  ]
  const agent: UserAgent = {
    async *authorize() {
      yield* visits
    },
  }
  const request = { url: asked, redirectUri } as AuthorizationRequest
  const seen: Visit[] = []
  for await (const visit of here.tampering.follow(agent).authorize({ request, signal })) seen.push(visit)
  return { ...here, seen }
}

describe('a wrong message of the browser', () => {
  const callback = (query: string) => `${redirectUri}?${query}`

  it('is none before the browser was sent anywhere', async () => {
    const { browser, sent } = tampered('unknown-client')
    await browser(get(asked))
    expect(sent[0]?.url).toBe(asked)
  })

  it('is the request that it carries, and no other', async () => {
    const { browser, sent, tampering } = await browsing('unknown-client')
    await browser(get(asked))
    await browser(get(`${asked}&x=1`))
    await browser(post(asked, ''))
    const wrong = asked.replace('client_id=demo', 'client_id=oauth-lab-no-such-client')
    expect(sent.map(({ url }) => url)).toEqual([wrong, `${asked}&x=1`, asked])
    expect(tampering.changedUrl(asked)).toBe(wrong)
  })

  it('is the login form alone', async () => {
    const { browser, sent } = await browsing('no-csrf-cookie')
    const form = post('https://lab.test/authorization', 'user=alice', [['cookie', 'a=1']])
    const page = { ...form, method: 'GET' }
    await browser(form)
    await browser(page)
    expect(sent).toMatchObject([{ ...form, headers: [] }, page])
    const other = await browsing('guessed-code')
    await other.browser(form)
    expect(other.sent).toMatchObject([form])
  })

  it('is the answer that it brings, at the address of the client', async () => {
    const { browser, sent, seen, tampering } = await browsing('change-state', callback('state=abc&code=1'))
    await browser(get(callback('state=abc&code=1')))
    await browser(get('http://127.0.0.1:7000/other?state=abc'))
    await browser(get('http://127.0.0.1:7001/callback?state=abc'))
    expect(sent.map(({ url }) => url)).toEqual([
      callback('state=aAc&code=1'),
      'http://127.0.0.1:7000/other?state=abc',
      'http://127.0.0.1:7001/callback?state=abc',
    ])
    expect(seen).toEqual([
      { name: 'login_form' },
      { name: 'authorization_response', landed: callback('state=aAc&code=1') },
    ])
    expect(tampering.noted.landed).toBe(callback('state=aAc&code=1'))
  })

  it('may stand behind the #', async () => {
    const { seen } = await browsing('altered-answer-token', `${redirectUri}#access_token=abc&state=s`)
    expect(seen[1]?.landed).toBe(`${redirectUri}#access_token=aAc&state=s`)
  })

  it('leaves the address where it landed as it is, where it changes no answer', async () => {
    const { tampering, browser, sent } = await browsing('guessed-code', callback('code=%7E'))
    expect(tampering.noted.landed).toBe(callback('code=%7E'))
    await browser(get(callback('code=%7E')))
    expect(sent[0]?.url).toBe(callback('code=%7E'))
    expect((await browsing('guessed-code')).tampering.noted.landed).toBeUndefined()
  })

  it('asks for a foreign audience in both requests', async () => {
    const { browser, client, sent, bodies } = await browsing('other-audience')
    await browser(get(asked))
    await client(redeem)
    await client(post(metadata.token_endpoint, 'grant_type=client_credentials'))
    await client(
      post(metadata.token_endpoint, 'grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange'),
    )
    const more = `&resource=${encodeURIComponent(OTHER_AUDIENCE)}`
    expect(sent[0]?.url).toBe(`${asked}${more}`)
    expect(bodies().slice(1)).toEqual([
      `${text(redeem.body)}${more}`,
      `grant_type=client_credentials${more}`,
      'grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange',
    ])
  })
})

describe('a pushed request', () => {
  const pushed = { pushed: true }
  const push = post(metadata.pushed_authorization_request_endpoint, 'client_id=demo&scope=a')

  it('is the one that is changed', async () => {
    const { client, browser, bodies, sent, tampering } = await browsing('unknown-client', undefined, pushed)
    await client(push)
    await browser(get(asked))
    expect(bodies()[0]).toBe('client_id=oauth-lab-no-such-client&scope=a')
    expect(sent[1]?.url).toBe(asked)
    expect(tampering.changedUrl(asked)).toBe(asked)
  })

  it('stays, where its name in the browser is changed', async () => {
    const { client, browser, bodies, sent } = await browsing('other-client-request-uri', undefined, pushed)
    await client(push)
    await client({ ...push, method: 'GET' })
    await browser(get(asked))
    expect(bodies()[0]).toBe('client_id=demo&scope=a')
    expect(sent[2]?.url).toBe(asked.replace('client_id=demo', 'client_id=spa'))
  })

  it('stays, where the move changes another message', async () => {
    const { client, browser, bodies, sent } = await browsing('guessed-code', undefined, pushed)
    await client(push)
    await browser(get(asked))
    expect(bodies()[0]).toBe(text(push.body))
    expect(sent[1]?.url).toBe(asked)
  })
})

describe('an address that a move made up', () => {
  it.each<[name: string, location: string | undefined, lured: boolean]>([
    ['redirect-uri-path', `${redirectUri}/elsewhere?code=1`, true],
    ['redirect-uri-path', `${redirectUri}?error=x`, false],
    ['redirect-uri-script', 'javascript:alert(1)?code=1', true],
    ['unregistered-redirect-uri', 'https://attacker.example/callback?code=1', true],
    ['repeated-parameter', 'https://attacker.example/callback?code=1', true],
    ['repeated-parameter', `${redirectUri}?code=1`, false],
    ['unknown-client', 'https://a.attacker.example/', true],
    ['unknown-client', `${redirectUri}?error=x`, false],
    ['unknown-client', undefined, false],
  ])('%s, redirected to %s: lured %s', async (name, location, lured) => {
    const { browser, tampering } = await browsing(name, undefined, {}, location)
    await browser(get(asked))
    expect(tampering.noted.lure).toBe(lured ? location : undefined)
  })

  it('counts only where the server redirects to it', async () => {
    const location: HeaderList = [['location', 'https://attacker.example/']]
    const before = tampered('unknown-client', {}, { status: 302, headers: location })
    await before.browser(get(asked))
    expect(before.tampering.noted.lure).toBeUndefined()
    for (const [status, lured] of [
      [399, 'https://attacker.example/'],
      [400, undefined],
    ] as const) {
      const here = await browsing('unknown-client')
      const send = here.tampering.layers.browse(
        async () => ({ response: { status, headers: location } }) as Exchange,
      )
      await send(get(asked))
      expect(here.tampering.noted.lure).toBe(lured)
    }
  })

  it('is never visited', async () => {
    const { browser, sent } = await browsing('unknown-client')
    await expect(browser(get('https://attacker.example/x'))).rejects.toThrow(/lure/)
    expect(sent).toEqual([])
  })
})
