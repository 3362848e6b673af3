import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { until } from '../../support/program.js'
import { chromiumNames, describeWith, newestNode, newestNodePath, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'
import { openChromium, type TrustingBrowser } from './chromium.js'

// The lab needs a zlib that takes dictionaries, so it runs with the newest Node.js of the rig.
describeWith([rigs, newestNode, chromiumNames.join('|'), 'certutil'], 'dictionaries in Chromium', () => {
  let lab: Serving
  let browser: TrustingBrowser
  beforeAll(async () => {
    lab = await serve(['--compression'], newestNodePath)
    browser = await openChromium(lab.ready.ca)
  })
  afterAll(async () => {
    await browser?.close()
    await lab?.remove()
  })

  it('are kept by a browser, offered by their hash with the next request, and used by the lab', async () => {
    const { page, complaints } = await browser.open()
    const { authorization } = lab.ready.urls
    await page.goto(`${authorization}/kb/1`)
    /** The fields of Chromium's request and of the answer, and the text that the page reads. */
    const get = async (path: string) => {
      const [response, text] = await Promise.all([
        page.waitForResponse(each => each.url().endsWith(path)),
        page.evaluate(async url => (await fetch(url)).text(), path),
      ])
      const sent = await response.request().allHeaders()
      return { sent, came: await response.allHeaders(), text }
    }
    let kb = 200
    // Chromium stores the page as a dictionary once it has read all of it.
    const next = await until(
      async () => {
        const answer = await get(`/kb/${++kb}`)
        return answer.sent['available-dictionary'] === undefined ? undefined : answer
      },
      () => 'Chromium offers no dictionary',
    )
    const hashes = Array.from({ length: kb }, (_, n) =>
      createHash('sha256')
        .update('a'.repeat(n * 1024))
        .digest('base64'),
    )
    const offered = /^:(.*):$/.exec(next.sent['available-dictionary']!)?.[1]
    expect(hashes).toContain(offered)
    expect(next.sent['accept-encoding']).toMatch(/\bdcb\b.*\bdcz\b/)
    expect(next.came['content-encoding']).toBe('dcb')
    expect(next.came['use-as-dictionary']).toBe('match="/kb/*"')
    expect(next.came.vary).toMatch(/accept-encoding, *available-dictionary/i)
    expect(next.text).toBe('a'.repeat(kb * 1024))
    // The lab has no icon.
    expect(complaints.filter(each => !each.includes('404'))).toEqual([])
  })
})
