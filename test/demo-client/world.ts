import { createAuthorizationServer } from '../../src/authorization-server/server.js'
import type { AuthorizationServerSettings } from '../../src/authorization-server/settings.js'
import { createCookieJar } from '../../src/client/cookies.js'
import { attribute, type Element, elements, pageTree, textBelow } from '../../src/client/page-elements.js'
import { type Defences, STRICT } from '../../src/demo-client/defences.js'
import type { Issuer } from '../../src/demo-client/issuer.js'
import { createDemoClient } from '../../src/demo-client/server.js'
import type { NewEvent } from '../../src/events/event.js'
import type { Send } from '../../src/http/exchange.js'
import { encodeForm } from '../../src/http/form.js'
import {
  bytes,
  type Header,
  type HttpRequest,
  type HttpResponse,
  header,
  splitUrl,
  text,
} from '../../src/http/message.js'
import type { Client } from '../../src/oauth/client.js'
import { fixedKeyring } from '../../src/tokens/keyring.js'
import { client, countedRandom, FORM, ISSUER, settings, signingKey } from '../authorization-server/support.js'
import { type Ask, recordingSite } from '../support/ask.js'

export const SITE = 'https://localhost:8448'

export const demoWeb = client('demo-web', {
  client_secret: 'demo-web-secret',
  redirect_uris: [`${SITE}/callback`],
  post_logout_redirect_uris: [`${SITE}/logged-out`],
  grant_types: ['authorization_code'],
  response_types: ['code'],
  require_pkce: true,
})

export const OWN: Issuer = {
  issuer: ISSUER,
  key: 'lab',
  clientId: 'demo-web',
  clientSecret: 'demo-web-secret',
  auth: 'client_secret_basic',
}

/** A page as a browser shows it. */
export interface Shown {
  readonly url: string
  readonly status: number
  readonly body: string
  readonly headers: HttpResponse['headers']
  /** The text of the page. */
  readonly text: string
}

/** A browser with a cookie jar of its own. */
export interface Browser {
  /** Follows redirects within the world. A redirect to another place is where it stops. */
  get(url: string): Promise<Shown>
  post(url: string, fields: Readonly<Record<string, string>>): Promise<Shown>
  /** Sends the first form of a page whose action ends so, with its hidden fields. */
  submit(page: Shown, action: string, fields?: Readonly<Record<string, string>>): Promise<Shown>
  /** Sends one request, and follows nothing. */
  ask(request: HttpRequest): Promise<HttpResponse>
  /** Logs in at the login page of the authorization server. */
  logIn(page: Shown, username: string, password: string): Promise<Shown>
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
    { now, random, keyring: fixedKeyring(signingKey) },
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

  function browser(): Browser {
    const jar = createCookieJar(now)
    const ask = async (request: HttpRequest): Promise<HttpResponse> => {
      const response = await handle({ ...request, headers: [...request.headers, ...jar.header(request.url)] })
      jar.store(request.url, response)
      return response
    }
    async function follow(request: HttpRequest): Promise<Shown> {
      const response = await ask(request)
      const location = header(response, 'location')
      if (location !== undefined) {
        const url = new URL(location, request.url).href
        // A fragment stays in the browser.
        const [target = url, fragment = ''] = url.split('#')
        if (!sites.has(splitUrl(url).origin)) return shown(url, response)
        const next = await follow({ method: 'GET', url: target, headers: [], body: bytes('') })
        return fragment === '' ? next : { ...next, url: `${next.url}#${fragment}` }
      }
      return shown(request.url, response)
    }
    const get = (url: string) =>
      follow({ method: 'GET', url: new URL(url, SITE).href, headers: [], body: bytes('') })
    const post = (url: string, fields: Readonly<Record<string, string>>) =>
      follow({
        method: 'POST',
        url: new URL(url, SITE).href,
        headers: [FORM],
        body: bytes(encodeForm(Object.entries(fields))),
      })
    const submit: Browser['submit'] = (page, action, fields = {}) => {
      const form = formOf(page, action)
      const target = new URL(attribute(form, 'action') ?? '', page.url).href
      const all = { ...hiddenOf(form), ...fields }
      if (attribute(form, 'method') === 'post') return post(target, all)
      return get(`${target}?${encodeForm(Object.entries(all))}`)
    }
    return {
      get,
      post,
      submit,
      ask,
      logIn: (page, username, password) => submit(page, '', { username, password }),
    }
  }

  return { browser, events, clock, sent, handle, send, names: () => events.map(({ type }) => type) }
}

function shown(url: string, { status, body, headers }: HttpResponse): Shown {
  const markup = text(body)
  return { url, status, body: markup, headers, text: textBelow(pageTree(markup)) }
}

function formOf({ body, url }: Shown, action: string): Element {
  const forms = [...elements(pageTree(body))].filter(({ tagName }) => tagName === 'form')
  const found = forms.find(each => (attribute(each, 'action') ?? '').split('?', 1)[0]!.endsWith(action))
  if (found === undefined) throw new Error(`no form ${action} at ${url}: ${body}`)
  return found
}

function hiddenOf(form: Element): Record<string, string> {
  const inputs = [...elements(form)].filter(each => attribute(each, 'type') === 'hidden')
  return Object.fromEntries(
    inputs.map(each => [attribute(each, 'name') ?? '', attribute(each, 'value') ?? '']),
  )
}

/** The first header of a page with this name. */
export const headerOf = (page: Pick<Shown, 'headers'>, name: string) => header(page, name)

/** Logs alice in, and returns the page with her notes. */
export async function notesOf(browser: Browser, username = 'alice', password = 'wonderland'): Promise<Shown> {
  return browser.logIn(await browser.get('/login'), username, password)
}

/** Headers of a form that a browser posts. */
export const formHeaders: readonly Header[] = [FORM]
