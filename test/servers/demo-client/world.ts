import type { NewEvent } from '../../../src/protocol/events.js'
import type { Send } from '../../../src/protocol/http/exchange.js'
import { encodeForm } from '../../../src/protocol/http/form.js'
import { bytes, type HttpRequest, header, splitUrl, text } from '../../../src/protocol/http/message.js'
import type { Client } from '../../../src/protocol/oauth/client.js'
import { fixedKeyring } from '../../../src/protocol/tokens/keys.js'
import { createAuthorizationServer } from '../../../src/servers/authorization-server/server.js'
import type { AuthorizationServerSettings } from '../../../src/servers/authorization-server/settings.js'
import { type Defences, STRICT } from '../../../src/servers/demo-client/defences.js'
import { createDemoClient } from '../../../src/servers/demo-client/server.js'
import type { Issuer } from '../../../src/servers/demo-client/settings.js'
import { type Ask, recordingSite } from '../../support/ask.js'
import { client, countedRandom, FORM, ISSUER, settings, signingKey } from '../authorization-server/support.js'
import { type Browser, createBrowser, type Shown } from './browser.js'

export const SITE = 'https://localhost:8448'

export const demoWeb = client('demo-web', {
  client_secret: 'demo-web-secret',
  redirect_uris: [`${SITE}/callback`],
  post_logout_redirect_uris: [`${SITE}/logged-out`],
  grant_types: ['authorization_code'],
  response_types: ['code'],
  require_pkce: true,
})

const OWN: Issuer = {
  issuer: ISSUER,
  key: 'lab',
  clientId: 'demo-web',
  clientSecret: 'demo-web-secret',
  auth: 'client_secret_basic',
}

export interface WorldOptions {
  readonly defences?: Partial<Defences>
  readonly demoWeb?: Partial<Client>
  readonly server?: Partial<AuthorizationServerSettings>
  readonly issuers?: readonly Issuer[]
  /** Further servers by their origins. */
  readonly sites?: Readonly<Record<string, Ask>>
}

/** An authorization server, the demo client and browsers, without sockets. */
export function world(options: WorldOptions = {}) {
  const events: NewEvent[] = []
  const clock = { now: Date.UTC(2030, 0, 1) }
  const random = countedRandom()
  const now = () => clock.now
  const registered = { ...demoWeb, ...options.demoWeb }
  const server = createAuthorizationServer(
    {
      ...settings,
      ...options.server,
      clients: [...(options.server?.clients ?? settings.clients), registered],
    },
    {
      now,
      random,
      keyring: fixedKeyring(signingKey),
      clientCalls: {
        async post(url, form) {
          const request = { method: 'POST', url, headers: [FORM], body: bytes(encodeForm(form)) }
          const { status, body } = await handle(request)
          return { status, body: text(body) }
        },
        postJson: async () => ({ status: 204 }),
        pause: milliseconds => new Promise(done => setTimeout(done, milliseconds).unref()),
      },
    },
  )
  const sites = new Map<string, Ask>(Object.entries(options.sites ?? {}))
  const handle: Ask = request => {
    const site = sites.get(splitUrl(request.url).origin)
    if (site === undefined) throw new Error(`nobody is at ${request.url}`)
    return site(request)
  }
  const sent: HttpRequest[] = []
  const send: Send = async request => {
    sent.push(request)
    const { status, headers, body } = await handle(request)
    const { method, url } = request
    return {
      request: { method, url, headers: request.headers, body: text(request.body) },
      response: { status, headers, body: text(body) },
      wireBytes: { request: 0, response: 0 },
      bodyBytes: 0,
      ms: 0,
      at: new Date(now()).toISOString(),
    }
  }
  const demo = createDemoClient(
    {
      baseUrl: SITE,
      issuers: [OWN, ...(options.issuers ?? [])],
      defences: { ...STRICT, ...options.defences },
    },
    { now, random, sendFor: () => send },
  )
  sites.set(ISSUER, recordingSite(server, events).handle)
  sites.set(SITE, recordingSite(demo, events).handle)

  const browser = () => createBrowser({ handle, now, reaches: origin => sites.has(origin) })

  return { browser, events, clock, sent, handle, send, names: () => events.map(({ type }) => type) }
}

/** The first header of a page with this name. */
export const headerOf = (page: Pick<Shown, 'headers'>, name: string) => header(page, name)

/** Logs alice in, and returns the page with her notes. */
export async function notesOf(browser: Browser, username = 'alice', password = 'wonderland'): Promise<Shown> {
  return browser.logIn(await browser.get('/login'), username, password)
}

/** Logs in at the page of the authorization server. Returns the address of the answer, which the browser does not open. */
export async function answerOf(
  browser: Browser,
  login = '/login',
  username = 'alice',
  password = 'wonderland',
): Promise<URL> {
  const page = await browser.get(login)
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
  const body = bytes(encodeForm(Object.entries({ username, password, csrf })))
  const response = await browser.ask({ method: 'POST', url: page.url, headers: [FORM], body })
  return new URL(header(response, 'location') ?? 'none:')
}

/** The metadata of an authorization server at an origin. */
export const metadataAt = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  userinfo_endpoint: `${issuer}/userinfo`,
})
