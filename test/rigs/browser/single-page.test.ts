import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { chromiumNames, describeWith, rigs } from '../../support/requires.js'
import { sharedLab } from '../../support/shared.js'
import { sharedChromium } from './chromium.js'

// Applications that run in the page alone: no server of theirs holds a secret, every request needs CORS.

const files: Readonly<Record<string, string>> = {
  '/oidc-client-ts.js': join(
    import.meta.dirname,
    '../node_modules/oidc-client-ts/dist/browser/oidc-client-ts.min.js',
  ),
  '/code.js': join(import.meta.dirname, 'page-code.js'),
  '/implicit.js': join(import.meta.dirname, 'page-implicit.js'),
}
const html = '<!doctype html><html lang="en"><title>Application</title><link rel="icon" href="data:,">'

/** The application's files, from any port: its page is at every path that is no file. */
async function serveApplication(script: string): Promise<{ origin: string; server: Server }> {
  const page = `${html}<script src="/oidc-client-ts.js"></script><script type="module" src="${script}"></script>`
  const server = createServer((request, response) => {
    const file = files[new URL(request.url ?? '/', 'http://localhost').pathname]
    response.setHeader('content-type', file === undefined ? 'text/html' : 'text/javascript')
    response.end(file === undefined ? page : readFileSync(file))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

describeWith([rigs, chromiumNames.join('|'), 'certutil'], 'applications in Chromium', () => {
  const lab = sharedLab()
  const browser = sharedChromium(lab)
  const servers: Server[] = []
  afterAll(() => {
    for (const server of servers) server.close()
  })

  /** Opens the application, logs in where it leads, and returns what the page says when it is back. */
  async function visit(
    script: string,
  ): Promise<{ page: Page; shown: unknown; complaints: readonly string[] }> {
    const { origin, server } = await serveApplication(script)
    servers.push(server)
    const { page, complaints } = await browser.open()
    await page.goto(`${origin}/?issuer=${encodeURIComponent(lab.ready.urls.authorization)}`)
    await page.waitForURL(/\/authorization\?/)
    await page.getByLabel(/user/i).fill('alice')
    await page.getByLabel(/password/i).fill('wonderland')
    await page.getByRole('button').first().click()
    await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/callback/)
    const result = page.locator('output')
    await result.waitFor()
    return { page, shown: JSON.parse((await result.textContent()) ?? ''), complaints }
  }

  it('oidc-client-ts 3: code flow with PKCE, userinfo, a frame that asks silently, errors that the page can read', async () => {
    const { shown, complaints } = await visit('/code.js')
    expect(shown).toEqual({
      sub: 'alice',
      name: 'Alice Liddell',
      tokenType: 'Bearer',
      scopes: ['openid', 'profile', 'email'],
      stranger: [401, expect.stringMatching(/^Bearer realm="oauth-lab", error="invalid_token"/)],
      password: 'unauthorized_client',
      silent: 'login_required',
    })
    // Chromium writes down every answer that is no success.
    expect(complaints.filter(each => !/status of 40[01]/.test(each))).toEqual([])
  })

  it('the implicit flow: tokens in the fragment, id_token verified in the page with the published keys', async () => {
    const { shown, complaints } = await visit('/implicit.js')
    expect(shown).toEqual({
      state: true,
      iss: true,
      nonce: true,
      signed: [true, true],
      hash: true,
      scope: 'openid records:read',
      expiresIn: '3600',
      sub: 'alice',
    })
    expect(complaints).toEqual([])
  })
})
