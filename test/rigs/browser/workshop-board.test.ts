import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { WorkshopReady } from '../../../src/commands/output/json-lines.js'
import { readJoinCode } from '../../../src/protocol/room/join-code.js'
import { ask } from '../../support/https.js'
import { cleanEnv, temporaryFolder } from '../../support/program.js'
import { chromiumNames, describeWith, rigs } from '../../support/requires.js'
import { type OpenWorkshop, openWorkshop } from '../../support/workshop.js'
import { openChromium, type TrustingBrowser } from './chromium.js'

describeWith([rigs, chromiumNames.join('|'), 'certutil'], 'the board of a workshop in Chromium', () => {
  const folder = temporaryFolder()
  const caFile = join(folder.path, 'lab/ca.pem')
  let workshop: OpenWorkshop
  let ready: WorkshopReady
  let browser: TrustingBrowser
  const tokens: string[] = []

  beforeAll(async () => {
    workshop = await openWorkshop(cleanEnv(folder.path), ['--name', 'Friday'])
    ready = workshop.ready
    browser = await openChromium(caFile)
  })
  afterAll(async () => {
    await browser?.close()
    await workshop?.stop()
    folder.remove()
  })

  async function send(method: string, path: string, body: object, token?: string) {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const ca = readFileSync(caFile, 'utf8')
    return ask(new URL(path, ready.board).href, { ca, method, headers, body: JSON.stringify(body) })
  }

  async function joins(name: string): Promise<void> {
    const secret = Buffer.from(readJoinCode(ready.code)!.secret).toString('hex')
    tokens.push(JSON.parse((await send('POST', '/room/join', { secret, name })).body).token)
  }

  const task = { lesson: '05-pkce', task: 'challenge' }
  const facts = (...names: readonly object[]) => ({
    facts: names.map((each, i) => ({ n: i + 1, at: new Date().toISOString(), ...each })),
  })

  async function board(): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
    const opened = await browser.open()
    await opened.page.goto(ready.board)
    await opened.page.getByRole('heading', { level: 1, name: 'Friday' }).waitFor()
    return opened
  }

  it('opens by the key, shows who joins and who is stuck, and leads', async () => {
    const { page, complaints } = await board()
    expect(page.url()).toBe(new URL('/board', ready.board).href)
    await joins('Dora <b>')
    const people = page.getByRole('region', { name: 'People and tasks' })
    await people.getByRole('button', { name: 'Dora <b>' }).waitFor()
    await send(
      'POST',
      '/room/facts',
      facts(
        { fact: 'lesson.opened', lesson: '05-pkce' },
        { fact: 'task.shown', ...task },
        { fact: 'stuck', ...task },
      ),
      tokens[0],
    )
    await page.getByRole('region', { name: 'Stuck: 1' }).getByText('05 challenge: asks for help').waitFor()
    await page.getByLabel('Lesson').selectOption('05-pkce')
    await page.getByLabel('Pace').selectOption('most')
    await page.getByRole('button', { name: 'Set' }).click()
    await page.getByText(/goes on once 80 % are done/).waitFor()
    await page.getByRole('button', { name: 'Next: people go on after challenge' }).click()
    await page.getByRole('button', { name: 'Next: people go on after injected' }).waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'CSV' }).click()
    expect(readFileSync(await (await download).path(), 'utf8')).toMatch(/^who,name,[^\n]*\n\S+-01,Dora <b>,/)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('shows the stage in the same browser, and nothing without the key', async () => {
    const { page } = await board()
    await page.getByRole('link', { name: 'Stage for the projector' }).click()
    await page.getByRole('heading', { level: 1, name: /PKCE/ }).waitFor()
    expect(await page.locator('main').innerText()).not.toContain(ready.code)
    const other = await browser.open()
    for (const path of ['/board', '/stage']) {
      const answer = await other.page.goto(new URL(path, ready.board).href)
      expect(answer?.status()).toBe(401)
    }
    await other.page.goto(ready.http)
    expect(await other.page.locator('main').innerText()).not.toContain(ready.code)
    await other.page.close()
    await page.close()
  })
})
