import type { Check } from '../../../protocol/oauth/check.js'
import { makeSafe } from '../../../protocol/safe-output/safe.js'
import { fieldMeaning } from '../steps/field-meanings.js'
import { cutMiddle } from '../text/text.js'

/** Something that is read aloud: its sentences, and its details, a sentence a line. */
export interface SpokenItem {
  readonly say: string
  readonly details: readonly string[]
}

/** Longest value that is read, in characters. */
const LONGEST = 60

/** Returns a text as a sentence with one full stop. Foreign text is made safe. */
export function sentence(text: string): string {
  const safe = makeSafe(text)
  return /[.!?…]$/.test(safe) ? safe : `${safe}.`
}

/** A member of a message as a sentence: its name, its value, its meaning. Nobody listens to a long value. */
export function member(name: string, value: string): string {
  const meaning = fieldMeaning(name)
  return sentence(`${name}: ${cutMiddle(value, LONGEST, '…')}${meaning === '' ? '' : `, ${meaning}`}`)
}

/** A number with its unit: `1 check`, `2 checks`. */
export const count = (value: number, unit: string): string =>
  `${value.toLocaleString('en-US')} ${unit}${value === 1 ? '' : 's'}`

/** The checks as sentences: those that failed, or else the names of all that passed, without underscores. */
export function checkSentences(checks: readonly Check[]): string[] {
  const failed = checks.filter(({ ok }) => !ok)
  if (failed.length === 0) {
    const names = [...new Set(checks.map(({ name }) => name.replaceAll('_', ' ')))].join(', ')
    return checks.length === 0 ? [] : [sentence(`${count(checks.length, 'check')} passed: ${names}`)]
  }
  return failed.map(({ name, detail, rule, advice }) => {
    const what = advice ? `Check ${name}` : `Check ${name} failed`
    return `${sentence(`${what}${detail === undefined ? '' : `: ${detail}`}`)} ${sentence(`Rule: ${rule}`)}`
  })
}

/** A check as a sentence with its result and its rule. @param of the thing that is checked */
export function checkDetail({ name, ok, advice, rule, detail }: Check, of = ''): string {
  const result = ok ? 'passed' : advice ? 'is advice' : 'failed'
  return `${sentence(`Check ${name}${of} ${result}${detail === undefined ? '' : `: ${detail}`}`)} ${sentence(`Rule: ${rule}`)}`
}
