import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { apacheNames, startApache } from '../../support/apache.js'
import { freePort } from '../../support/free-ports.js'
import { type Running, temporaryFolder } from '../../support/program.js'
import { chromiumNames, describeWith, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'
import { openChromium, type TrustingBrowser } from './chromium.js'

/** The clients: each is an Apache that learns of a logout in its own way. */
const NAMES = ['told-by-token', 'told-by-frame', 'watches'] as const
type Name = (typeof NAMES)[number]

/** A page that asks for nothing else, such as an icon. */
const PAGE = '<!doctype html><title>Page</title><link rel="icon" href="data:,">'

/** A page with the two frames of Session Management, as the module's manual has them. */
const WATCH = `${PAGE}
<iframe id="openidc-op" src="/back?session=iframe_op"></iframe>
<iframe id="openidc-rp" src="/back?session=iframe_rp&poll=200"></iframe>`

describeWith(
  [rigs, ...apacheNames, chromiumNames.join('|'), 'certutil'],
  'logouts and mod_auth_openidc',
  () => {
    const folders: ReturnType<typeof temporaryFolder>[] = []
    const apaches: Running[] = []
    const origins = {} as Record<Name, string>
    let lab: Serving
    let browser: TrustingBrowser

    beforeAll(async () => {
      const ports = {} as Record<Name, number>
      for (const name of NAMES) {
        ports[name] = await freePort()
        origins[name] = `https://localhost:${ports[name]}`
      }
      const client = (name: Name) => ({
        client_id: name,
        client_secret: `${name}-secret-0123456789abcdef0123456789`,
        redirect_uris: [`${origins[name]}/back`],
        post_logout_redirect_uris: [`${origins[name]}/open/bye`, `${origins[name]}/watch`],
        ...(name === 'told-by-token' && {
          backchannel_logout_uri: `${origins[name]}/back?logout=backchannel`,
        }),
        ...(name === 'told-by-frame' && { frontchannel_logout_uri: `${origins[name]}/back?logout=get` }),
      })
      const own = temporaryFolder()
      folders.push(own)
      const file = join(own.path, 'lab.json')
      writeFileSync(file, JSON.stringify({ clients: NAMES.map(client) }))
      lab = await serve(['--config', file])
      for (const name of NAMES) {
        const folder = temporaryFolder()
        folders.push(folder)
        apaches.push(
          await startApache({
            lab,
            port: ports[name],
            clientId: name,
            secret: client(name).client_secret,
            folder: folder.path,
            session: 'server-cache',
            pages: { page: PAGE, watch: WATCH, 'open/bye': PAGE },
            more: [
              // Browsers share the cookies of a host among its ports.
              `OIDCCookie ${name}`,
              `OIDCStateInputHeaders none`,
              `OIDCDefaultLoggedOutURL ${origins[name]}/open/bye`,
              `OIDCDefaultURL ${origins[name]}/page`,
            ],
          }),
        )
      }
    })
    beforeEach(async () => {
      browser = await openChromium(lab.ready.ca, true)
    })
    afterEach(() => browser?.close())
    afterAll(async () => {
      for (const apache of apaches) {
        apache.child.kill('SIGTERM')
        await apache.ended
      }
      await lab?.remove()
      for (const folder of folders) folder.remove()
    })

    /** Opens a page of an Apache, and does what the server asks for on the way. */
    async function visit(page: Page, name: Name, path = '/page'): Promise<void> {
      await page.goto(origins[name] + path)
      if (page.url().startsWith(origins[name])) return
      if ((await page.locator('input[name=password]').count()) > 0) {
        await page.fill('input[name=username]', 'alice')
        await page.fill('input[name=password]', 'wonderland')
      }
      await page.getByRole('button', { name: /allow$/i }).click()
      await page.waitForURL(`${origins[name]}${path}`)
    }

    /** True when an Apache still shows its page; else it sends the browser to the server, to log in. */
    async function knows(page: Page, name: Name): Promise<boolean> {
      await page.goto(`${origins[name]}/page`)
      return page.url().startsWith(origins[name])
    }

    const eventsOf = async (type: string, client: Name) =>
      (await lab.events()).filter(each => each.type === type && each.client_id === client)

    it('one that logs out at the server ends the sessions of the others, by a token and by a frame', async () => {
      const { page } = await browser.open()
      for (const name of NAMES) await visit(page, name)
      for (const name of NAMES) expect([name, await knows(page, name)]).toEqual([name, true])
      // RP-Initiated Logout: the module sends id_token_hint and post_logout_redirect_uri.
      const bye = `${origins.watches}/open/bye`
      await page.goto(`${origins.watches}/back?${new URLSearchParams({ logout: bye })}`)
      await page.waitForURL(bye)
      expect(await eventsOf('logout_token.accepted', 'told-by-token')).toHaveLength(1)
      expect(await eventsOf('logout.framed', 'told-by-frame')).toHaveLength(1)
      for (const name of NAMES) expect([name, await knows(page, name)]).toEqual([name, false])
    })

    it('a logout at the page of the server ends the session of the one that is told, and of no other', async () => {
      const { page } = await browser.open()
      await visit(page, 'told-by-token')
      await visit(page, 'watches')
      await page.goto(`${lab.ready.urls.authorization}/end-session`)
      await page.getByRole('button', { name: 'Log out' }).click()
      await page.waitForSelector('text=logged out')
      expect(await knows(page, 'told-by-token')).toBe(false)
      expect(await knows(page, 'watches')).toBe(true)
    })

    it('one that watches the frame of the server notices the logout of another client', async () => {
      const [watching, other] = [await browser.open(), await browser.open()]
      await visit(watching.page, 'watches', '/watch')
      await visit(other.page, 'told-by-frame')
      await new Promise(resolve => setTimeout(resolve, 1000))
      expect(watching.page.url()).toBe(`${origins.watches}/watch`)
      const bye = `${origins['told-by-frame']}/open/bye`
      await other.page.goto(`${origins['told-by-frame']}/back?${new URLSearchParams({ logout: bye })}`)
      await other.page.waitForURL(bye)
      // The module ends its own session at the server, and comes back to the page, which needs a login now.
      await watching.page.waitForURL(url =>
        url.href.startsWith(`${lab.ready.urls.authorization}/authorization`),
      )
    })
  },
)
