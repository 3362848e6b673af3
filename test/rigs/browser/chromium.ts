import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
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
  open(): Promise<WatchedPage>
  close(): Promise<void>
}

/** Starts Chromium; `ca` goes into its NSS database as a user would put it there. */
export async function openChromium(ca: string): Promise<TrustingBrowser> {
  const { chromium } = await import('playwright-core')
  const home = temporaryFolder()
  const database = join(home.path, '.pki/nssdb')
  mkdirSync(database, { recursive: true })
  const certutil = (...args: string[]) => execFileSync('certutil', ['-d', `sql:${database}`, ...args])
  certutil('-N', '--empty-password')
  certutil('-A', '-t', 'C,,', '-n', 'oauth-lab', '-i', ca)
  const browser: Browser = await chromium.launch({
    executablePath: findProgram(...chromiumNames) ?? '',
    env: cleanEnv(home.path, { XDG_CONFIG_HOME: home.path, XDG_CACHE_HOME: home.path }),
    // Chromium refuses its sandbox to root, and containers often have no room in /dev/shm.
    args: ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })
  return {
    open: async () => {
      const page = await (await browser.newContext()).newPage()
      const complaints: string[] = []
      page.on('console', message => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
      })
      page.on('pageerror', error => complaints.push(error.message))
      return { page, complaints }
    },
    close: async () => {
      await browser.close()
      home.remove()
    },
  }
}
