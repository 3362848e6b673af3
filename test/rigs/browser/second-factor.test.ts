import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runProgram } from '../../support/program.js'
import { chromiumNames, describeWith, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'
import { openChromium, type TrustingBrowser } from './chromium.js'

const MFA = 'urn:oauth-lab:acr:mfa'

describeWith([rigs, chromiumNames.join('|'), 'certutil'], 'Chromium and the second factor', () => {
  let client: Server
  let callback: string
  let lab: Serving
  let browser: TrustingBrowser
  beforeAll(async () => {
    client = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('The client')
    })
    await new Promise<void>(resolve => client.listen(0, '127.0.0.1', resolve))
    callback = `http://127.0.0.1:${(client.address() as AddressInfo).port}/callback`
    lab = await serve()
    browser = await openChromium(lab.ready.ca)
  })
  afterAll(async () => {
    await browser?.close()
    await lab?.remove()
    client?.close()
  })

  const address = (more: Record<string, string> = {}) => {
    const request = {
      response_type: 'code',
      client_id: 'demo',
      redirect_uri: callback,
      scope: 'openid',
      ...more,
    }
    return `${lab.ready.urls.authorization}/authorization?${new URLSearchParams(request)}`
  }
  const atClient = /^http:\/\/127\.0\.0\.1:\d+\/callback/

  it('asks for the password, then for the code; a wrong code is refused on the page', async () => {
    const { page, complaints } = await browser.open()
    await page.goto(address({ acr_values: MFA }))
    await page.fill('input[name=username]', 'alice')
    await page.fill('input[name=password]', 'wonderland')
    await page.click('[type=submit]')
    await page.waitForSelector('input[name=otp]')
    expect(await page.title()).toContain('Enter a code')
    expect(await page.getAttribute('input[name=otp]', 'autocomplete')).toBe('one-time-code')
    expect(await page.evaluate('document.activeElement.name')).toBe('otp')
    await page.fill('input[name=otp]', '000000')
    await page.click('[type=submit]')
    await page.waitForSelector('[role=alert]')
    expect(await page.textContent('[role=alert]')).toContain('This code is wrong')
    const { stdout } = await runProgram(['user', 'otp', 'alice'], { env: lab.env })
    await page.fill('input[name=otp]', stdout.trim())
    await page.click('[type=submit]')
    await page.waitForURL(atClient)
    expect(new URL(page.url()).searchParams.get('code')).toMatch(/^[\w-]+$/)
    // The session has both factors now, so no page is shown again.
    await page.goto(address({ acr_values: MFA, prompt: 'none' }))
    await page.waitForURL(atClient)
    expect(new URL(page.url()).searchParams.get('code')).toMatch(/^[\w-]+$/)
    expect(complaints).toEqual([])
  })

  it('asks a session with a password for the code alone, and takes Cancel', async () => {
    const { page } = await browser.open()
    await page.goto(address())
    await page.fill('input[name=username]', 'alice')
    await page.fill('input[name=password]', 'wonderland')
    await page.click('[type=submit]')
    await page.waitForURL(atClient)
    await page.goto(address({ acr_values: MFA, state: 's' }))
    await page.waitForSelector('input[name=otp]')
    expect(await page.$('input[name=password]')).toBeNull()
    await page.click('button[name=cancel]')
    await page.waitForURL(atClient)
    const { searchParams } = new URL(page.url())
    expect([searchParams.get('error'), searchParams.get('state')]).toEqual(['access_denied', 's'])
  })
})
