import { describe, expect, it } from 'vitest'
import { createBus } from '../../../../src/protocol/events.js'
import { type Header, type HttpResponse, header, text } from '../../../../src/protocol/http/message.js'
import { keepRecentEvents } from '../../../../src/protocol/recent-events.js'
import type { DefendedSettings } from '../../../../src/servers/authorization-server/defences.js'
import { browser } from '../browser.js'
import { client, json, lab, SECRET, settings, VERIFIER } from '../support.js'

const HTML: Header = ['accept', 'text/html,application/xhtml+xml,*/*;q=0.8']

const users = [
  { username: 'alice', password: 'wonderland', totp_secret: 'MRXXO3RAORUGKIDSMFRGE2LUEBUG63DF', claims: {} },
  { username: 'eve<', password: 'own-secret', claims: { name: '<b>Eve' } },
]

function world(more: Partial<DefendedSettings> = {}, urls: { http?: string; client?: string } = {}) {
  const bus = createBus(() => 0)
  const localLab = {
    events: keepRecentEvents(bus, 0),
    builtInUsers: users.slice(0, 1),
    httpUrl: () => urls.http,
    clientUrl: () => urls.client,
  }
  return { bus, ...lab({ users, ...more }, undefined, { localLab }) }
}

const bodyOf = (page: HttpResponse) => text(page.body)
/** The link of a login, or the command, by the id of its client. */
function starts(page: HttpResponse): Readonly<Record<string, string | undefined>> {
  const rows = bodyOf(page).matchAll(/<li><strong>.*?<code>(.*?)<\/code>, \w+ client.*?<\/small>(.*?)<\/li>/g)
  return Object.fromEntries(
    [...rows].map(([, id, start = '']) => [
      id,
      /href="(.*?)"/.exec(start)?.[1] ?? start.replace(/<.*?>/g, ''),
    ]),
  )
}

describe('the front page', () => {
  it.each<[string, string]>([
    ['host', 'a1b2.ngrok-free.app'],
    ['x-forwarded-host', 'x.trycloudflare.com'],
  ])('shows no people and no events to a visitor through a tunnel: %s %s', async (...header) => {
    const { get } = world()
    expect(bodyOf(await get('/', [HTML]))).toContain('wonderland')
    expect(bodyOf(await get('/', [HTML, header]))).not.toContain('wonderland')
    expect((await get('/events', [header])).status).toBe(404)
  })

  it.each([[[]], [[['accept', '*/*']]], [[['accept', 'application/json']]]] as const)(
    'is the same greeting as ever for a program: %j',
    async headers => {
      for (const { get } of [world(), lab()]) {
        expect(await get('/', headers)).toEqual({
          status: 200,
          headers: [
            ['content-type', 'text/plain; charset=utf-8'],
            ['x-content-type-options', 'nosniff'],
          ],
          body: Buffer.from('Hello from the oauth-lab authorization server.\n'),
        })
      }
    },
  )

  it('shows clients, people with public passwords, and events to a person of this computer', async () => {
    const { get, bus } = world()
    bus.publish({ type: 'login.failed', client_id: 'demo', username: 'alice', description: '<script>' })
    const page = await get('/', [HTML])
    expect([page.status, header(page, 'vary')]).toEqual([200, 'Accept'])
    expect(header(page, 'content-security-policy')).toMatch(/; script-src 'sha256-\S+'; connect-src 'self'; /)
    const body = bodyOf(page)
    expect(body).toContain('username <code>alice</code>, password <code>wonderland</code>')
    expect(body).toContain('oauth-lab user otp alice')
    expect(body).toContain('<bdi>&lt;b&gt;Eve</bdi></strong><small>username <code>eve&lt;</code></small>')
    expect(body).not.toContain('own-secret')
    expect(body).not.toContain(SECRET)
    expect(body).toMatch(
      /<li class="refused"><time .*? <code>login.failed<\/code> .* · demo · alice · &lt;script&gt;<\/li>/,
    )
    expect(body).toContain('https://localhost:8443/.well-known/jwks.json')
  })

  it('shows neither people nor events of a lab that other machines reach, and no metadata before its stage', async () => {
    const { get } = lab({ users, stage: 'key-pair' })
    const page = await get('/', [HTML])
    const body = bodyOf(page)
    expect(body).toContain('Demo &lt;client&gt;')
    expect(body).not.toMatch(/alice|wonderland|<script|\.well-known/)
    expect(header(page, 'content-security-policy')).not.toContain('connect-src')
    expect(starts(page).demo).toBe('oauth-lab flow code --client demo')
    for (const path of ['/events', '/callback']) expect((await get(path)).status).toBe(404)
  })

  it('links to a login that works, or says how to start one', async () => {
    const clients = [
      ...settings.clients,
      client('pushing', { require_pushed_authorization_requests: true }),
      client('notes', { redirect_uris: ['https://localhost:8448/callback'] }),
      client("it's", { redirect_uris: ['https://app.example/cb'] }),
    ]
    const open = { http: 'http://localhost:8080', client: 'https://localhost:8448' }
    const found = starts(await world({ clients }, open).get('/', [HTML]))
    expect(found.demo).toMatch(/^https:\/\/localhost:8443\/authorization\?.*127\.0\.0\.1%3A8080%2Fcallback/)
    expect(found).toMatchObject({
      pushing: 'oauth-lab flow code --client pushing',
      notes: 'https://localhost:8448/login',
      service: 'It logs nobody in. Its grants: client_credentials',
      'demo-disabled': 'It is switched off in the lab file.',
      'it&#39;s': 'oauth-lab flow code --client &#39;it&#39;\\&#39;&#39;s&#39;',
    })
    const closed = starts(await world({ clients }).get('/', [HTML]))
    expect(closed['no-default']).toBe('oauth-lab flow code --client no-default --scope openid')
    expect(closed.narrow).toBe('oauth-lab flow code --client narrow')
    // Without the listener nothing would receive the answer.
    expect(closed.demo).toBe('oauth-lab flow code --client demo')
  })

  it('leads through a login to a page in the place of the client, whose code can be redeemed', async () => {
    const server = world({}, { http: 'http://localhost:8080' })
    const agent = browser(server)
    const link = starts(await server.get('/', [HTML])).demo?.replaceAll('&amp;', '&') ?? ''
    const landing = await agent.login(Object.fromEntries(new URL(link).searchParams))
    const location = header(landing, 'location') ?? ''
    expect(location).toMatch(/^http:\/\/127\.0\.0\.1:8080\/callback\?/)
    const { search, searchParams } = new URL(location)
    const page = bodyOf(await server.get(`/callback${search}`))
    const code = searchParams.get('code') ?? ''
    expect(page).toContain('The client has a code')
    expect(page).toContain(`<dt>code</dt><dd><code>${code}</code></dd>`)
    expect(page).toContain(' -u demo https://localhost:8443/token \\\n')
    expect(page).not.toContain(SECRET)
    const form = { redirect_uri: 'http://127.0.0.1:8080/callback', code_verifier: VERIFIER }
    expect(json(await server.redeem(code, form)).token_type).toBe('Bearer')
  })

  it.each([
    ['/callback', 'Nothing: the address has no parameters.'],
    ['/callback?error=access_denied&state=demo', 'The answer has no code'],
    ['/callback?code=%3Cx%3E&state=nobody', '<code>&lt;x&gt;</code>'],
    ['/callback?code=%ff', 'cannot be decoded'],
  ])('stands in for the client at %s without a token request', async (path, expected) => {
    const body = bodyOf(await world({}, { http: 'http://localhost:8080' }).get(path))
    expect(body).toContain(expected)
    expect(body).not.toContain('/token')
  })
})

