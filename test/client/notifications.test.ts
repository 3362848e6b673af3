import { describe, expect, it } from 'vitest'
import { listenForNotifications } from '../../src/client/notification-listener.js'
import { createNotifications } from '../../src/client/notifications.js'
import { bytes, type Header, type HttpRequest } from '../../src/protocol/http/message.js'

const ENDPOINT = 'https://localhost:9443/ping'
const TOKEN = '8d67dc78-7faa-4d41-aabd-67707b374255'
const ID = '1c266114-a1be-4252-8ad1-04986c5b9ac1'
const { signal } = new AbortController()

function site() {
  const notifications = createNotifications(ENDPOINT, () => 0)
  notifications.expectToken(TOKEN)
  notifications.expectRequest(ID)
  return notifications
}

/** The example of CIBA Core §10.2, changed. */
const ping = (more: Partial<HttpRequest> = {}, token: string | undefined = TOKEN): HttpRequest => ({
  method: 'POST',
  url: ENDPOINT,
  headers: [
    ['content-type', 'application/json'],
    ...(token === undefined ? [] : [['authorization', `Bearer ${token}`] as Header]),
  ],
  body: bytes(JSON.stringify({ auth_req_id: ID })),
  ...more,
})

describe('the client notification endpoint', () => {
  it('takes the example of CIBA Core §10.2, once and when it is repeated', async () => {
    const at = site()
    expect(await at.handle(ping())).toMatchObject({ status: 204 })
    const received = await at.receive(1000, signal)
    expect(received?.checks.map(({ name, ok }) => [name, ok])).toEqual([
      ['bearer', true],
      ['auth_req_id', true],
      ['content_type', true],
    ])
    expect(received?.exchange).toMatchObject({ request: { method: 'POST' }, response: { status: 204 } })
    expect(await at.handle(ping())).toMatchObject({ status: 204 })
    expect(at.refused()).toBe(0)
  })

  it.each<[string, HttpRequest, number]>([
    ['another token', ping({}, `${TOKEN}x`), 401],
    ['a shorter token', ping({}, TOKEN.slice(1)), 401],
    ['no token', ping({ headers: [['content-type', 'application/json']] }), 401],
    ['the token by Basic', ping({ headers: [['authorization', `Basic ${TOKEN}`]] }), 401],
    [
      'two tokens',
      ping({
        headers: [
          ['authorization', `Bearer ${TOKEN}`],
          ['authorization', `Bearer ${TOKEN}`],
        ],
      }),
      401,
    ],
    ['another request', ping({ body: bytes('{"auth_req_id":"other"}') }), 400],
    ['no request', ping({ body: bytes('{}') }), 400],
    ['a number', ping({ body: bytes('{"auth_req_id":1}') }), 400],
    ['a list', ping({ body: bytes('[]') }), 400],
    ['no JSON', ping({ body: bytes('auth_req_id=1') }), 400],
  ])('refuses %s', async (_what, request, status) => {
    const at = site()
    expect(await at.handle(request)).toMatchObject({ status })
    expect(at.refused()).toBe(1)
    expect(await at.receive(1, signal)).toBeUndefined()
  })

  it.each<[string, HttpRequest, number]>([
    ['another path', ping({ url: 'https://localhost:9443/favicon.ico' }), 404],
    ['another method', ping({ method: 'GET' }), 405],
  ])('answers %s without counting it', async (_what, request, status) => {
    const at = site()
    expect(await at.handle(request)).toMatchObject({ status })
    expect(at.refused()).toBe(0)
  })

  it('points out another content type', async () => {
    const at = site()
    await at.handle(ping({ headers: [['authorization', `Bearer ${TOKEN}`]] }))
    expect((await at.receive(1, signal))?.checks.at(-1)).toMatchObject({
      ok: false,
      advice: true,
      detail: 'none',
    })
  })

  it('judges a notification that comes before the acknowledgement when the request is known', async () => {
    const at = createNotifications(ENDPOINT, () => 0)
    at.expectToken(TOKEN)
    const answers = [at.handle(ping()), at.handle(ping({ body: bytes('{"auth_req_id":"other"}') }))]
    const received = at.receive(1000, signal)
    at.expectRequest(ID)
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([204, 400])
    expect(await received).toBeDefined()
  })

  it('takes nothing before a token was chosen', async () => {
    expect(await createNotifications(ENDPOINT, () => 0).handle(ping({}, ''))).toMatchObject({ status: 401 })
  })

  it('stops waiting when the flow ends', async () => {
    const ended = new AbortController()
    const waiting = site().receive(60_000, ended.signal)
    ended.abort(new Error('ended'))
    await expect(waiting).rejects.toThrow('ended')
    await expect(site().receive(1, ended.signal)).rejects.toThrow('ended')
  })

  it('listens on this computer, and nowhere else', async () => {
    const listener = await listenForNotifications('http://127.0.0.1:0/ping', Date.now, undefined)
    expect(listener).toBeDefined()
    await listener?.close()
    expect(await listenForNotifications('https://other.example/ping', Date.now, undefined)).toBeUndefined()
  })
})
