import { createHash } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { createCallback } from '../../src/client/callback.js'
import {
  type CallbackListener,
  listenAt as listenAtAddress,
  listenError,
  listenForCallback,
} from '../../src/client/callback-listener.js'
import { TransportError } from '../../src/protocol/errors.js'
import { bytes, header, text } from '../../src/protocol/http/message.js'
import { attacker, dribble } from '../programs/attack/support.js'
import { part } from '../protocol/tokens/jwt-maker.js'
import { failure } from '../support/refusal.js'

const redirectUri = 'http://127.0.0.1:7000/callback'
const idle = new AbortController().signal

function ask(
  callback: ReturnType<typeof createCallback>,
  url: string,
  form?: string,
  type = 'application/x-www-form-urlencoded',
) {
  return callback.handle({
    method: form === undefined ? 'GET' : 'POST',
    url,
    headers: form === undefined ? [] : [['content-type', type]],
    body: bytes(form ?? ''),
  })
}

const jwt = (claims: object) => `${part({ alg: 'RS256' })}.${part(claims)}.c2ln`

describe('the redirect_uri', () => {
  it('receives a response by GET', async () => {
    const callback = createCallback(redirectUri)
    const arrival = callback.receive('s', idle)
    const answer = await ask(callback, `${redirectUri}?code=k%2B&state=s`)
    expect(answer.status).toBe(200)
    expect(text(answer.body)).toContain('You may close this tab')
    expect((await arrival).landed).toBe(`${redirectUri}?code=k%2B&state=s`)
  })

  it('receives a response by form_post and keeps its own query', async () => {
    const callback = createCallback(`${redirectUri}?tenant=a`)
    const arrival = callback.receive('s', idle)
    expect((await ask(callback, `${redirectUri}?tenant=a`, 'code=k&state=s')).status).toBe(200)
    expect((await arrival).landed).toBe(`${redirectUri}?tenant=a&code=k&state=s`)
  })

  it('serves a page whose script relays the fragment byte for byte', async () => {
    const callback = createCallback(`${redirectUri}?tenant=a`)
    const arrival = callback.receive('s', idle, { fragment: true })
    const page = await ask(callback, `${redirectUri}?tenant=a`)
    expect(page.status).toBe(200)
    const html = text(page.body)
    const script = /<script>([\s\S]*)<\/script>/.exec(html)?.[1] ?? ''
    const hash = createHash('sha256').update(script).digest('base64')
    const policy = header(page, 'content-security-policy')
    expect(policy).toContain(`script-src 'sha256-${hash}'`)
    expect(policy).toContain("default-src 'none'")
    expect(script.indexOf('history.replaceState')).toBeLessThan(script.indexOf('fetch('))
    const answer = await ask(callback, `${redirectUri}?tenant=a`, 'access_token=a%2Bb&state=s')
    expect(text(answer.body)).toContain('You may close this tab')
    expect((await arrival).landed).toBe(`${redirectUri}?tenant=a#access_token=a%2Bb&state=s`)
  })

  it('relays an answer that is in the fragment and belongs in the query, so that the mistake can be named', async () => {
    const callback = createCallback(redirectUri)
    const arrival = callback.receive('s', idle)
    const page = await ask(callback, redirectUri)
    expect(page.status).toBe(400)
    const script = /<script>([\s\S]*)<\/script>/.exec(text(page.body))?.[1] ?? ''
    expect(script).toMatch(/^if \(location\.hash\.length > 1\)/)
    const hash = createHash('sha256').update(script).digest('base64')
    expect(header(page, 'content-security-policy')).toContain(`script-src 'sha256-${hash}'`)
    const relayed = (form: string) =>
      callback.handle({
        method: 'POST',
        url: redirectUri,
        headers: [
          ['content-type', 'application/x-www-form-urlencoded'],
          ['x-oauth-lab-relayed', 'fragment'],
        ],
        body: bytes(form),
      })
    expect((await relayed('code=a&state=other')).status).toBe(400)
    expect((await relayed('code=a&state=s')).status).toBe(200)
    expect((await arrival).landed).toBe(`${redirectUri}#code=a&state=s`)
  })

  it('accepts an error in the query when the response belongs in the fragment', async () => {
    const callback = createCallback(redirectUri)
    const arrival = callback.receive('s', idle, { fragment: true })
    expect((await ask(callback, `${redirectUri}?error=access_denied&state=s`)).status).toBe(400)
    expect((await arrival).landed).toBe(`${redirectUri}?error=access_denied&state=s`)
  })

  it.each([
    ['a foreign state', 'access_token=a&state=other', false],
    ['an empty fragment', '', false],
  ])('believes no relayed %s', async (_name, form, ends) => {
    const callback = createCallback(redirectUri)
    const controller = new AbortController()
    const arrival = callback.receive('s', controller.signal, { fragment: true }).then(
      () => 'arrived',
      () => 'still waiting',
    )
    expect((await ask(callback, redirectUri, form)).status).toBe(400)
    controller.abort()
    expect(await arrival).toBe(ends ? 'arrived' : 'still waiting')
  })

  it.each([
    ['an error', '?error=access_denied&state=s', 400, true],
    ['a foreign state', '?code=k&state=other', 400, false],
    ['an error with a foreign state', '?error=access_denied&state=other', 400, false],
    ['no state', '?code=k', 400, false],
    ['a state alone', '?state=s', 400, true],
    ['a foreign state alone', '?state=other', 400, false],
    ['what cannot be decoded', '?code=%zz', 400, false],
    ['what cannot be decoded, with the state', '?code=%zz&state=s', 400, true],
    ['two states, none of them right', '?code=k&state=a&state=b', 400, false],
    ['nothing', '', 400, false],
    ['something else', '?utm=1', 400, false],
  ])('answers %s with a page and status 400', async (_name, query, status, ends) => {
    const callback = createCallback(redirectUri)
    const controller = new AbortController()
    const arrival = callback.receive('s', controller.signal).then(
      () => 'arrived',
      () => 'still waiting',
    )
    const answer = await ask(callback, redirectUri + query)
    controller.abort()
    expect(answer.status).toBe(status)
    expect(await arrival).toBe(ends ? 'arrived' : 'still waiting')
  })

  it('keeps waiting after a response with a foreign state, and notes it', async () => {
    const callback = createCallback(redirectUri)
    let foreign = 0
    const arrival = callback.receive('s', idle, { onForeign: () => foreign++ })
    const answer = await ask(callback, `${redirectUri}?code=attacker&state=other`)
    expect([answer.status, foreign]).toEqual([400, 1])
    expect(text(answer.body)).toContain('keeps waiting')
    expect((await ask(callback, `${redirectUri}?code=k&state=s`)).status).toBe(200)
    expect((await arrival).landed).toBe(`${redirectUri}?code=k&state=s`)
    expect(foreign).toBe(1)
  })

  it.each<[string, string, number, boolean]>([
    ['with the state', jwt({ code: 'k', state: 's' }), 200, true],
    ['with an error', jwt({ error: 'access_denied', state: 's' }), 400, true],
    ['with another state', jwt({ code: 'k', state: 'x' }), 400, false],
    ['without a state', jwt({ code: 'k' }), 400, false],
    ['that is encrypted', 'e30.a.a.a.a', 200, true],
    ['that is none', 'nonsense', 400, false],
  ])('a response JWT %s', async (_what, response, status, ends) => {
    const callback = createCallback(redirectUri)
    const controller = new AbortController()
    const arrival = callback.receive('s', controller.signal).then(
      ({ landed }) => landed,
      () => 'nothing',
    )
    const answer = await ask(callback, `${redirectUri}?response=${response}`)
    expect(answer.status).toBe(status)
    controller.abort()
    expect(await arrival).toBe(ends ? `${redirectUri}?response=${response}` : 'nothing')
  })

  it('keeps waiting after requests with other paths, methods and types', async () => {
    const callback = createCallback(redirectUri)
    const arrival = callback.receive('s', idle)
    expect((await ask(callback, 'http://127.0.0.1:7000/favicon.ico')).status).toBe(404)
    expect((await ask(callback, 'http://127.0.0.1:7000/callback/')).status).toBe(404)
    expect((await ask(callback, redirectUri, '{}', 'application/json')).status).toBe(415)
    const put = { method: 'PUT', url: `${redirectUri}?code=k&state=s`, headers: [], body: new Uint8Array() }
    expect((await callback.handle(put)).status).toBe(405)
    await ask(callback, `${redirectUri}?code=k&state=s`)
    expect((await arrival).landed).toContain('code=k')
    expect((await ask(callback, `${redirectUri}?code=k&state=s`)).status).toBe(404)
  })

  it('writes nothing of the request into its page', async () => {
    const callback = createCallback(redirectUri)
    void callback.receive('s', idle)
    const answer = await ask(
      callback,
      `${redirectUri}?error=<script>&error_description=<script>alert(1)</script>&state=s`,
    )
    expect(text(answer.body)).not.toMatch(/script/)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
  })

  it('stops waiting with the reason of the signal', async () => {
    const callback = createCallback(redirectUri)
    await expect(callback.receive('s', AbortSignal.abort('gone'))).rejects.toBe('gone')
    const controller = new AbortController()
    const arrival = callback.receive('s', controller.signal)
    controller.abort('later')
    await expect(arrival).rejects.toBe('later')
    expect((await ask(callback, `${redirectUri}?code=k&state=s`)).status).toBe(404)
  })
})

