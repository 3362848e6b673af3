import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/program.js'
import { chromiumNames, describeWith, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'
import { openChromium, type TrustingBrowser, type WatchedPage } from './chromium.js'

type Page = WatchedPage['page']

/** The answer of an authorization server in the fragment of an address. */
const answerIn = (url: string) => Object.fromEntries(new URLSearchParams(new URL(url).hash.slice(1)))

/** The claims of an ID token, unverified. */
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

describeWith([rigs, chromiumNames.join('|'), 'certutil'], 'Chromium and a logout', () => {
  const folder = temporaryFolder()
  const seen: string[] = []
  let relyingParty: Server
  let origin: string
  let lab: Serving
  let browser: TrustingBrowser
  let strict: TrustingBrowser

  beforeAll(async () => {
    // The page of a relying party holds the frame of the authorization server, as Session Management §3 draws it.
    relyingParty = createServer((request, response) => {
      seen.push(request.url ?? '')
      response.setHeader('content-type', 'text/html')
      const issuer = lab.ready.urls.authorization
      response.end(
        request.url === '/session'
          ? `<!doctype html><iframe id="op" src="${issuer}/check-session"></iframe><script>
               const answer = new Promise(resolve => addEventListener('message', ({ origin, data }) => {
                 if (origin === '${issuer}') resolve(data)
               }))
               const loaded = new Promise(resolve => document.getElementById('op').addEventListener('load', resolve))
               const ask = async message => {
                 await loaded
                 document.getElementById('op').contentWindow.postMessage(message, '${issuer}')
                 return answer
               }
             </script>`
          : '<!doctype html>The relying party',
      )
    })
    await new Promise<void>(resolve => relyingParty.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(relyingParty.address() as AddressInfo).port}`
    const client = (name: string) => ({
      client_id: name,
      client_secret: `${name}-secret-0123456789abcdef0123456789`,
      redirect_uris: ['http://127.0.0.1/callback'],
      post_logout_redirect_uris: [`${origin}/bye`],
      frontchannel_logout_uri: `${origin}/${name}/logout?of=${name}`,
      frontchannel_logout_session_required: true,
      response_types: ['code', 'code id_token'],
    })
    const file = join(folder.path, 'lab.json')
    writeFileSync(file, JSON.stringify({ clients: [client('one'), client('two')] }))
    lab = await serve(['--config', file])
    browser = await openChromium(lab.ready.ca, true)
    strict = await openChromium(lab.ready.ca)
  })
  afterAll(async () => {
    await browser?.close()
    await strict?.close()
    await lab?.remove()
    relyingParty?.close()
    folder.remove()
  })

  /** Logs in for a client, with a form where nobody is logged in yet, and allows it. @returns the parameters of the answer */
  async function logIn(page: Page, client: string): Promise<Record<string, string>> {
    const request = {
      ...{ response_type: 'code id_token', client_id: client, redirect_uri: `${origin}/callback` },
      ...{ scope: 'openid', state: 's1', nonce: 'n1' },
    }
    await page.goto(`${lab.ready.urls.authorization}/authorization?${new URLSearchParams(request)}`)
    if (!page.url().startsWith(origin)) {
      if ((await page.locator('input[name=password]').count()) > 0) {
        await page.fill('input[name=username]', 'alice')
        await page.fill('input[name=password]', 'wonderland')
      }
      await page.getByRole('button', { name: /allow$/i }).click()
      await page.waitForURL(url => url.href.startsWith(`${origin}/callback`))
    }
    return answerIn(page.url())
  }

  /** Asks the frame of the server, as a page of the relying party does. */
  async function asked(page: Page, message: string): Promise<string> {
    await page.goto(`${origin}/session`)
    return page.evaluate(`ask(${JSON.stringify(message)})`)
  }

  it('opens the frame of each client with iss and sid, and goes on to the registered address', async () => {
    const { page, complaints } = await browser.open()
    await logIn(page, 'one')
    const { id_token: hint = '' } = await logIn(page, 'two')
    const { sid } = claimsOf(hint)
    seen.length = 0
    const logout = { id_token_hint: hint, post_logout_redirect_uri: `${origin}/bye`, state: 'a&b' }
    await page.goto(`${lab.ready.urls.authorization}/end-session?${new URLSearchParams(logout)}`)
    await page.waitForURL(`${origin}/bye?state=a%26b`)
    const told = (name: string) =>
      `/${name}/logout?${new URLSearchParams({ of: name, iss: lab.ready.urls.authorization, sid })}`
    expect(seen.filter(each => each.includes('/logout')).sort()).toEqual([told('one'), told('two')])
    expect(complaints).toEqual([])
  })

  it('hears from the frame of the server that a session goes on, and that it has ended', async () => {
    const { page } = await browser.open()
    const { id_token: hint = '', session_state: state = '' } = await logIn(page, 'one')
    expect(await asked(page, `one ${state}`)).toBe('unchanged')
    expect(await asked(page, `two ${state}`)).toBe('changed')
    expect(await asked(page, 'one')).toBe('error')
    await page.goto(`${lab.ready.urls.authorization}/end-session?id_token_hint=${hint}`)
    expect(await asked(page, `one ${state}`)).toBe('changed')
  })

  it('hears only changed where the browser keeps cookies of other sites away', async () => {
    const { page } = await strict.open()
    const { session_state: state = '' } = await logIn(page, 'one')
    expect(await asked(page, `one ${state}`)).toBe('changed')
  })
})
