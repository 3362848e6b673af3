import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { cleanEnv, temporaryFolder } from '../../support/program.js'
import { chromiumNames, findProgram } from '../../support/requires.js'

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

/**
 * Starts Chromium; `ca` goes into its NSS database as a user would put it there.
 * @param profile true for one person’s profile, which allows cookies of other sites. Other contexts are private windows
 */
export async function openChromium(ca: string, profile = false): Promise<TrustingBrowser> {
  const { chromium } = await import('playwright-core')
  const home = temporaryFolder()
  const database = join(home.path, '.pki/nssdb')
  mkdirSync(database, { recursive: true })
  const certutil = (...args: string[]) => execFileSync('certutil', ['-d', `sql:${database}`, ...args])
  certutil('-N', '--empty-password')
  certutil('-A', '-t', 'C,,', '-n', 'oauth-lab', '-i', ca)
  const how = {
    executablePath: findProgram(...chromiumNames) ?? '',
    env: cleanEnv(home.path, { XDG_CONFIG_HOME: home.path, XDG_CACHE_HOME: home.path }),
    // Chromium refuses its sandbox to root, and containers often have no room in /dev/shm.
    args: ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  }
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
          // A test that changes answers on their way fetches them with Node.js, which does not know the CA.
          const recordHar = { path: har, content: 'embed' } as const
          return (await browser.newContext({ recordHar, ignoreHTTPSErrors: true })).newPage()
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
