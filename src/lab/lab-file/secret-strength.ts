/** Usual sets of characters with their sizes. */
const ALPHABETS: readonly (readonly [pattern: RegExp, size: number])[] = [
  [/^[0-9]*$/, 10],
  [/^[0-9a-f]*$/, 16],
  [/^[0-9A-F]*$/, 16],
  [/^[a-z]*$/, 26],
  [/^[A-Z]*$/, 26],
  [/^[0-9a-z]*$/, 36],
  [/^[0-9A-Z]*$/, 36],
  [/^[0-9A-Za-z]*$/, 62],
  [/^[0-9A-Za-z+/=_-]*$/, 64],
]

/** Printable ASCII characters. */
const PRINTABLE = 95

const WORD_BITS = 2

/** Words that people put into secrets. */
const COMMON = /secret|password|passwd|client|demo|test|admin|example|change|default|oauth|token|lab/gi

/** Letters of one case, so long that they are rather a word than chance. */
const WORD = /[A-Z]?[a-z]{3,}|[A-Z]{4,}/g

/** Estimates the entropy in bits: repeats, runs and words count little. It cannot know how a secret was made. */
export function likelyEntropy(secret: string): number {
  const withoutWords = secret.replace(COMMON, '')
  const words = isMadeOfWords(withoutWords) ? (withoutWords.match(WORD) ?? []).join('') : ''
  const rest = words === '' ? withoutWords : withoutWords.replace(WORD, '')
  const size = ALPHABETS.find(([pattern]) => pattern.test(rest))?.[1] ?? PRINTABLE
  return novelCharacters(rest) * Math.log2(size) + novelCharacters(words) * WORD_BITS
}

/** Random texts of letters in one case, such as Base32, have digits. */
function isMadeOfWords(text: string): boolean {
  const letters = text.replace(/[^A-Za-z]/g, '')
  return !/\d/.test(text) && (text.match(WORD) ?? []).join('').length >= letters.length * 0.8
}

/** Shorter runs and repetitions are put down to chance. */
const RUN = 4

/** Characters that neither continue a run, such as `aaaa` or `4321`, nor end a repetition. */
function novelCharacters(text: string): number {
  let novel = 0
  for (let end = 1; end <= text.length; end++) {
    const last = end < RUN ? '' : text.slice(end - RUN, end)
    const repeats = last !== '' && text.slice(0, end - 1).includes(last)
    if (!repeats && !isRun(last)) novel++
  }
  return novel
}

/** The same distance between neighbours: -1, 0 or 1. */
function isRun(text: string): boolean {
  if (text === '') return false
  const steps = Array.from({ length: RUN - 1 }, (_, i) => text.charCodeAt(i + 1) - text.charCodeAt(i))
  return Math.abs(steps[0]!) <= 1 && steps.every(step => step === steps[0])
}
