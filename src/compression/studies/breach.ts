import { TransportError, UsageError } from '../../errors.js'
import { encodeForm } from '../../http/form.js'
import { bytes, header, text } from '../../http/message.js'
import type { Coding } from '../../http/negotiation.js'
import type { Ask } from '../client/ask.js'
import { encode } from '../codings.js'

// BREACH: a page that holds a secret and echoes a part of the request gets shorter, once compressed, the more of the secret the echo
// repeats. An observer sees lengths from outside, with TLS or without.

/** A guess of the secret, and the weight of the page with its echo. */
export interface WeighedGuess {
  readonly guess: string
  readonly right: boolean
  /** Of the coded body; the median of several pages. */
  readonly bytes: number
}

/** All guesses at one kind of page. */
export interface WeighedGuesses {
  readonly guesses: readonly WeighedGuess[]
  /** Bytes by which the right guess is shorter than the shortest wrong one. */
  readonly gap: number
  readonly givesAway: boolean
}

/** Guesses of a csrf value at a page where the value stays the same, and at one where it is masked. */
export interface BreachStudy {
  readonly url: string
  readonly coding: Coding
  readonly fixed: WeighedGuesses
  readonly masked: WeighedGuesses
}

const FIELD = /(<input type="hidden" name="csrf" value=")([^"]*)(">)/

/** Returns the csrf value of a page. */
export function csrfOf(page: string): string | undefined {
  return FIELD.exec(page)?.[2]
}

/** Returns the page with another csrf value. */
export function withCsrf(page: string, value: string): string {
  return page.replace(FIELD, (_, before, _value, after) => before + value + after)
}

/** Returns the page as it would be if it echoed a parameter of the request that holds a guess. */
export function echoing(page: string, guess: string): string {
  return page.replace(
    '</form>',
    `<input type="hidden" name="state" value="csrf&quot; value=&quot;${guess}"></form>`,
  )
}

/** Wrong guesses of the same form: each character of the value moved along its alphabet, so that none stays in its place. */
export function wrongGuesses(value: string, count: number): string[] {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return Array.from({ length: count }, (_, n) =>
    [...value].map((each, i) => alphabet[(alphabet.indexOf(each) + 7 * (n + 1) + 5 * i) % 64]).join(''),
  )
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Differences up to this many bytes come from the other parts of a page that change. */
const NOISE = 8

/**
 * Weighs the page with each guess echoed.
 * @param page returns a new page each time
 * @param options.pages how many pages to weigh for each guess
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

/** The members of a registered client that decide if it can show a login page. */
interface CodeClient {
  readonly client_id: string
  readonly enabled: boolean
  readonly response_types: readonly string[]
  readonly redirect_uris: readonly string[]
}

/**
 * Returns the path of an authorization request of the first client that can send one. Its login page is open to everybody.
 * @throws UsageError
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

/** Wrong guesses beside the right one, and pages for each guess. */
const WRONG = 6
const PAGES = 5

/**
 * Guesses the csrf value of a login page by the length of the compressed page.
 * @throws TransportError, TimeoutError
 */
export async function studyBreach(url: string, coding: Coding, ask: Ask): Promise<BreachStudy> {
  const first = await ask(url, { offer: null, once: true })
  const page = text(first.content)
  const value = csrfOf(page)
  const cookie = header(first, 'set-cookie')?.split(';', 1)[0]
  if (!value || cookie === undefined) {
    throw new TransportError(
      `${new URL(url).origin} shows no login page with a csrf value (HTTP ${first.status})`,
      'EBADMSG',
    )
  }
  // The cookie makes it the same browser each time: the value behind the mask stays the same.
  const again = async () =>
    text((await ask(url, { offer: null, headers: [['Cookie', cookie]], once: true })).content)
  const guesses = { right: value, wrong: wrongGuesses(value, WRONG), coding }
  return {
    url,
    coding,
    fixed: await weighGuesses(async () => withCsrf(page, value), { ...guesses, pages: 1 }),
    masked: await weighGuesses(again, { ...guesses, pages: PAGES }),
  }
}
