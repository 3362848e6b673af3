import { foundationWords } from './foundations.js'
import { labWords } from './labs.js'
import { loginWords } from './login.js'
import { strongerWords } from './stronger.js'
import { tokenWords } from './tokens.js'
import type { Word } from './word.js'

/** Every word of the trade, in the order of the lessons that use them first. */
export const WORDS: readonly Word[] = [
  ...foundationWords,
  ...tokenWords,
  ...loginWords,
  ...strongerWords,
  ...labWords,
].sort((a, b) => a.lesson - b.lesson)

/** A word in a form that spelling does not matter for: lower case, with spaces for `_` and `-`. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[_\s-]+/g, ' ')
    .trim()

/** Every form of every word, as people may type it. */
export function wordForms(): readonly string[] {
  return WORDS.flatMap(({ term, also = [] }) => [term, ...also])
}

/** Returns the word of that name or other form; undefined for one that is not here. */
export function findWord(text: string): Word | undefined {
  const wanted = plain(text)
  return (
    WORDS.find(({ term }) => plain(term) === wanted) ??
    WORDS.find(({ also = [] }) => also.some(each => plain(each) === wanted))
  )
}
