import { expect, it } from 'vitest'
import { jsonLines, startProgram, until } from '../../support/program.js'
import { chromiumNames, describeWith, rigs } from '../../support/requires.js'
import { sharedLab } from '../../support/shared.js'
import { sharedChromium } from './chromium.js'

describeWith([rigs, chromiumNames.join('|'), 'certutil'], 'the answer behind the # in Chromium', () => {
  const lab = sharedLab()
  const browser = sharedChromium(lab)

  async function startFlow(...args: string[]) {
    const running = startProgram(['flow', ...args, '--json', '--browser', '--no-open'], { env: lab.env })
    const url = await until(
      () => /https:\/\/localhost:\d+\/\S+/.exec(running.stderr())?.[0],
      () => `no address to open:\n${running.stderr()}`,
    )
    return { url, ended: running.ended }
  }

  it('is relayed by a script, byte for byte, and leaves address and history', async () => {
    const { url, ended } = await startFlow('implicit', '--client', 'demo-spa', '--scope', 'openid profile')
    const { page, complaints } = await browser.open()
    await page.goto(url)
    await page.fill('input[name=username]', 'alice')
    await page.fill('input[name=password]', 'wonderland')
    await page.click('[type=submit]')
    await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/callback/)
    await page.getByText('You may close this tab').waitFor()
    expect(page.url()).not.toMatch(/#|access_token/)
    const { code, stdout } = await ended
    const lines = jsonLines(stdout)
    expect(lines.at(-1)).toMatchObject({ outcome: 'granted', tokens: { id_token: expect.any(String) } })
    expect(lines.find(each => each.name === 'authorization_response')).toMatchObject({
      exchange: { request: { method: 'POST' } },
      url: expect.stringMatching(/\/callback#.*access_token=/),
    })
    expect(code).toBe(0)
    expect(complaints).toEqual([])
  })

  it('tells the person when the server refused', async () => {
    const { url, ended } = await startFlow('implicit', '--client', 'demo-spa')
    const { page } = await browser.open()
    await page.goto(url)
    await page.click('button[name=cancel]')
    await page.getByText('The authorization server refused the request').waitFor()
    const { code, stdout } = await ended
    expect(jsonLines(stdout).at(-1)).toMatchObject({ outcome: 'refused', error: { error: 'access_denied' } })
    expect(code).toBe(1)
  })

  it('lets a device in that waits elsewhere', async () => {
    const { url, ended } = await startFlow('device')
    const { page, complaints } = await browser.open()
    await page.goto(url)
    await page.fill('input[name=username]', 'bob')
    await page.fill('input[name=password]', 'builder')
    await page.click('button:not([name=cancel])')
    await page.getByText('Your device is connected').waitFor()
    const { code, stdout } = await ended
    expect(jsonLines(stdout).at(-1)).toMatchObject({ outcome: 'granted' })
    expect(code).toBe(0)
    expect(complaints).toEqual([])
  })
})
