import { checkFollow, redirectTarget, shownPage } from '../../client/page-visitor.js'
import type { Step, StepName } from '../../flows/step.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { type FormPairs, parseForm } from '../../protocol/http/form.js'
import { splitUrl } from '../../protocol/http/message.js'
import type { Account, Browser, Origin } from './browser.js'
import { authorize, type Landing } from './moves.js'
import type { Scene } from './scene.js'

/** Base URL of the demo client. */
export function clientUrl({ urls }: Pick<Scene, 'urls'>): string {
  return urls.client!
}

/** A login at the demo client. */
export interface ClientLogin {
  readonly browser: Browser
  readonly account: Account
  /** Names of steps: at the client, of the authorization request, of the login form. */
  readonly names: readonly [start: StepName, request: StepName, form: StepName]
  /** Query of the address that starts the login. */
  readonly query?: string
}

/** Logs a person in at the authorization server for the demo client. The answer is not yet taken to the client. */
export async function* startClientLogin(
  scene: Scene,
  { browser, account, names: [start, ...names], query = '' }: ClientLogin,
): AsyncGenerator<Step, Landing, void> {
  const begun = await browser.open(`${clientUrl(scene)}/login${query}`)
  yield scene.step(start, { exchange: begun })
  const url = redirectTarget(begun)
  if (url === undefined) return { exchange: begun }
  return yield* authorize(scene, url, { browser, account, names })
}

/** The parameters that the page of a callback sends on by a script, because they came in the fragment. */
function relayed(target: string, page: Exchange): FormPairs | undefined {
  const fragment = target.split('#', 2)[1]
  const script = page.response?.status === 200 && /<script/i.test(page.response.body)
  return script && fragment ? parseForm(fragment) : undefined
}

/** Sends on what the page of a callback relays from the fragment. */
async function relay(browser: Browser, target: string, page: Exchange): Promise<Exchange> {
  const parameters = relayed(target, page)
  return parameters ? browser.post(page.request.url, parameters, page) : page
}

/** Opens the address of a callback, and sends on what its page relays from the fragment. */
export async function deliver(browser: Browser, target: string, origin?: Origin): Promise<Exchange> {
  return relay(browser, target, await browser.open(target, origin))
}

/** Follows a redirect, and sends on what its page relays from the fragment. Returns undefined without a redirect. */
export async function followed(browser: Browser, exchange: Exchange): Promise<Exchange | undefined> {
  const target = redirectTarget(exchange)
  return target === undefined ? undefined : relay(browser, target, (await browser.follow(exchange))!)
}

/** Follows redirects until a page is shown. */
export async function shownBy(browser: Browser, first: Exchange): Promise<Exchange> {
  let exchange = first
  for (let hops = 0; ; hops++) {
    const target = redirectTarget(exchange)
    if (target === undefined) return exchange
    checkFollow(target, hops)
    exchange = (await followed(browser, exchange))!
  }
}

/** True when the answer is the page with the notes of a person. */
export function showsNotes({ request, response }: Exchange): boolean {
  return response?.status === 200 && splitUrl(request.url).path === '/notes'
}

/** The address of the form for a new note. */
const NEW_NOTE = /action="([^"]*\/notes(?:\?[^"]*)?)"/

const CSRF_VALUE = /name="?csrf"? value="?([\w-]+)/

/** Writes a note on the page of notes, and returns the answer to its form. */
export async function writeNote(browser: Browser, page: Exchange, text: string): Promise<Exchange> {
  const body = page.response?.body ?? ''
  const action = NEW_NOTE.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? '/notes'
  const fields = [
    ['text', text],
    ['csrf', CSRF_VALUE.exec(body)?.[1] ?? ''],
  ] as const
  return browser.post(new URL(action, page.request.url).href, fields, page, { typed: text })
}

/** Logs a person in at the demo client and follows every redirect, as a person who notices nothing. */
export async function visitNotes(scene: Scene, browser: Browser, account: Account): Promise<Exchange> {
  let page = await shownBy(browser, await browser.open(`${clientUrl(scene)}/login`))
  for (let forms = 0; forms < 3 && !showsNotes(page); forms++) {
    const { form, confirm } = shownPage(page)
    if (form) page = await shownBy(browser, await browser.logIn(form, account, page))
    else if (confirm) page = await shownBy(browser, await browser.press(confirm, page))
  }
  return page
}
