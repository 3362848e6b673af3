import { afterAll, beforeAll, expect, it } from 'vitest'
import { chromiumNames, describeWith, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'
import { openChromium, type TrustingBrowser, type WatchedPage } from './chromium.js'

describeWith([rigs, chromiumNames.join('|'), 'certutil'], 'the demo client in Chromium', () => {
  const labs: Serving[] = []
  const browsers: TrustingBrowser[] = []
  let lab: Serving
  let browser: TrustingBrowser

  async function open(args: readonly string[]) {
    const serving = await serve(args)
    labs.push(serving)
    const chromium = await openChromium(serving.ready.ca)
    browsers.push(chromium)
    return { serving, chromium }
  }

  beforeAll(async () => {
    const opened = await open(['--client-port', '0'])
    lab = opened.serving
    browser = opened.chromium
  })
  afterAll(async () => {
    for (const each of browsers) await each.close()
    for (const each of labs) await each.remove()
  })

  async function logIn({ page }: WatchedPage, username: string, password: string): Promise<void> {
    await page.waitForURL(/\/authorization\?/)
    await page.fill('input[name=username]', username)
    await page.fill('input[name=password]', password)
    await page.click('[type=submit]')
    await page.waitForURL(/\/notes/)
  }

  it('logs alice in, keeps a note, and logs out, without a complaint', async () => {
    const site = lab.ready.urls.client ?? ''
    const watched = await browser.open()
    const { page, complaints } = watched
    await page.goto(site)
    await page.getByRole('button', { name: /^Log in with localhost/ }).click()
    await logIn(watched, 'alice', 'wonderland')
    expect(await page.textContent('h1')).toBe('Notes of Alice Liddell')
    await page.getByLabel('New note').fill('Buy <b>milk</b>\nand tea')
    await page.getByRole('button', { name: 'Add the note' }).click()
    expect(await page.locator('.note').innerText()).toBe('Buy <b>milk</b>\nand tea')
    // No script of the page, of a note or of a link runs here.
    expect(await page.locator('script').count()).toBe(0)
    // Cookies know no ports: the one of Session Management is for scripts, and opens nothing.
    expect(await page.evaluate('document.cookie')).toMatch(/^__Host-oauth-lab-browser-state=[\w-]{22}$/)
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.waitForURL(`${site}/logged-out`)
    await page.goto(`${site}/notes`)
    await page.waitForURL(/\/authorization\?/)
    expect(await page.locator('input[name=password]').count()).toBe(1)
    expect(complaints).toEqual([])
    const types = (await lab.events()).map(({ type }) => type)
    const ended = ['demo_client.logged_out', 'logout_token.accepted', 'demo_client.logout_accepted']
    for (const type of ['demo_client.logged_in', 'demo_client.note_added', ...ended]) {
      expect(types).toContain(type)
    }
  })

  it('carries a fragment on by its script where it is weak on purpose, and says so', async () => {
    const { serving, chromium } = await open(['--weak', 'implicit-login'])
    const watched = await chromium.open()
    await watched.page.goto(`${serving.ready.urls.client}/`)
    expect(await watched.page.textContent('main')).toContain('WEAK on purpose: ')
    await watched.page.getByRole('button', { name: /^Log in/ }).click()
    await logIn(watched, 'alice', 'wonderland')
    expect(await watched.page.textContent('h1')).toBe('Notes of Alice Liddell')
    expect(watched.complaints).toEqual([])
  })
})
