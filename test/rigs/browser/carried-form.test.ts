import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCookieJar } from '../../../src/client/cookies.js'
import { logOutHeadless } from '../../../src/client/headless-logout.js'
import { createTransport } from '../../../src/client/transport.js'
import { logoutRequest } from '../../../src/protocol/oauth/logout-request.js'
import { chromiumNames, describeWith, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'
import { openChromium, type TrustingBrowser } from './chromium.js'

/** A request as a server received it. */
interface Received {
  readonly path: string
  readonly method: string
  readonly body: string
  readonly type: string | undefined
  readonly origin: string | undefined
  readonly referer: string | undefined
  readonly cookie: string | undefined
}

const COOKIES = ['strict=1; Path=/; SameSite=Strict', 'lax=1; Path=/; SameSite=Lax']
const QUESTION =
  '<!doctype html><title>Log out?</title><link rel="icon" href="data:,"><h1>Log out?</h1><form method="post" action="/confirm"><input type="hidden" name="csrf" value="c"><button name="logout" value="yes">Log out</button></form>'
const BYE = '<!doctype html><title>Bye</title><link rel="icon" href="data:,"><h1>Bye</h1>'

describeWith([rigs, chromiumNames.join('|'), 'certutil'], 'a form that redirects send on', () => {
  const servers: Server[] = []
  let received: Received[] = []
  let lab: Serving
  let browser: TrustingBrowser
  /** A server, and one of another site. */
  let here = ''
  let elsewhere = ''

  async function answering(host: string): Promise<string> {
    const server = createServer(async (request: IncomingMessage, response) => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      const { method = '', headers, url: path = '' } = request
      const { origin, referer, cookie } = headers
      received.push({ path, method, body, type: headers['content-type'], origin, referer, cookie })
      const to: Record<string, [number, string]> = {
        '/confirm': [307, '/again'],
        '/again': [308, `${elsewhere}/over`],
        '/over': [307, `${here}/home`],
        '/home': [303, '/bye'],
      }
      const [status, location] = to[path] ?? [200, undefined]
      response.writeHead(status, {
        'content-type': 'text/html',
        ...(location !== undefined && { location }),
        ...(path === '/end-session' && { 'set-cookie': COOKIES }),
      })
      response.end(path === '/end-session' ? QUESTION : BYE)
    })
    servers.push(server)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return `http://${host}:${(server.address() as AddressInfo).port}`
  }

  beforeAll(async () => {
    here = await answering('localhost')
    elsewhere = await answering('127.0.0.1')
    lab = await serve()
    browser = await openChromium(lab.ready.ca)
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await lab?.remove()
    for (const server of servers) server.close()
  })

  it('goes with the method, the body, the origin, the referrer and the cookies that Chromium sends', async () => {
    const { page } = await browser.open()
    await page.goto(`${elsewhere}/end-session`)
    received = []
    await page.goto(`${here}/end-session`)
    await page.click('button')
    await page.waitForURL(`${here}/bye`)
    const chromium = received.slice(1, 5)
    expect(chromium.map(({ path, method }) => `${method} ${path}`)).toEqual([
      'POST /confirm',
      'POST /again',
      'POST /over',
      'POST /home',
    ])

    received = []
    const jar = createCookieJar()
    jar.store(elsewhere, { headers: COOKIES.map(each => ['set-cookie', each] as const) })
    const transport = createTransport({ timeoutMs: 10_000, now: Date.now, caPem: undefined })
    const { signal } = new AbortController()
    const request = logoutRequest({ endpoint: `${here}/end-session`, method: 'GET' })
    for await (const _ of logOutHeadless({ send: transport.send, jar }, { request, signal }));
    transport.close()
    expect(received.slice(1, 5)).toEqual(chromium)
  }, 60_000)
})
