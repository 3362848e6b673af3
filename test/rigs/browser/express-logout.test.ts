import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePorts } from '../../support/free-ports.js'
import { type Running, start, temporaryFolder, until } from '../../support/program.js'
import { chromiumNames, describeWith, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'
import { openChromium, type TrustingBrowser } from './chromium.js'

const program = join(import.meta.dirname, '../clients/express-openid-connect.js')
const secretOf = (name: string) => `${name}-secret-0123456789abcdef0123456789`

describeWith([rigs, chromiumNames.join('|'), 'certutil'], 'logouts and express-openid-connect', () => {
  const folder = temporaryFolder()
  const apps: Running[] = []
  const origins: Record<string, string> = {}
  let lab: Serving
  let browser: TrustingBrowser

  beforeAll(async () => {
    const names = ['one', 'two']
    const ports = await freePorts(names.length)
    const clients = names.map((name, i) => {
      const origin = `http://localhost:${ports[i]}`
      origins[name] = origin
      return {
        client_id: name,
        client_secret: secretOf(name),
        redirect_uris: [`${origin}/callback`],
        post_logout_redirect_uris: [origin],
        backchannel_logout_uri: `${origin}/backchannel-logout`,
      }
    })
    const file = join(folder.path, 'lab.json')
    writeFileSync(file, JSON.stringify({ clients }))
    lab = await serve(['--config', file])
    for (const [i, name] of names.entries()) {
      const args = [program, lab.ready.urls.authorization, name, secretOf(name), String(ports[i])]
      const env = { ...lab.env, NODE_EXTRA_CA_CERTS: lab.ready.ca }
      const app = start(process.execPath, args, { env, limit: 120_000 })
      apps.push(app)
      await until(() => app.stdout().includes('listening') || undefined, app.stderr)
    }
    browser = await openChromium(lab.ready.ca, true)
  })
  afterAll(async () => {
    await browser?.close()
    for (const app of apps) app.child.kill('SIGTERM')
    await lab?.remove()
    folder.remove()
  })

  /** Opens the page of an application, and logs alice in where the server asks for it. */
  async function visit(page: Page, origin = ''): Promise<void> {
    await page.goto(origin)
    if (page.url().startsWith(origin)) return
    if ((await page.locator('input[name=password]').count()) > 0) {
      await page.fill('input[name=username]', 'alice')
      await page.fill('input[name=password]', 'wonderland')
    }
    await page.getByRole('button', { name: /allow$/i }).click()
    await page.waitForURL(`${origin}/`)
  }

  it('one application logs out at the server, and the other one has lost its session', async () => {
    const { page } = await browser.open()
    const { one = '', two = '' } = origins
    await visit(page, one)
    await visit(page, two)
    await page.goto(one)
    expect(await page.textContent('body')).toBe('hello alice')
    await page.goto(`${one}/logout`)
    // It comes back to its page, which asks for a login at once.
    await page.waitForSelector('input[name=password]')
    const told = (await lab.events()).filter(({ type }) => type === 'logout_token.accepted')
    expect(told.map(each => each.client_id).sort()).toEqual(['one', 'two'])
    await page.goto(two)
    expect(page.url()).toContain(lab.ready.urls.authorization)
    expect(await page.locator('input[name=password]').count()).toBe(1)
  })
})
