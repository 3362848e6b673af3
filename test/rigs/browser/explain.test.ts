import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jsonLines, runProgram } from '../../support/program.js'
import { chromiumNames, describeWith, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'
import { openChromium, type TrustingBrowser } from './chromium.js'

// Recordings of a real browser, right and with mistakes: of the page, or of what stands between browser and server.

const html = '<!doctype html><html lang="en"><title>Application</title><link rel="icon" href="data:,">'

async function serveApplication(): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const script = pathname === '/page.js'
    response.setHeader('content-type', script ? 'text/javascript' : 'text/html')
    response.end(
      script
        ? readFileSync(join(import.meta.dirname, 'page-mistakes.js'))
        : `${html}<script type="module" src="/page.js"></script>`,
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** Changes the address that the login leads back to. */
const callback = (change: (url: URL) => void) => async (route: Route) => {
  const response = await route.fetch({ maxRedirects: 0 })
  const { location, ...headers } = response.headers()
  if (location === undefined) return route.fulfill({ response })
  const url = new URL(location)
  change(url)
  await route.fulfill({ response, headers: { ...headers, location: url.href } })
}

type Tokens = Record<string, string | number>

/** Changes the answer of the token endpoint. */
const tokens =
  (change: (tokens: Tokens) => void, headers: Record<string, string> = {}) =>
  async (route: Route) => {
    const response = await route.fetch()
    const json = (await response.json()) as Tokens
    change(json)
    await route.fulfill({ response, json, headers: { ...response.headers(), ...headers } })
  }

/** Changes claims of the ID token, whose signature does not hold any more. */
const claims = (change: (claims: Record<string, unknown>) => void) =>
  tokens(all => {
    const [header, payload, signature] = String(all.id_token).split('.')
    const inside = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()) as Record<string, unknown>
    change(inside)
    all.id_token = `${header}.${Buffer.from(JSON.stringify(inside)).toString('base64url')}.${signature}`
  })

const inPage = ['verifier', 'no-verifier', 'redirect', 'secret', 'twice', 'url'] as const

/** Mistakes of the page, by their names in its address. */
const ofPage: Readonly<Record<(typeof inPage)[number], string>> = {
  verifier: 'verifier-differs',
  'no-verifier': 'verifier-missing',
  redirect: 'redirect-uri-differs',
  secret: 'secret-in-page',
  twice: 'code-reused',
  url: 'token-in-url',
}

const login = /\/authorization\?/
const token = /\/token$/

/** Mistakes on the way: the finding, the address, and the change. */
const onTheWay: ReadonlyArray<
  readonly [finding: string, address: RegExp, change: (route: Route) => Promise<void>]
> = [
  ['state-missing', login, callback(url => url.searchParams.delete('state'))],
  ['state-differs', login, callback(url => url.searchParams.set('state', 'other'))],
  ['iss-missing', login, callback(url => url.searchParams.delete('iss'))],
  ['iss-differs', login, callback(url => url.searchParams.set('iss', 'https://evil.example'))],
  [
    'code-differs',
    token,
    async route =>
      route.continue({ postData: (route.request().postData() ?? '').replace(/code=[^&]+/, 'code=other') }),
  ],
  ['token-cacheable', token, tokens(() => {}, { 'cache-control': 'public' })],
  ['id-token-missing', token, tokens(all => delete all.id_token)],
  ['nonce-differs', token, claims(each => Object.assign(each, { nonce: 'other' }))],
  ['audience-differs', token, claims(each => Object.assign(each, { aud: 'other' }))],
  ['issuer-differs', token, claims(each => Object.assign(each, { iss: `${String(each.iss)}/` }))],
  [
    'milliseconds',
    token,
    claims(each => Object.assign(each, { exp: Number(each.exp) * 1000, iat: Number(each.iat) * 1000 })),
  ],
  [
    'expired-on-arrival',
    token,
    claims(each => Object.assign(each, { exp: Number(each.exp) - 90_000, iat: Number(each.iat) - 90_000 })),
  ],
  ['server-error', token, async route => route.fulfill({ status: 503 })],
  ['no-answer', token, async route => route.abort()],
]

describeWith([rigs, chromiumNames.join('|'), 'certutil'], 'recordings of Chromium', () => {
  let lab: Serving
  let browser: TrustingBrowser
  let application: Server
  let count = 0
  beforeAll(async () => {
    lab = await serve()
    browser = await openChromium(lab.ready.ca)
    application = await serveApplication()
  })
  afterAll(async () => {
    application?.close()
    await browser?.close()
    await lab?.remove()
  })

  /** Logs in, records it, and returns the names of the findings. */
  async function findings(mistake: string, prepare: (page: Page) => Promise<unknown> = async () => {}) {
    count += 1
    const har = join(lab.env.HOME ?? '', `login-${count}.har`)
    const { page } = await browser.open(har)
    await prepare(page)
    const origin = `http://127.0.0.1:${(application.address() as AddressInfo).port}`
    const issuer = encodeURIComponent(lab.ready.urls.authorization)
    await page.goto(`${origin}/?issuer=${issuer}&client=demo-spa&mistake=${mistake}`)
    await page.waitForURL(/\/authorization\?/)
    await page.getByLabel(/user/i).fill('alice')
    await page.getByLabel(/password/i).fill('wonderland')
    await page.getByRole('button').first().click()
    await page.locator('output').waitFor()
    await page.context().close()
    const clean = `${har}.clean`
    const named = async (file: string, ...more: string[]) => {
      const { stdout, stderr } = await runProgram(['explain', file, '--json', ...more], { env: lab.env })
      const lines = jsonLines(stdout)
      if (lines.length === 0) throw new Error(stderr)
      return lines.filter(({ type }) => type === 'finding').map(({ name }) => name)
    }
    const found = await named(har, '--redact', '-o', clean)
    expect(await named(clean)).toEqual(found)
    expect(readFileSync(clean, 'utf8')).not.toContain('wonderland')
    return found
  }

  it('a right login has no finding', async () => {
    expect(await findings('none')).toEqual([])
  })

  it.each(inPage)('the mistake of a page: %s', async mistake => {
    expect(await findings(mistake)).toEqual([ofPage[mistake]])
  })

  it.each(onTheWay)('%s, on the way', async (finding, address, change) => {
    expect(await findings('none', page => page.route(address, change))).toEqual([finding])
  })
})
