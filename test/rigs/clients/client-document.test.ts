import { createServer as createPlainServer } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureCertificates } from '../../../src/lab/certificates/certificates.js'
import { chromiumNames, describeWith, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'
import { openChromium, type TrustingBrowser } from '../browser/chromium.js'
import { printed } from './client-program.js'

const CALLBACK = 'http://127.0.0.1:7000/callback'
const WEB = 'https://client.example/cb'

let lab: Serving
let origin = ''
let server: Server
const jwks: object[] = []
let privateJwk = ''

/** The documents of this rig, by their paths. */
const documents: Readonly<Record<string, () => object>> = {
  '/public.json': () => ({
    client_name: 'Public',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code', 'refresh_token'],
  }),
  '/keyed.json': () => ({
    client_name: 'Keyed',
    redirect_uris: [CALLBACK],
    token_endpoint_auth_method: 'private_key_jwt',
    jwks_uri: `${origin}/jwks`,
  }),
  '/web.json': () => ({
    client_name: 'Your bank',
    redirect_uris: [WEB, CALLBACK],
    application_type: 'native',
  }),
}

beforeAll(async () => {
  lab = await serve()
  const { certPem: cert, keyPem: key } = await ensureCertificates(
    lab.env.OAUTH_LAB_HOME ?? '',
    ['localhost'],
    Date.now(),
  )
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])
  privateJwk = JSON.stringify({ ...(await crypto.subtle.exportKey('jwk', pair.privateKey)), kid: 'rig' })
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  jwks.push({ kty, crv, x, y, kid: 'rig' })
  server = createServer({ cert, key }, ({ url = '' }, response) => {
    const made = documents[url]?.()
    const body = url === '/jwks' ? { keys: jwks } : made && { client_id: origin + url, ...made }
    if (body === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  origin = `https://localhost:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server?.close()
  await lab?.remove()
})

const runClient = (name: string, ...args: string[]) => printed(lab, name, args)

describeWith([rigs], 'client libraries with the address of a document as client_id', () => {
  it('openid-client 6: a public client logs in, refreshes and uses its token', async () => {
    const resource = `${lab.ready.urls.resource}/resource`
    expect(await runClient('document-openid-client.js', `${origin}/public.json`, resource)).toEqual({
      announced: true,
      aud: true,
      email: 'alice@example.com',
      resource: 200,
    })
    expect((await lab.events()).map(each => each.type)).toContain('client_document.fetched')
  })

  it('oauth4webapi: a client with a key pushes its request, and must prove itself', async () => {
    expect(await runClient('document-oauth4webapi.js', `${origin}/keyed.json`, privateJwk)).toEqual({
      unproven: 'invalid_client',
      type: 'bearer',
      scope: 'openid',
    })
    expect((await lab.events()).find(each => each.type === 'client_keys.fetched')).toMatchObject({
      client_id: `${origin}/keyed.json`,
    })
  })
})

describeWith([rigs, chromiumNames.join('|'), 'certutil'], 'Chromium at the pages for such a client', () => {
  let browser: TrustingBrowser
  // Addresses on 127.0.0.1 match with any port (RFC 8252 §7.3).
  const application = createPlainServer((_, response) => response.end('The client'))
  let callback = ''
  beforeAll(async () => {
    await new Promise<void>(done => application.listen(0, '127.0.0.1', done))
    callback = `http://127.0.0.1:${(application.address() as AddressInfo).port}/callback`
    browser = await openChromium(lab.ready.ca)
  })
  afterAll(async () => {
    await browser?.close()
    application.close()
  })

  const address = (document: string, redirect_uri: string) =>
    `${lab.ready.urls.authorization}/authorization?${new URLSearchParams({
      response_type: 'code',
      client_id: origin + document,
      redirect_uri,
      scope: 'openid',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    })}`

  it('shows the host on the login page and on the consent page, and warns of this computer', async () => {
    const { page, complaints } = await browser.open()
    const host = new URL(origin).host
    await page.goto(address('/web.json', WEB))
    expect(await page.textContent('#client-host')).toBe(host)
    expect(await page.locator('#loopback').count()).toBe(0)
    await page.goto(address('/web.json', callback))
    expect(await page.textContent('#loopback')).toContain(new URL(callback).host)
    await page.fill('input[name=username]', 'alice')
    await page.fill('input[name=password]', 'wonderland')
    await page.click('[type=submit]')
    await page.waitForURL(url => url.href.startsWith(callback))
    await page.goto(address('/public.json', callback))
    expect(await page.textContent('h1')).toBe('Allow access?')
    expect(await page.textContent('#client-host')).toBe(host)
    expect(await page.textContent('#loopback')).toContain('any program can use this name')
    expect(complaints).toEqual([])
  })

  it('shows an error page with the rule, and stays, where the document is missing', async () => {
    const { page } = await browser.open()
    await page.goto(address('/missing.json', callback))
    expect(await page.textContent('h1')).toBe('This request was refused')
    expect(await page.textContent('body')).toContain('this server cannot read it')
    expect(new URL(page.url()).origin).toBe(lab.ready.urls.authorization)
  })
})
