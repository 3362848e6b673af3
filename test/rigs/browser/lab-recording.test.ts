import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventsSince, explainEvents, summary } from '../../judge/explain/lab-events/support.js'
import { chromiumNames, describeWith, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'
import { openChromium, type TrustingBrowser } from './chromium.js'

describeWith(
  [rigs, chromiumNames.join('|'), 'certutil'],
  'the events of a lab that Chromium used, explained',
  () => {
    let lab: Serving
    let browser: TrustingBrowser
    beforeAll(async () => {
      lab = await serve(['--client-port', '0'])
      browser = await openChromium(lab.ready.ca)
    })
    afterAll(async () => {
      await browser?.close()
      await lab?.remove()
    })

    /** Logs in at the demo client in a browser of its own. Returns the page after it, and what the lab reported. */
    async function login(password: readonly string[], change?: (request: URL) => void) {
      const before = (await lab.events()).length
      const { page } = await browser.open()
      await page.goto(`${lab.ready.urls.client}/login`)
      if (change) {
        const request = new URL(page.url())
        change(request)
        await page.goto(request.href)
      }
      for (const each of password) {
        await page.fill('input[name=username]', 'alice')
        await page.fill('input[name=password]', each)
        await page.click('[type=submit]')
      }
      await page.waitForURL(url => url.origin === lab.ready.urls.client)
      const explanation = await explainEvents(await eventsSince(lab, before))
      return summary(explanation).map(line => line.replace(/ \d+(?=,|$)/g, ''))
    }

    it('a right login, from the page to the session of the client', async () => {
      expect(await login(['wonderland'])).toEqual(['code demo-web alice granted'])
    })

    it('a wrong password before the right one is a remark', async () => {
      expect(await login(['wrong', 'wonderland'])).toEqual([
        'code demo-web alice granted, remark login-failed',
      ])
    })

    it('a login without state: the client refuses the answer, and says why', async () => {
      expect(await login(['wonderland'], request => request.searchParams.delete('state'))).toEqual([
        'code demo-web - unfinished',
        'code demo-web alice refused, fault state-missing',
      ])
    })
  },
)
