import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  cleanEnv,
  jsonLines,
  runProgram,
  startProgram,
  temporaryFolder,
  until,
} from '../../support/program.js'
import { chromiumNames, describeWith, rigs } from '../../support/requires.js'
import { openChromium, type TrustingBrowser } from './chromium.js'

/** Milliseconds for one attack: a person would need longer. */
const PATIENCE = 90_000

/** Does what a line on stderr asks the victim for, in a real browser. */
async function obey(page: Page, line: string): Promise<void> {
  const address = /open this address in your browser: {2}(\S+)/.exec(line)?.[1]
  if (address !== undefined) await page.goto(address)
  const [, name, password] = /log in as (\w+) with the password (\S+)/.exec(line) ?? []
  if (name !== undefined) {
    await page.fill('input[name=username]', name)
    await page.fill('input[name=password]', password!)
    await page.locator('[type=submit]').first().click()
  }
  const button = /press “([^”]+)”/.exec(line)?.[1]
  if (button !== undefined) await page.getByRole('button', { name: button, exact: true }).click()
  const note = /write this into the form, and send it: {2}(.+)/.exec(line)?.[1]
  if (note !== undefined) {
    await page.getByLabel('New note').fill(note)
    await page.getByRole('button', { name: 'Add the note' }).click()
  }
  if (line.includes('Decide by what the page says')) {
    await page.getByRole('button', { name: /^(Refuse|Deny)$/ }).click()
  }
  if (line.includes('play the game')) await clickRabbits(page)
}

/** Clicks the rabbits from the top, as the game says, until the frame leads to the attacker. */
async function clickRabbits(page: Page): Promise<void> {
  const arrived = () => page.frames().some(each => new URL(each.url()).pathname === '/catch')
  for (const rabbit of await page.locator('#game p').all()) {
    if (arrived()) return
    const box = (await rabbit.boundingBox())!
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    await page.waitForTimeout(100)
  }
}

describeWith([rigs, chromiumNames.join('|'), 'certutil'], 'attacks in Chromium', () => {
  const home = temporaryFolder()
  const env = cleanEnv(home.path)
  let browser: TrustingBrowser
  beforeAll(async () => {
    const { stdout } = await runProgram(['ca', 'path'], { env })
    browser = await openChromium(stdout.trim(), true)
  })
  afterAll(async () => {
    await browser?.close()
    home.remove()
  })

  /** Runs an attack whose victim is the browser. */
  async function attacked(name: string, ...more: readonly string[]) {
    const { page } = await browser.open()
    await page.setViewportSize({ width: 900, height: 1600 })
    const args = ['attack', 'run', name, '--browser', '--no-open', '--json', ...more]
    const running = startProgram(args, { env, limit: PATIENCE })
    let read = 0
    let over = false
    void running.ended.then(() => {
      over = true
    })
    for (;;) {
      const line = await until(
        () => {
          const end = running.stderr().indexOf('\n', read)
          if (end < 0) return over ? '' : undefined
          const whole = running.stderr().slice(read, end)
          read = end + 1
          return whole
        },
        () => `nothing more is asked for: ${running.stderr()}${running.stdout()}`,
        PATIENCE,
      )
      if (line === '' && over) break
      await obey(page, line)
    }
    const { code, stdout, stderr } = await running.ended
    return { code, steps: jsonLines(stdout), outcome: jsonLines(stdout).at(-1), stderr }
  }

  it.each([
    ['stolen-code', 'redirect_uri'],
    ['open-redirector', 'redirect_uri'],
    ['code-replay', 'one_use'],
    ['login-csrf', 'state'],
    ['mix-up', 'iss'],
    ['token-substitution', 'access_token'],
    ['device-phishing', 'device_warning'],
    ['referrer-leak', 'referrer_policy'],
    ['clickjacked-consent', 'frame_ancestors'],
    ['silent-consent', 'consent'],
    ['refresh-theft', 'rotation'],
    ['replayed-bearer', 'cnf'],
    ['look-alike-client', 'unverified_mark'],
    ['mcp-token-replay', 'aud'],
  ])(
    '%s steals from a weak lab, and not from a strict one',
    async (name, check) => {
      const weak = await attacked(name)
      expect(weak.outcome, weak.stderr).toMatchObject({ outcome: 'stolen', check })
      expect(weak.code).toBe(0)
      const strict = await attacked(name, '--strict')
      expect(strict.outcome, strict.stderr).toMatchObject({ outcome: 'defended', check })
      expect(strict.code).toBe(0)
    },
    3 * PATIENCE,
  )
})
