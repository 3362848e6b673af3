import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cleanEnv, runProgram, temporaryFolder } from '../../support/program.js'
import { chromiumNames, describeWith, rigs } from '../../support/requires.js'
import { type OpenWorkshop, openWorkshop } from '../../support/workshop.js'
import { openChromium, type TrustingBrowser } from './chromium.js'

describeWith(
  [rigs, chromiumNames.join('|'), 'certutil'],
  'the stage of a room with a lab, in Chromium',
  () => {
    const folder = temporaryFolder()
    const env = (who: string) => cleanEnv(join(folder.path, who))
    let workshop: OpenWorkshop
    let browser: TrustingBrowser

    beforeAll(async () => {
      for (const who of ['teacher', 'ann', 'ben']) mkdirSync(join(folder.path, who))
      workshop = await openWorkshop(env('teacher'), ['--lab'])
      browser = await openChromium(join(folder.path, 'teacher/lab/ca.pem'))
    })
    afterAll(async () => {
      await browser?.close()
      await workshop?.stop()
      folder.remove()
    })

    const typed = (who: string, ...args: readonly string[]) =>
      runProgram(args, { env: env(who), limit: 120_000 })

    it('draws the flows of two people while they happen, and says why one was refused', async () => {
      const { page, complaints } = await browser.open()
      await page.goto(workshop.ready.board)
      await page.goto(new URL('/stage', workshop.ready.board).href)
      await page.getByText('Nobody has begun a flow').waitFor()
      for (const who of ['ann', 'ben']) {
        const words = [...workshop.ready.join.split(' ').slice(2), '--as', who]
        expect(await typed(who, ...words)).toMatchObject({ code: 0 })
      }
      const flow = ['flow', 'code', '--server', 'room', '--json']
      const wrong = [...flow, '--tamper', 'wrong-verifier']
      const [right] = await Promise.all([typed('ann', ...flow), typed('ben', ...wrong)])
      expect(right).toMatchObject({ code: 0 })
      const lane = (who: string) => page.locator('#lanes > li').filter({ hasText: who })
      await page.keyboard.press('n')
      for (const step of ['asks for a code', 'logs in', 'issues a code', 'redeems the code'])
        await lane('ann').getByText(step).waitFor()
      expect(await lane('ann').locator('.refused').count()).toBe(0)
      await lane('ben').locator('.refused').getByText('redeems the code').waitFor()
      await lane('ben').getByText('RFC 7636').waitFor()
      expect(complaints).toEqual([])
    })
  },
)
