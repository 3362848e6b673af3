import { writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/program.js'
import { chromiumNames, describeWith, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'
import { openChromium, type TrustingBrowser, type WatchedPage } from './chromium.js'

/** A request that reached the client. */
interface Seen {
  readonly method: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

describeWith(
  [rigs, chromiumNames.join('|'), 'certutil'],
  'Chromium, a client and the login it shares',
  () => {
    const folder = temporaryFolder()
    const seen: Seen[] = []
    let client: Server
    let callback: string
    let lab: Serving
    let browser: TrustingBrowser
    beforeAll(async () => {
      client = createServer((request, response) => {
        const chunks: Buffer[] = []
        request.on('data', chunk => chunks.push(chunk))
        request.on('end', () => {
          seen.push({
            method: request.method,
            headers: request.headers,
            body: Buffer.concat(chunks).toString(),
          })
          response.setHeader('content-type', 'text/html')
          const { searchParams } = new URL(request.url ?? '', 'http://client')
          const to = searchParams.get('to')
          response.end(
            to ? `<form method="post" action="${to}"><button>Log out</button></form>` : 'The client',
          )
        })
      })
      await new Promise<void>(resolve => client.listen(0, '127.0.0.1', resolve))
      callback = `http://127.0.0.1:${(client.address() as AddressInfo).port}/callback`
      const file = join(folder.path, 'lab.json')
      const entry = {
        client_id: 'web',
        client_secret: 'web-secret-0123456789abcdef0123456789',
        redirect_uris: ['http://127.0.0.1/callback'],
        post_logout_redirect_uris: ['http://127.0.0.1/callback'],
        response_types: ['code', 'token', 'id_token', 'id_token token'],
      }
      const installed = {
        client_id: 'installed',
        application_type: 'native',
        redirect_uris: ['http://127.0.0.1/callback'],
      }
      writeFileSync(file, JSON.stringify({ clients: [entry, installed] }))
      lab = await serve(['--config', file])
      browser = await openChromium(lab.ready.ca)
    })
    afterAll(async () => {
      await browser?.close()
      await lab?.remove()
      client?.close()
      folder.remove()
    })

    const address = (more: Record<string, string> = {}) => {
      const request = {
        response_type: 'code',
        client_id: 'web',
        redirect_uri: callback,
        state: 's+/=1',
        ...more,
      }
      return `${lab.ready.urls.authorization}/authorization?${new URLSearchParams(request)}`
    }
    async function logIn(page: WatchedPage['page'], more: Record<string, string> = {}): Promise<void> {
      await page.goto(address(more))
      await page.fill('input[name=username]', 'alice')
      await page.fill('input[name=password]', 'wonderland')
      await page.click('[type=submit]')
      await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/callback/)
    }

    it('is asked once, then answered without a form, in query, fragment or by a POST', async () => {
      const { page, complaints } = await browser.open()
      await logIn(page, { scope: 'openid records:read' })
      await page.goto(address())
      expect(new URL(page.url()).searchParams.get('code')).toMatch(/^[\w-]{43}$/)
      await page.goto(address({ response_type: 'id_token token', scope: 'openid', nonce: 'n' }))
      const fragment = new URLSearchParams(new URL(page.url()).hash.slice(1))
      expect([...fragment.keys()]).toEqual(
        expect.arrayContaining(['access_token', 'id_token', 'state', 'iss']),
      )
      await page.goto(address({ response_mode: 'form_post' }))
      await page.waitForURL(callback)
      const posted = seen.findLast(each => each.method === 'POST')
      expect(Object.fromEntries(new URLSearchParams(posted?.body))).toMatchObject({
        code: expect.any(String),
        state: 's+/=1',
      })
      expect(posted?.headers.origin).toBe(lab.ready.urls.authorization)
      expect(complaints).toEqual([])
    })

    it('asks in a click about another client, which gets its answer after Allow', async () => {
      const { page, complaints } = await browser.open()
      await logIn(page)
      const native = { client_id: 'installed', code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }
      await page.goto(address(native))
      expect(await page.textContent('main')).toContain('You are logged in as')
      expect(await page.locator('input[name=password]').count()).toBe(0)
      await page.keyboard.press('Enter')
      expect(page.url()).toContain('/authorization')
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/callback\?code=/)
      await page.goto(address(native))
      await page.getByRole('button', { name: 'Deny' }).click()
      await page.waitForURL(/callback\?error=access_denied/)
      await page.goto(address(native))
      await page.getByRole('button', { name: 'Log in as someone else' }).click()
      expect(await page.locator('input[name=password]').count()).toBe(1)
      expect(complaints).toEqual([])
    })

    it('is ended from another site, after the person was asked', async () => {
      const { page } = await browser.open()
      await logIn(page)
      const { authorization } = lab.ready.urls
      const query = new URLSearchParams({
        client_id: 'web',
        post_logout_redirect_uri: callback,
        state: 'bye',
      })
      await page.goto(`${callback}?to=${encodeURIComponent(`${authorization}/end-session?${query}`)}`)
      await page.click('button')
      expect(await page.textContent('main')).toContain('You are logged in as alice')
      await page.getByRole('button', { name: 'Stay logged in' }).click()
      expect(await page.textContent('main')).toContain('You are still logged in')
      await page.goto(`${authorization}/end-session?${query}`)
      await page.getByRole('button', { name: 'Log out' }).click()
      await page.waitForURL(/callback\?state=bye$/)
      await page.goto(address())
      expect(await page.locator('input[name=password]').count()).toBe(1)
    })
  },
)
