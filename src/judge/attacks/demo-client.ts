import { checkFollow, redirectTarget, shownPage } from '../../client/page-visitor.js'
import type { StepName } from '../../flows/step.js'
import type { Steps } from '../../flows/walk.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { parseForm } from '../../protocol/http/form.js'
import { splitUrl } from '../../protocol/http/message.js'
import type { PlanRule } from '../../protocol/rules/rule.js'
import { onwardPage } from './attacker-pages.js'
import type { Browser, Origin } from './browser.js'
import type { Lane, Person, Scene } from './model.js'
import { authorize, type Landing, Stopped } from './moves.js'

/** The message by which a person starts a login at the demo client. */
export const CLIENT_LOGIN: Lane = ['user_agent', 'client', 'GET /login', '6749 §4.1']

/** The story of a login that alice starts at the demo client. */
export const HONEST_CLIENT_LOGIN = { honest_login: 'Alice starts a login at the demo client.' }

/** Base URL of the demo client. */
export function clientUrl({ urls }: Pick<Scene, 'urls'>): string {
  return urls.client!
}

/**
 * Logs a person in at the authorization server for the demo client. The answer is not yet taken to the client.
 * @param names of the steps: at the client, of the authorization request, of the login form
 * @throws Stopped, where no answer leads to the client
 */
export async function* startClientLogin(
  scene: Scene,
  who: Person,
  [start, ...names]: readonly [start: StepName, request: StepName, form: StepName],
): Steps<Required<Landing>> {
  const begun = await who.open(`${clientUrl(scene)}/login`)
  yield scene.step(start, { exchange: begun })
  const url = redirectTarget(begun)
  if (url === undefined) throw new Stopped(begun)
  const { exchange, target } = yield* authorize(scene, who, url, names)
  if (target === undefined) throw new Stopped(exchange)
  return { exchange, target }
}

/** Sends on what the page of a callback relays by a script, because it came in the fragment. */
async function relay(browser: Browser, target: string, page: Exchange): Promise<Exchange> {
  const fragment = target.split('#', 2)[1]
  const script = page.response?.status === 200 && /<script/i.test(page.response.body)
  return script && fragment ? browser.post(page.request.url, parseForm(fragment), page) : page
}

/** Opens the address of a callback, and sends on what its page relays from the fragment. */
async function deliver(browser: Browser, target: string, origin: Origin): Promise<Exchange> {
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

/** The attacker receives the answer to a delivered callback, and reads the notes where it logged them in. */
export async function* readNotes({ attacker, step }: Scene, injected: Exchange): Steps<Exchange> {
  yield step('injection', { exchange: injected })
  const notes = await shownBy(attacker, injected)
  if (notes !== injected) yield step('stolen_notes', { exchange: notes })
  return injected
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
export async function visitNotes(scene: Scene, who: Person): Promise<Exchange> {
  let page = await shownBy(who, await who.open(`${clientUrl(scene)}/login`))
  for (let forms = 0; forms < 3 && !showsNotes(page); forms++) {
    const { form, confirm } = shownPage(page)
    if (form) page = await shownBy(who, await who.logIn(form, who.account, page))
    else if (confirm) page = await shownBy(who, await who.press(confirm, page))
  }
  return page
}

/**
 * The last steps of an attack that logs the victim in as the attacker: her browser takes the attacker's answer to the
 * client, she writes a note, and the attacker reads it.
 * @param answer the address at the client, with the code of the attacker
 * @param note name of the step in which the victim writes
 */
export async function* enterWrongAccount(scene: Scene, answer: string, note: StepName): Steps<Exchange> {
  const { victim, attacker, step, secret, site } = scene
  site.serve('/bait', () => onwardPage('A rabbit', answer))
  const bait = await victim.open(`${site.url}/bait`)
  yield step('lure', { exchange: bait, note: 'the page goes on to the answer that belongs to the attacker' })
  const injected = await deliver(victim, answer, { from: bait })
  yield step('injection', { exchange: injected })
  const page = await shownBy(victim, injected)
  if (!showsNotes(page)) return injected

  const exchange = await writeNote(victim, page, `my new number is ${secret}`)
  yield step(note, {
    exchange,
    note: `alice writes a note, into the account of ${attacker.account.username}`,
  })
  await shownBy(victim, exchange)
  const notes = await visitNotes(scene, attacker)
  yield step('stolen_notes', { exchange: notes })
  return notes
}

/**
 * The story of those steps.
 * @param note name of the step in which the victim writes
 * @param check the reason why the client believes the answer, or must not
 */
export const wrongAccountStory = (note: StepName, check: string) => ({
  lure: 'Alice opens a page of the attacker, which goes on to the answer.',
  injection: check,
  [note]: 'Alice writes a note. She believes that the account is hers.',
  stolen_notes: 'The attacker opens their own account and reads what alice wrote.',
})

/** The messages of those steps. @param rule the section that describes the attack */
export const wrongAccountLanes = (note: StepName, rule: PlanRule): Readonly<Record<string, Lane>> => ({
  lure: ['user_agent', 'attacker', 'GET /bait', '9700 §4.7'],
  injection: ['user_agent', 'client', 'GET /callback', '6749 §10.12'],
  [note]: ['user_agent', 'client', 'POST /notes', '6749 §10.12'],
  stolen_notes: ['attacker', 'client', 'GET /notes', rule],
})
