import type { Application } from './application.js'
import type { Mistake } from './mistakes.js'
import type { RecordingBrowser } from './recording-browser.js'
import type { RecordedServer } from './servers.js'

/** Logs alice in, with a mistake or without one, and returns the recording. */
export async function recordLogin(
  browser: RecordingBrowser,
  { login, relay, shown }: Pick<RecordedServer, 'login' | 'relay' | 'shown'>,
  { origin, pictures }: Application,
  { page: mistake, change, ends }: Partial<Mistake> = {},
): Promise<string> {
  relay.change(change ?? (() => undefined))
  return browser.record(async page => {
    await page.open(`${origin}/?login=${encodeURIComponent(JSON.stringify({ ...login, pictures, mistake }))}`)
    if (ends === undefined) {
      await page.fill('input[name=username]', 'alice')
      await page.fill('input[name=password]', 'wonderland')
      await page.click('button:not([type=button]), input[type=submit]')
    }
    await page.waitFor(ends === 'shown' ? shown : 'output')
  })
}
