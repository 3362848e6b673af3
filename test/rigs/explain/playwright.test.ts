import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jsonLines, runProgram } from '../../support/program.js'
import { chromiumNames, describeWith, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'
import { openChromium, type TrustingBrowser } from '../browser/chromium.js'
import { type Application, serveApplication } from './application.js'
import { openidMistakes } from './mistakes.js'

// Playwright writes HARs in a dialect of its own. They are explained by the program, as people run it.

describeWith(
  [rigs, chromiumNames.join('|'), 'certutil'],
  'recordings of Playwright, of logins at the lab',
  () => {
    let lab: Serving
    let browser: TrustingBrowser
    let application: Application
    let count = 0
    beforeAll(async () => {
      lab = await serve()
      browser = await openChromium(lab.ready.ca)
      application = await serveApplication()
    })
    afterAll(async () => {
      application?.close()
      await browser?.close()
      await lab?.remove()
    })

    /** Logs in, and returns the file of the recording. */
    async function record(mistake?: string): Promise<string> {
      count += 1
      const har = join(lab.env.HOME ?? '', `login-${count}.har`)
      const { page } = await browser.open(har)
      const { origin, pictures } = application
      const issuer = lab.ready.urls.authorization
      const login = { issuer, client: 'demo-spa', scope: 'openid', pictures, mistake }
      await page.goto(`${origin}/?login=${encodeURIComponent(JSON.stringify(login))}`)
      await page.getByLabel(/user/i).fill('alice')
      await page.getByLabel(/password/i).fill('wonderland')
      await page.getByRole('button').first().click()
      await page.locator('output').waitFor()
      await page.context().close()
      return har
    }

    async function findings(file: string, ...more: string[]): Promise<unknown[]> {
      const { stdout, stderr } = await runProgram(['explain', file, '--json', ...more], { env: lab.env })
      const lines = jsonLines(stdout)
      if (lines.length === 0) throw new Error(stderr)
      return lines.filter(({ type }) => type === 'finding').map(({ name }) => name)
    }

    const ofPage = openidMistakes.filter(({ page, ends }) => page !== undefined && ends === undefined)
    const logins: readonly (readonly [finding: string, mistake?: string | undefined])[] = [
      ['nothing'],
      ...ofPage.map(({ finding, page }) => [finding, page] as const),
    ]
    it.each(logins)('name %s', async (finding, mistake) => {
      const har = await record(mistake)
      const clean = `${har}.clean`
      const named = finding === 'nothing' ? [] : [finding]
      expect(await findings(har, '--redact', '-o', clean)).toEqual(named)
      expect(await findings(clean)).toEqual(named)
      expect(readFileSync(clean, 'utf8')).not.toContain('wonderland')
    })
  },
)