describe('the stream of events', () => {
  type World = ReturnType<typeof world>
  const opened = async ({ get }: World, path = '/events', headers: readonly Header[] = []) => {
    const answer = await get(path, headers)
    return { answer, stream: answer.stream?.[Symbol.asyncIterator]() }
  }

  it('begins after the last event that the page has, and goes on with new ones', async () => {
    const server = world()
    for (const i of [1, 2, 3]) server.bus.publish({ type: 'login.shown', client_id: `c${i}` })
    const { answer, stream } = await opened(server, '/events?after=2')
    expect(header(answer, 'content-type')).toBe('text/event-stream')
    expect(header(answer, 'cache-control')).toBe('no-store')
    const next = async () => text((await stream?.next())?.value ?? new Uint8Array())
    expect(await next()).toMatch(/^id: 3\ndata: \{.*c3.*\}\n\n$/)
    server.bus.publish({ type: 'login.failed', description: 'a\nb' })
    expect(await next()).toMatch(/^id: 4\ndata: \{.*a␊b","refused":true\}\n\n$/)
    const again = await opened(server, '/events?after=0', [['last-event-id', '4']])
    server.bus.publish({ type: 'login.shown' })
    expect(text((await again.stream?.next())?.value ?? new Uint8Array())).toMatch(/^id: 5\n/)
    await stream?.return?.()
    expect(await stream?.next()).toEqual({ done: true, value: undefined })
  })

  it('is refused to a fifth reader until one leaves, and sends nothing for HEAD', async () => {
    const server = world()
    const readers = await Promise.all([1, 2, 3, 4].map(() => opened(server)))
    expect((await server.get('/events')).status).toBe(204)
    await readers[0]?.stream?.return?.()
    expect((await server.get('/events')).status).toBe(200)
    const head = await server.send('HEAD', '/events')
    expect([head.status, head.stream]).toEqual([200, undefined])
  })
})
