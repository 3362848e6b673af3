import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Ended, jsonLines, startProgram, until } from '../../support/program.js'
import { chromiumNames, describeWith, rigs } from '../../support/requires.js'
import { serve } from '../../support/serve.js'
import { sharedLab } from '../../support/shared.js'
import { sharedChromium } from './chromium.js'

describeWith([rigs, chromiumNames.join('|'), 'certutil'], 'Chromium', () => {
  const lab = sharedLab()
  const browser = sharedChromium(lab)

  /** Starts the flow with a BROWSER that only writes down the address it is given. */
  async function startFlow(): Promise<{ url: string; ended: Promise<Ended> }> {
    const file = join(lab.env.HOME ?? '', `address-${Math.random()}`)
    const script = join(lab.env.HOME ?? '', 'browser.sh')
    writeFileSync(script, '#!/bin/sh\nprintf %s "$1" > "$ADDRESS.part" && mv "$ADDRESS.part" "$ADDRESS"\n')
    chmodSync(script, 0o755)
    const running = startProgram(['flow', 'code', '--client', 'demo', '--browser', '--json'], {
      env: { ...lab.env, BROWSER: script, ADDRESS: file },
      limit: 60_000,
    })
    const url = await until(
      () => (existsSync(file) ? readFileSync(file, 'utf8') : undefined),
      () => `the browser was not opened: ${running.stdout()}${running.stderr()}`,
    )
    // Always printed too, for people whose browser is elsewhere.
    expect(running.stdout() + running.stderr()).toContain(url)
    return { url, ended: running.ended }
  }

  it('logs in through the real page and lands at the listener of the flow, without a complaint', async () => {
    const { url, ended } = await startFlow()
    const { page, complaints } = await browser.open()
    await page.goto(url)
    expect(await page.title()).not.toBe('')
    await page.fill('input[name=username]', 'alice')
    await page.fill('input[name=password]', 'wrong')
    await page.click('[type=submit]')
    // The form again, with a message, on the same page of the server.
    expect(new URL(page.url()).origin).toBe(lab.ready.urls.authorization)
    expect(await page.inputValue('input[name=password]')).toBe('')
    await page.fill('input[name=username]', 'alice')
    await page.fill('input[name=password]', 'wonderland')
    await page.click('[type=submit]')
    await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/callback/)
    expect(await page.textContent('body')).toMatch(/close/i)

    const { code, stdout } = await ended
    const lines = jsonLines(stdout)
    expect(lines.at(-1)).toMatchObject({ type: 'outcome', outcome: 'granted' })
    expect(code).toBe(0)
    expect(complaints.filter(each => !/status of 40[01]/.test(each))).toEqual([])
  })

  it('shows an error page, and no way to anywhere, for an address that is not registered', async () => {
    const { page, complaints } = await browser.open()
    const query = 'response_type=code&client_id=demo&redirect_uri=https://evil.example/cb'
    const answer = await page.goto(`${lab.ready.urls.authorization}/authorization?${query}`)
    expect(answer?.status()).toBe(400)
    expect(await page.textContent('body')).toContain('redirect_uri')
    expect(await page.locator('a[href*=evil], form').count()).toBe(0)
    expect(complaints.filter(each => !/status of 400/.test(each))).toEqual([])
  })

  it('can be read without colour, by keyboard and by name', async () => {
    const { page } = await browser.open()
    const callback = encodeURIComponent('http://127.0.0.1:7000/callback')
    await page.goto(
      `${lab.ready.urls.authorization}/authorization?response_type=code&client_id=demo&redirect_uri=${callback}`,
    )
    await page.getByLabel(/user/i).fill('alice')
    await page.getByLabel(/password/i).fill('wonderland')
    expect(await page.getAttribute('html', 'lang')).toBe('en')
    expect(await page.getByRole('button').count()).toBeGreaterThan(0)
  })

  it('refuses the lab when its CA is not trusted', async () => {
    const other = await serve()
    const { page } = await browser.open()
    await expect(page.goto(other.ready.urls.authorization)).rejects.toThrow(/ERR_CERT_AUTHORITY_INVALID/)
    await other.remove()
  })
})
