import { contentOf } from '../../learn/content.js'
import { wrap } from '../../learn/engine/texts.js'
import { builtInLessons } from '../../learn/lesson-list.js'
import { UsageError } from '../../protocol/errors.js'
import { nearest } from '../../protocol/nearest.js'
import type { Rule } from '../../protocol/rules/rule.js'
import { print, printJson, terminalColumns } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import type { LearnFlags } from './context.js'

/** Explained to somebody who has never met the word. */
interface Word {
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

/** Widest text, in columns. */
const WIDTH = 76

/** A word as lines: its forms, its explanation, its rule and its lesson. */
async function wordLines({ term, also = [], explanation, rule, lesson }: Word): Promise<string[]> {
  const lessons = await builtInLessons()
  const taught = lessons.find(({ name }) => Number(name.slice(0, 2)) === lesson)
  return [
    also.length === 0 ? term : `${term} (also: ${also.join(', ')})`,
    '',
    ...wrap(explanation.join(' '), Math.min(WIDTH, (terminalColumns() ?? WIDTH + 1) - 1)),
    '',
    `Rule: ${rule}`,
    ...(taught ? [`First used in:  oauth-lab learn start ${taught.name}`] : []),
  ]
}

/** Every word, with the lesson that uses it first. */
function listLines(all: readonly Word[]): string[] {
  const width = Math.max(...all.map(({ term }) => term.length))
  return [
    ...all.map(({ term, lesson }) => `${term.padEnd(width)}  lesson ${lesson}`),
    '',
    'One of them:  oauth-lab learn word nonce',
  ]
}

/** `oauth-lab learn word`. @throws UsageError for a word that is not explained, with the nearest one */
export async function runWord(words: readonly string[], _: LearnFlags, globals: Globals): Promise<number> {
  const all = await readWords()
  const text = words.join(' ')
  if (text.trim() === '') {
    if (globals.json) for (const word of all) printJson(word)
    else print(...listLines(all))
    return EXIT.done
  }
  const word = findWord(all, text)
  if (word === undefined) {
    const near = nearest(text, wordForms(all))
    throw new UsageError(`no word ${JSON.stringify(text)} is explained here`, [
      ...(near === undefined ? [] : [`Did you mean ${near}?`]),
      'All words:  oauth-lab learn word',
    ])
  }
  if (globals.json) printJson(word)
  else print(...(await wordLines(word)))
  return EXIT.done
}
