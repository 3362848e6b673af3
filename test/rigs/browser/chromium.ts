import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LaunchOptions, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { cleanEnv, temporaryFolder } from '../../support/program.js'
import { chromiumNames, findProgram } from '../../support/requires.js'
import type { Serving } from '../../support/serve.js'

/** A page and what its console complained about. */
export interface WatchedPage {
  readonly page: Page
  /** Console errors, CSP reports and exceptions so far. */
  readonly complaints: readonly string[]
}

/** Chromium with a home of its own, whose certificate database trusts one CA. */
export interface TrustingBrowser {
  /** @param har the file that the exchanges of the page are recorded in, once its context is closed */
  open(har?: string): Promise<WatchedPage>
  close(): Promise<void>
}

/** The contexts of a browser: a new one for each page, or the profile of one person. */
interface Contexts {
  open(har?: string): Promise<Page>
  close(): Promise<void>
}

/** A home for a browser, and how Playwright starts Chromium in it. */
export interface ChromiumHome {
  readonly path: string
  readonly how: LaunchOptions
  remove(): void
}

/** Makes an NSS database that trusts one certificate authority, as a user would put it there. */
export function trustAuthority(folder: string, ca: string): void {
  mkdirSync(folder, { recursive: true })
  const certutil = (...args: string[]) => execFileSync('certutil', ['-d', `sql:${folder}`, ...args])
  certutil('-N', '--empty-password')
  certutil('-A', '-t', 'C,,', '-n', 'oauth-lab', '-i', ca)
}

/** Makes a home in which Chromium trusts one certificate authority. */
export function chromiumHome(ca: string): ChromiumHome {
  const home = temporaryFolder()
  trustAuthority(join(home.path, '.pki/nssdb'), ca)
  const how = {
    executablePath: findProgram(...chromiumNames) ?? '',
    env: cleanEnv(home.path, { XDG_CONFIG_HOME: home.path, XDG_CACHE_HOME: home.path }),
    // Chromium refuses its sandbox to root, and containers often have no room in /dev/shm.
    args: ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  }
  return { ...home, how }
}

/**
 * Starts Chromium, which trusts one certificate authority.
 * @param profile true for one person’s profile, which allows cookies of other sites. Other contexts are private windows
 */
export async function openChromium(ca: string, profile = false): Promise<TrustingBrowser> {
  const { chromium } = await import('playwright-core')
  const home = chromiumHome(ca)
  const { how } = home
  if (profile) {
    mkdirSync(join(home.path, 'profile/Default'), { recursive: true })
    const preferences = { profile: { cookie_controls_mode: 0, block_third_party_cookies: false } }
    writeFileSync(join(home.path, 'profile/Default/Preferences'), JSON.stringify(preferences))
  }
  const contexts: Contexts = profile
    ? await chromium.launchPersistentContext(join(home.path, 'profile'), how).then(context => ({
        open: () => context.newPage(),
        close: () => context.close(),
      }))
    : await chromium.launch(how).then(browser => ({
        open: async har => {
          if (har === undefined) return (await browser.newContext()).newPage()
          return (await browser.newContext({ recordHar: { path: har, content: 'embed' } })).newPage()
        },
        close: () => browser.close(),
      }))
  return {
    open: async har => {
      const page = await contexts.open(har)
      const complaints: string[] = []
      page.on('console', message => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
      })
      page.on('pageerror', error => complaints.push(error.message))
      return { page, complaints }
    },
    close: async () => {
      await contexts.close()
      home.remove()
    },
  }
}

/** A browser for the tests of a describe, which trusts their lab: it starts after the lab, and closes before it. */
export function sharedChromium(lab: Serving): Pick<TrustingBrowser, 'open'> {
  let browser: TrustingBrowser | undefined
  beforeAll(async () => {
    browser = await openChromium(lab.ready.ca)
  })
  afterAll(() => browser?.close())
  return { open: har => browser!.open(har) }
}
