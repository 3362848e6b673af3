import { TransportError, UsageError } from '../../../protocol/errors.js'
import { encodeForm } from '../../../protocol/http/form.js'
import { bytes, header, text } from '../../../protocol/http/message.js'
import type { Coding } from '../../../protocol/http/negotiation.js'
import type { Ask, Weighed } from '../client/ask.js'
import { encode } from '../compress-response.js'
import { median } from './budget.js'

// BREACH: a page holds a secret and echoes a part of the request. The more of the secret the echo repeats, the shorter the
// compressed page is. An observer of the connection sees this length, even with TLS.

/** A guess of the secret, and the size of the page that echoes it. */
export interface WeighedGuess {
  readonly guess: string
  readonly right: boolean
  /** Coded body bytes, the median of several pages. */
  readonly bytes: number
}

/** The guesses at one kind of page. */
export interface WeighedGuesses {
  readonly guesses: readonly WeighedGuess[]
  /** Bytes by which the right guess is shorter than the shortest wrong one. */
  readonly gap: number
  readonly givesAway: boolean
}

/** Guesses of a csrf value: at a page with the same value each time, and at a page with a masked value. */
export interface BreachStudy {
  readonly url: string
  readonly coding: Coding
  readonly fixed: WeighedGuesses
  readonly masked: WeighedGuesses
}

const FIELD = /(<input type="?hidden"? name="?csrf"? value="?)([^">]*)("?>)/

/** Returns the csrf value of a page. */
export function csrfOf(page: string): string | undefined {
  return FIELD.exec(page)?.[2]
}

/** Returns the page with another csrf value. */
export function withCsrf(page: string, value: string): string {
  return page.replace(FIELD, (_, before, _value, after) => before + value + after)
}

/** Returns the page with a guess in an echoed parameter. */
export function echoing(page: string, guess: string): string {
  return page.replace(
    '</form>',
    `<input type="hidden" name="state" value="csrf&quot; value=&quot;${guess}"></form>`,
  )
}

/** Makes wrong guesses of the same length: each character of the value is replaced with another one of its alphabet. */
export function wrongGuesses(value: string, count: number): string[] {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return Array.from({ length: count }, (_, n) =>
    [...value].map((each, i) => alphabet[(alphabet.indexOf(each) + 7 * (n + 1) + 5 * i) % 64]).join(''),
  )
}

/** The largest difference, in bytes, that other changing parts of a page can cause. */
const NOISE = 8

/**
 * Measures the compressed page with each guess in it.
 * @param page returns a new page each time
 * @param options.pages number of pages to measure for each guess
 */
export async function weighGuesses(
  page: () => Promise<string>,
  { right, wrong, coding, pages }: { right: string; wrong: readonly string[]; coding: Coding; pages: number },
): Promise<WeighedGuesses> {
  const guesses: WeighedGuess[] = []
  for (const guess of [right, ...wrong]) {
    const sizes: number[] = []
    for (let i = 0; i < pages; i++) {
      sizes.push((await encode(coding, bytes(echoing(await page(), guess)))).length)
    }
    guesses.push({ guess, right: guess === right, bytes: median(sizes) })
  }
  const least = (isRight: boolean) =>
    Math.min(...guesses.filter(each => each.right === isRight).map(each => each.bytes))
  const gap = least(false) - least(true)
  return { guesses, gap, givesAway: gap > NOISE }
}

/** The members of a registered client that decide if it can use the code flow. */
interface CodeClient {
  readonly client_id: string
  readonly enabled: boolean
  readonly response_types: readonly string[]
  readonly redirect_uris: readonly string[]
}

/**
 * Returns the path of an authorization request of the first client that can use the code flow. Its login page needs no
 * credentials.
 * @throws UsageError when no client can use the code flow
 */
export function loginPath(clients: readonly CodeClient[]): string {
  const client = clients.find(
    each => each.enabled && each.response_types.includes('code') && each.redirect_uris.length > 0,
  )
  if (client === undefined) throw new UsageError('the lab file has no client that can use the code flow')
  const query = encodeForm([
    ['response_type', 'code'],
    ['client_id', client.client_id],
    ['redirect_uri', client.redirect_uris[0]],
    ['state', 'a-state'],
    ['code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
    ['code_challenge_method', 'S256'],
  ])
  return `/authorization?${query}`
}

const textOf = ({ content, body }: Weighed): string => text(content ?? body)

/** Number of wrong guesses, and of masked pages for each guess. */
const WRONG = 6
const PAGES = 5

/**
 * Guesses the csrf value of a login page by the length of the compressed page.
 * @throws TransportError, TimeoutError
 */
export async function studyBreach(url: string, coding: Coding, ask: Ask): Promise<BreachStudy> {
  const first = await ask(url, { offer: null })
  const page = textOf(first)
  const value = csrfOf(page)
  const cookie = header(first, 'set-cookie')?.split(';', 1)[0]
  if (!value || cookie === undefined) {
    throw new TransportError(
      `${new URL(url).origin} shows no login page with a csrf value (HTTP ${first.status})`,
      'EBADMSG',
    )
  }
  // With the same cookie, the value behind the mask stays the same.
  const again = async () => textOf(await ask(url, { offer: null, headers: [['Cookie', cookie]] }))
  const guesses = { right: value, wrong: wrongGuesses(value, WRONG), coding }
  return {
    url,
    coding,
    fixed: await weighGuesses(async () => withCsrf(page, value), { ...guesses, pages: 1 }),
    masked: await weighGuesses(again, { ...guesses, pages: PAGES }),
  }
}
