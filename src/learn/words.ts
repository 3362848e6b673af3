import type { Rule } from '../protocol/rules/rule.js'
import { contentOf } from './content.js'

/** Explained to somebody who has never met the word. */
export interface Word {
  readonly term: string
  /** Abbreviations, names on the wire. */
  readonly also?: readonly string[]
  /** A definition, and what it is for or why it matters. */
  readonly explanation: readonly [first: string, second: string]
  /** The section that defines it, or says most about it. */
  readonly rule: Rule
  readonly lesson: number
}

/** In the order of the lessons that use them first. */
export const readWords = async (): Promise<readonly Word[]> =>
  (await contentOf('words')).words as readonly Word[]

/** Lower case, with spaces for `_` and `-`. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[_\s-]+/g, ' ')
    .trim()

export const wordForms = (words: readonly Word[]): readonly string[] =>
  words.flatMap(({ term, also = [] }) => [term, ...also])

/** By name or other form. */
export function findWord(words: readonly Word[], text: string): Word | undefined {
  const wanted = plain(text)
  return (
    words.find(({ term }) => plain(term) === wanted) ??
    words.find(({ also = [] }) => also.some(each => plain(each) === wanted))
  )
}
