import { createCookieJar } from '../../../src/client/cookies.js'
import { attribute, type Element, elements, pageTree, textBelow } from '../../../src/client/page-elements.js'
import { encodeForm } from '../../../src/protocol/http/form.js'
import {
  bytes,
  type HttpRequest,
  type HttpResponse,
  header,
  splitUrl,
  text,
} from '../../../src/protocol/http/message.js'
import type { Ask } from '../../support/ask.js'
import { FORM } from '../authorization-server/support.js'

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

/** The world of a browser. */
export interface Surroundings {
  readonly handle: Ask
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** True for an origin that a redirect is followed to. */
  readonly reaches: (origin: string) => boolean
  /** The origin of relative addresses. */
  readonly at?: string
}

/** Makes a browser without cookies. */
export function createBrowser({
  handle,
  now,
  reaches,
  at = 'https://localhost:8448',
}: Surroundings): Browser {
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
      if (!reaches(splitUrl(url).origin)) return shown(url, response)
      const next = await follow({ method: 'GET', url: target, headers: [], body: bytes('') })
      return fragment === '' ? next : { ...next, url: `${next.url}#${fragment}` }
    }
    return shown(request.url, response)
  }
  const get = (url: string) =>
    follow({ method: 'GET', url: new URL(url, at).href, headers: [], body: bytes('') })
  const post = (url: string, fields: Readonly<Record<string, string>>) =>
    follow({
      method: 'POST',
      url: new URL(url, at).href,
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
