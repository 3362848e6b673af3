import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask } from '../../support/https.js'
import { chromiumNames, describeWith, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'
import { openChromium, type TrustingBrowser } from './chromium.js'

const NAME = 'Photo club <b id="injected">&amp; friends</b>'
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

describeWith(
  [rigs, chromiumNames.join('|'), 'certutil'],
  'a client that registered itself, in Chromium',
  () => {
    let lab: Serving
    let browser: TrustingBrowser
    let listener: Server
    let callback: string
    let client: string
    beforeAll(async () => {
      lab = await serve()
      browser = await openChromium(lab.ready.ca)
      listener = createServer((_, response) => response.end('Welcome back')).listen(0, '127.0.0.1')
      await new Promise(resolve => listener.once('listening', resolve))
      callback = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`
      const { status, body } = await post('/register', 'application/json', {
        redirect_uris: [callback],
        client_name: NAME,
        token_endpoint_auth_method: 'none',
        scope: 'records:read',
      })
      expect(status, body).toBe(201)
      client = JSON.parse(body).client_id
    })
    afterAll(async () => {
      await browser?.close()
      listener?.close()
      await lab?.remove()
    })

    const post = (path: string, type: string, members: Record<string, unknown>) =>
      ask(`${lab.ready.urls.authorization}${path}`, {
        ca: readFileSync(lab.ready.ca, 'utf8'),
        method: 'POST',
        headers: { 'content-type': type },
        body:
          type === 'application/json'
            ? JSON.stringify(members)
            : new URLSearchParams(members as Record<string, string>).toString(),
      })

    const requestFor = (scope: string) =>
      `${lab.ready.urls.authorization}/authorization?${new URLSearchParams({
        response_type: 'code',
        client_id: client,
        redirect_uri: callback,
        scope,
        resource: lab.ready.urls.mcp,
        code_challenge: CHALLENGE,
        code_challenge_method: 'S256',
        state: 'here',
      })}`

    /** Redeems the code of the address that the browser came to. Returns the scope of the token. */
    async function scopeAt(address: string): Promise<unknown> {
      const { searchParams } = new URL(address)
      expect(searchParams.get('iss')).toBe(lab.ready.urls.authorization)
      const { status, body } = await post('/token', 'application/x-www-form-urlencoded', {
        grant_type: 'authorization_code',
        client_id: client,
        code: searchParams.get('code'),
        redirect_uri: callback,
        code_verifier: VERIFIER,
      })
      expect(status, body).toBe(200)
      return JSON.parse(body).scope
    }

    it('shows its own name as its own words, asks for added scopes, and comes back', async () => {
      const { page, complaints } = await browser.open()
      await page.goto(requestFor('records:read'))
      expect(await page.textContent('body')).toContain(NAME)
      expect(await page.locator('#injected').count()).toBe(0)
      expect(await page.textContent('#self-registered')).toContain('Nobody who runs this server checked it')
      await page.fill('input[name=username]', 'alice')
      await page.fill('input[name=password]', 'wonderland')
      await page.click('[type=submit]')
      await page.waitForURL(`${callback}?*`)
      expect(await page.textContent('body')).toBe('Welcome back')
      expect(await scopeAt(page.url())).toBe('records:read')

      // The same person and a step-up: the page of the session, without a password.
      await page.goto(requestFor('records:read records:write'))
      expect(await page.locator('input[name=password]').count()).toBe(0)
      expect(await page.textContent('#self-registered')).toContain('registered itself')
      expect(await page.locator('li code').allTextContents()).toEqual(['records:read', 'records:write'])
      await page.click('button[value=allow]')
      await page.waitForURL(`${callback}?*`)
      expect(await scopeAt(page.url())).toBe('records:read records:write')
      expect(complaints).toEqual([])
    }, 60_000)
  },
)
