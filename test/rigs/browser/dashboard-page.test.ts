import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { htmlPage } from '../../../src/show/render/exports/html.js'
import { exportOptions } from '../../show/render/hostile.js'
import { RUN } from '../../show/tui/steps.js'
import { temporaryFolder } from '../../support/program.js'
import { chromiumNames, describeWith, rigs } from '../../support/requires.js'
import { sharedLab } from '../../support/shared.js'
import { expectAccessible } from './accessible.js'
import { sharedChromium } from './chromium.js'

describeWith([rigs, chromiumNames.join('|'), 'certutil'], 'pages of what happened, in Chromium', () => {
  const lab = sharedLab(['--web'])
  const browser = sharedChromium(lab)

  it('serve --web shows requests as they come, each with its events, by the keyboard alone', async () => {
    const { authorization, web = '' } = lab.ready.urls
    const { page, complaints } = await browser.open()
    await page.goto(web)
    expect(page.url()).toBe(`${authorization}/web`)
    await page.getByText('Live: what happens').waitFor()
    const other = await browser.open()
    await other.page.goto(`${authorization}/authorization?client_id=nobody-1&response_type=code`)
    const request = page.getByRole('button', { name: /^GET \/authorization/ })
    await request.waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('nobody-1')
    await page.getByRole('button', { name: 'Pause' }).focus()
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: /^GET \/authorization/ }).waitFor()
    const details = page.getByRole('region', { name: /^GET \/authorization/ })
    await details.getByText('authorization.refused').waitFor()
    expect(await page.locator('main').textContent()).not.toContain(
      new URL(web).searchParams.get('access_key'),
    )
    await expectAccessible(page, 'dashboard')
    expect(complaints).toEqual([])
    await other.page.close()
    await page.close()
  })

  it('serve --web is closed without its key', async () => {
    const { page } = await browser.open()
    const answer = await page.goto(`${lab.ready.urls.authorization}/web`)
    expect(answer?.status()).toBe(401)
    await page.close()
  })

  it('an exported page opens from the disk', async () => {
    const folder = temporaryFolder()
    const file = join(folder.path, 'run.html')
    writeFileSync(file, htmlPage(RUN, exportOptions))
    const { page, complaints } = await browser.open()
    await page.goto(pathToFileURL(file).href)
    await page.getByRole('heading', { name: 'Outcome' }).waitFor()
    await expectAccessible(page, 'export')
    expect(complaints).toEqual([])
    await page.close()
    folder.remove()
  })
})
