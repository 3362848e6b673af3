import { expect, it } from 'vitest'
import { jsonLines, startProgram, until } from '../../support/program.js'
import { chromiumNames, describeWith, rigs } from '../../support/requires.js'
import { sharedLab } from '../../support/shared.js'
import { sharedChromium } from './chromium.js'

describeWith([rigs, chromiumNames.join('|'), 'certutil'], 'flow logout in Chromium', () => {
  const lab = sharedLab()
  const browser = sharedChromium(lab)

  it('logs in, shows the session, logs out and shows its end, in the browser of the person', async () => {
    const flow = ['flow', 'logout', '--no-hint', '--json', '--browser', '--no-open']
    const running = startProgram(flow, { env: lab.env })
    const addressTo = (purpose: string, n = 0) =>
      until(
        () => {
          const lines = running
            .stderr()
            .split('\n')
            .filter(each => each.includes(`to ${purpose}:`))
          return /https:\/\/localhost:\d+\/\S+/.exec(lines[n] ?? '')?.[0]
        },
        () => `no address to ${purpose}:\n${running.stderr()}`,
      )
    const { page, complaints } = await browser.open()
    await page.goto(await addressTo('log in'))
    await page.fill('input[name=username]', 'alice')
    await page.fill('input[name=password]', 'wonderland')
    await page.click('[type=submit]')
    await page.getByText('Answer received').waitFor()
    await page.goto(await addressTo('show if you are logged in'))
    await page.getByText('Answer received').waitFor()
    await page.goto(await addressTo('log out'))
    await page.click('button[name=logout]')
    await page.getByText('Back from the logout').waitFor()
    await page.goto(await addressTo('show if you are logged in', 1))
    await page.getByText('Refused').first().waitFor()
    const { code, stdout } = await running.ended
    const lines = jsonLines(stdout)
    expect(lines.at(-1)).toMatchObject({ outcome: 'granted', logged_out: true })
    expect(lines.filter(({ name }) => name === 'ended_session_check').at(-1)).toMatchObject({
      note: 'login_required: the session has ended',
    })
    expect(code).toBe(0)
    expect(complaints.filter(each => !each.includes('400'))).toEqual([])
  }, 60_000)
})
