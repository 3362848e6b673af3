import { bytes } from '../http/message.js'
import type { Coding } from '../http/negotiation.js'
import { encode } from './codings.js'

// BREACH: a page that holds a secret and echoes what somebody else put into the request gets shorter, once compressed, the more of the
// secret the echo repeats. Lengths are seen from outside, TLS or not.

/** A guess of the secret, and what the page with its echo weighs. */
export interface WeighedGuess {
  readonly guess: string
  readonly right: boolean
  /** Of the coded body; the middle of several pages. */
  readonly bytes: number
}

const FIELD = /(<input type="hidden" name="csrf" value=")([^"]*)(">)/

/** The csrf value of a page. */
export function csrfOf(page: string): string | undefined {
  return FIELD.exec(page)?.[2]
}

/** The page with another csrf value. */
export function withCsrf(page: string, value: string): string {
  return page.replace(FIELD, (_, before, _value, after) => before + value + after)
}

/** The page as it would be if it echoed a parameter of the request, with a guess in it. */
export function echoing(page: string, guess: string): string {
  return page.replace(
    '</form>',
    `<input type="hidden" name="state" value="csrf&quot; value=&quot;${guess}"></form>`,
  )
}

/** Wrong guesses of the same form: the value turned by some places of its alphabet, so that nothing of it is left in its place. */
export function wrongGuesses(value: string, count: number): string[] {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return Array.from({ length: count }, (_, n) =>
    [...value].map((each, i) => alphabet[(alphabet.indexOf(each) + 7 * (n + 1) + 5 * i) % 64]).join(''),
  )
}

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/**
 * Weighs the page with each guess echoed.
 * @param page gives the page, anew each time; the same each time where nothing masks it
 * @param pages how many pages for each guess
 */
export async function weighGuesses(
  page: () => Promise<string>,
  { right, wrong, coding, pages }: { right: string; wrong: readonly string[]; coding: Coding; pages: number },
): Promise<WeighedGuess[]> {
  const weighed: WeighedGuess[] = []
  for (const guess of [right, ...wrong]) {
    const sizes: number[] = []
    for (let i = 0; i < pages; i++) {
      sizes.push((await encode(coding, bytes(echoing(await page(), guess)))).length)
    }
    weighed.push({ guess, right: guess === right, bytes: middle(sizes) })
  }
  return weighed
}

/** Differences up to this many bytes come from what else changes on a page. */
const NOISE = 8

/** By how many bytes the right guess is shorter than the shortest wrong one, and whether that gives it away. */
export function gapOf(guesses: readonly WeighedGuess[]): {
  readonly gap: number
  readonly givesAway: boolean
} {
  const least = (right: boolean) =>
    Math.min(...guesses.filter(each => each.right === right).map(each => each.bytes))
  const gap = least(false) - least(true)
  return { gap, givesAway: gap > NOISE }
}
