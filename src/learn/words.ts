import type { Rule } from '../protocol/rules/rule.js'
import { contentOf } from './content.js'

/** A word of the trade, explained to somebody who has never met it. */
export interface Word {
  readonly term: string
  /** Other forms under which people meet it: abbreviations, names on the wire. */
  readonly also?: readonly string[]
  /** Two sentences: what it is, and what it is for or why it matters. */
  readonly explanation: readonly [first: string, second: string]
  /** The section that defines it, or that says most about it. */
  readonly rule: Rule
  /** The number of the lesson that uses it first. */
  readonly lesson: number
}

/** Every word of the trade, in the order of the lessons that use them first. */
export const readWords = async (): Promise<readonly Word[]> =>
  (await contentOf('words')).words as readonly Word[]

/** A word in a form that spelling does not matter for: lower case, with spaces for `_` and `-`. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[_\s-]+/g, ' ')
    .trim()

/** Every form of every word, as people may type it. */
export const wordForms = (words: readonly Word[]): readonly string[] =>
  words.flatMap(({ term, also = [] }) => [term, ...also])

/** Returns the word of that name or other form; undefined for one that is not here. */
export function findWord(words: readonly Word[], text: string): Word | undefined {
  const wanted = plain(text)
  return (
    words.find(({ term }) => plain(term) === wanted) ??
    words.find(({ also = [] }) => also.some(each => plain(each) === wanted))
  )
}
