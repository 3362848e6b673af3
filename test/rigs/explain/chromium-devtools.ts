import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { until } from '../../support/program.js'
import { chromiumHome } from '../browser/chromium.js'
import type { ImportedRequest, RecordingBrowser } from './recording-browser.js'

/** The functions of chromium-tools.js, as text: a test runner would change the imports in them. */
const source = readFileSync(join(import.meta.dirname, 'chromium-tools.js'), 'utf8')

/** Calls a function of chromium-tools.js in the page of the DevTools. */
const callIn = <T>(
  tools: Page,
  name: 'watching' | 'clear' | 'save' | 'open',
  ...args: unknown[]
): Promise<T> => tools.evaluate<T>(`recording.${name}(...${JSON.stringify(args)})`)

/** Opens the DevTools of a page in a tab, as `chrome://inspect` does. */
async function openTools(page: Page, profile: string): Promise<Page> {
  const [port] = await until(
    () => readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n'),
    () => 'Chromium has no port for its DevTools',
  )
  const session = await page.context().newCDPSession(page)
  const { targetInfo } = await session.send('Target.getTargetInfo')
  const tools = await page.context().newPage()
  const address = `127.0.0.1:${port}/devtools`
  await tools.addInitScript({ content: `localStorage.setItem('network-log.preserve-log', 'true')` })
  await tools.goto(`http://${address}/devtools_app.html?ws=${address}/page/${targetInfo.targetId}`)
  await tools.evaluate(source)
  await until(
    async () => (await callIn<boolean>(tools, 'watching').catch(() => false)) || undefined,
    () => 'the DevTools do not watch the page',
  )
  return tools
}

/** Starts Chromium with the DevTools on one page, and “Preserve log” on. */
export async function openChromiumDevTools(ca: string): Promise<RecordingBrowser> {
  const { chromium } = await import('playwright-core')
  const home = chromiumHome(ca)
  const profile = join(home.path, 'profile')
  const args = [...(home.how.args ?? []), '--remote-debugging-port=0', '--remote-allow-origins=*']
  const context = await chromium.launchPersistentContext(profile, { ...home.how, args })
  const page = await context.newPage()
  const tools = await openTools(page, profile)
  // A page behind another tab is drawn once a second.
  await page.bringToFront()
  return {
    async record(use) {
      await page.goto('about:blank')
      await context.clearCookies()
      await callIn(tools, 'clear')
      await use({
        open: async url => {
          await page.goto(url, { waitUntil: 'commit' })
        },
        fill: (selector, text) => page.fill(selector, text),
        click: selector => page.click(selector),
        waitFor: async selector => {
          await page.waitForSelector(selector, { state: 'attached', timeout: 15_000 })
        },
      })
      return callIn<string>(tools, 'save', false)
    },
    sanitized: () => callIn<string>(tools, 'save', true),
    open: har => callIn<ImportedRequest[]>(tools, 'open', har),
    async close() {
      await context.close()
      home.remove()
    },
  }
}