describe('the listener', () => {
  const open: CallbackListener[] = []
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close()
  })
  async function listenAt(uri?: string) {
    const listener = await listenForCallback(uri)
    if (listener) open.push(listener)
    return listener
  }

  it('is bound to a free port of 127.0.0.1 before it is returned', async () => {
    const listener = await listenAt()
    expect(listener?.redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*\/callback$/)
    const arrival = listener!.receive('s', idle)
    const response = await fetch(`${listener!.redirectUri}?code=k&state=s`)
    expect([response.status, response.headers.get('connection')]).toEqual([200, 'close'])
    expect((await arrival).landed).toBe(`${listener!.redirectUri}?code=k&state=s`)
  })

  it.each([
    ['http://127.0.0.1/cb', /^http:\/\/127\.0\.0\.1:\d+\/cb$/],
    ['http://127.0.0.1', /^http:\/\/127\.0\.0\.1:\d+$/],
    ['http://127.0.0.1:0/cb?a=1', /^http:\/\/127\.0\.0\.1:\d+\/cb\?a=1$/],
    ['http://localhost:0/cb', /^http:\/\/localhost:[1-9]\d*\/cb$/],
  ])('fills a free port in: %s', async (uri, wanted) => {
    expect((await listenAt(uri))?.redirectUri).toMatch(wanted)
  })

  it.each([
    'https://127.0.0.1/cb',
    'https://client.example/cb',
    'http://127.0.0.1.evil.test/cb',
    'http://localhost.evil.test/cb',
    'com.example:/cb',
    'http://127.0.0.1:99999/',
    'nonsense',
    '',
  ])('does not listen for %s', async uri => expect(await listenForCallback(uri)).toBeUndefined())

  it('names the port that is taken', async () => {
    const first = await listenAt()
    const error = await failure(listenForCallback(first?.redirectUri))
    expect(error).toBeInstanceOf(TransportError)
    expect(error).toMatchObject({
      code: 'EADDRINUSE',
      message: expect.stringMatching(/^cannot listen on 127\.0\.0\.1:\d+ /),
    })
  })

  it.each([
    ['EADDRNOTAVAIL', '::1', 0, '[::1]:0 (ELISTEN): this computer does not have that address'],
    ['EACCES', 'localhost', 80, 'localhost:80 (ELISTEN): this user may not'],
  ])('tells %s from a server that is not there', (code, host, port, where) => {
    expect(listenError(Object.assign(new Error('listen'), { code }), { host, port })).toMatchObject({
      code: 'ELISTEN',
      message: `cannot listen on ${where}`,
      hints: [expect.stringContaining('Leave --redirect-uri out')],
    })
  })

  it('limits the size of a form, and closes while a connection is open', async () => {
    const listener = await listenAt()
    const { port } = new URL(listener!.redirectUri)
    const request = httpRequest({ port, host: '127.0.0.1', path: '/callback', method: 'POST' })
    const status = new Promise(done =>
      request.on('response', answer => done(answer.statusCode)).on('error', () => done('cut')),
    )
    request.end(Buffer.alloc(100_000))
    expect([413, 'cut']).toContain(await status)
    const half = httpRequest({ port, host: '127.0.0.1', path: '/callback', method: 'POST' })
    half.on('error', () => {})
    half.write('code=')
    await new Promise(done => half.on('socket', socket => socket.on('connect', done)))
    await open.pop()?.close()
  })

  it.each([
    ['head', ['POST /callback HTTP/1.1\r\nHost: x\r\n', 'x: y\r\n']],
    ['body', ['POST /callback HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n', 'x']],
  ])('cuts a request whose %s comes byte by byte', async (_, pieces) => {
    const never = { handle: () => Promise.reject(new Error('the request is not whole')) }
    const waits = { headers: 100, request: 200, check: 20, handshake: 100 }
    const listener = await listenAtAddress(
      'http://127.0.0.1:0/callback',
      () => never,
      undefined,
      undefined,
      waits,
    )
    const slow = await attacker(Number(new URL(listener!.bound).port))
    dribble(slow, pieces, 10)
    expect(await slow.ended).toMatch(/^$|^HTTP\/1\.1 408 /)
    await listener!.close()
  })
})
