import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { chromiumNames, describeWith, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'
import { openChromium, type TrustingBrowser } from './chromium.js'

interface Shown {
  readonly page: Page
  readonly lab: string
}

/** Each opens its page. Those of a logged-in person begin with a login. */
const pages: readonly [name: string, heading: string, open: (shown: Shown) => Promise<unknown>][] = [
  ['the front page', 'A lab for OAuth', ({ page, lab }) => page.goto(lab)],
  ['the login page', 'Log in', ({ page, lab }) => page.goto(authorization(lab, { login_hint: 'alice' }))],
  ['the login page with people', 'Log in', ({ page, lab }) => page.goto(authorization(lab))],
  [
    'the login page after a mistake',
    'Log in',
    async ({ page, lab }) => {
      await page.goto(authorization(lab))
      await logIn(page, 'wrong')
    },
  ],
  [
    'the consent page',
    'Allow access?',
    async ({ page, lab }) => {
      await loggedIn(page, lab)
      await page.goto(authorization(lab, { client_id: 'demo-spa', scope: 'openid profile records:write' }))
    },
  ],
  ['the page for a device', 'Connect a device', ({ page, lab }) => page.goto(`${lab}/device`)],
  [
    'the logout page',
    'Log out?',
    async ({ page, lab }) => {
      await loggedIn(page, lab)
      await page.goto(`${lab}/end-session`)
    },
  ],
  ['the page after a logout', 'You are logged out', ({ page, lab }) => page.goto(`${lab}/end-session`)],
  [
    'an error page',
    'This request was refused',
    ({ page, lab }) => page.goto(authorization(lab, { redirect_uri: 'https://client.example/cb' })),
  ],
  [
    'the page for an unknown client',
    'This request was refused',
    ({ page, lab }) => page.goto(authorization(lab, { client_id: 'dmeo' })),
  ],
  [
    'the page in the place of a client',
    'The client has a code',
    async ({ page, lab }) => {
      await page.goto(lab)
      await page.getByRole('link', { name: 'Log in to Demo web application' }).click()
      await logIn(page)
    },
  ],
]

function authorization(lab: string, parameters: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'demo',
    redirect_uri: 'http://127.0.0.1:1/callback',
    scope: 'openid records:read',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...parameters,
  })
  return `${lab}/authorization?${query}`
}

async function logIn(page: Page, password = 'wonderland'): Promise<void> {
  await page.getByLabel('Username').fill('alice')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in and allow' }).click()
}

async function loggedIn(page: Page, lab: string): Promise<void> {
  await page.goto(lab)
  await page.getByRole('link', { name: 'Log in to Demo web application' }).click()
  await logIn(page)
}

interface AxeResult {
  readonly passed: readonly string[]
  readonly found: readonly string[]
}

const RUN_AXE = `axe.run().then(({ passes, violations }) => ({
  passed: passes.map(each => each.id),
  found: violations.map(each => each.id + ': ' + each.nodes[0].html),
}))`

describeWith([rigs, chromiumNames.join('|'), 'certutil'], 'the pages in Chromium', () => {
  let lab: Serving
  let browser: TrustingBrowser
  let axe: string
  beforeAll(async () => {
    axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    lab = await serve()
    browser = await openChromium(lab.ready.ca)
  })
  afterAll(async () => {
    await browser?.close()
    await lab?.remove()
  })

  it.each(pages)(
    '%s fits wide and narrow windows, in both colour schemes, and axe finds nothing',
    async (_name, heading, open) => {
      const { page, complaints } = await browser.open()
      await open({ page, lab: lab.ready.urls.authorization })
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(heading)
      for (const width of [1280, 390]) {
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize({ width, height: 800 })
          await page.emulateMedia({ colorScheme })
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
          await page.evaluate(axe)
          const { passed, found } = await page.evaluate<AxeResult>(RUN_AXE)
          expect(passed).toContain('color-contrast')
          expect(found, `${width} ${colorScheme}`).toEqual([])
        }
      }
      expect(complaints.filter(each => !/status of 400/.test(each))).toEqual([])
      await page.close()
    },
  )

  it('logs in as a person of the login page by a click, with the keyboard too', async () => {
    const { page } = await browser.open()
    await page.goto(lab.ready.urls.authorization)
    await page.getByRole('link', { name: 'Log in to Demo native application' }).click()
    await page
      .getByRole('group', { name: 'with one click' })
      .getByRole('button', { name: 'Bob Builder' })
      .focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/callback?*')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('The client has a code')
    await page.close()
  })

  it('shows events on the front page as they come, until Pause', async () => {
    const { page } = await browser.open()
    await page.goto(lab.ready.urls.authorization)
    const log = page.getByRole('log', { name: 'Events' })
    const other = await browser.open()
    await other.page.goto(authorization(lab.ready.urls.authorization, { client_id: 'nobody-1' }))
    await log.getByText('authorization.refused').first().waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    const before = await log.textContent()
    await other.page.goto(authorization(lab.ready.urls.authorization))
    expect(await log.textContent()).toBe(before)
    await page.getByRole('button', { name: 'Continue' }).click()
    await log.getByText('login.shown').first().waitFor()
    await other.page.close()
    await page.close()
  })
})
