import { type DocumentName, splitRule } from '../../protocol/rules/documents.js'
import {
  type Deed,
  grouped,
  type RuleBook,
  type RuleEntry,
  type RulePlace,
} from '../../protocol/rules/entry.js'
import type { WeakMode } from '../../protocol/rules/weak-modes.js'
import { width, wrap } from './text/text.js'

/** A rule as people write it: plans name RFCs by their number alone. */
export function ruleName(rfc: string): string {
  return /^\d/.test(rfc) ? `RFC ${rfc}` : rfc
}

/** The address at which a rule can be read; undefined for a rule outside the RFCs. */
export function ruleAddress(rule: string): string | undefined {
  const [, number, section] = /^(?:RFC )?(\d{3,5})(?: §([\d.]+))?/.exec(rule) ?? []
  if (number === undefined) return undefined
  const anchor = section === undefined ? '' : `#section-${section.replace(/\.$/, '')}`
  return `https://www.rfc-editor.org/rfc/rfc${number}${anchor}`
}

const verbs: Readonly<Record<Deed, string>> = {
  enforced: 'enforced by',
  checked: 'checked by',
  followed: 'followed by',
  tried: 'tried by',
  examined: 'examined by',
  broken: 'broken by',
  attacked: 'attacked by',
  taught: 'taught by',
}

/** A place as text, such as `enforced by the authorization server: invalid_grant`. */
export function placeText({ does, by, names }: RulePlace): string {
  return `${verbs[does]} ${by}${names.length === 0 ? '' : `: ${names.join(', ')}`}`
}

/** The places of a rule as texts; one that says so for a rule that lives nowhere. */
export function placeTexts({ must, places, repeats, covered }: RuleEntry): string[] {
  const texts = places.map(placeText)
  if (!covered) return ['not covered by a check', ...texts]
  if (repeats !== undefined) texts.push(`kept with ${repeats}, which demands the same`)
  if (texts.length > 0) return texts
  return [must ? 'named, and kept by no check of its own' : 'an explanation, kept by no check']
}

/** A rule as lines: its section, its sentence, and the places where it lives. */
function entryLines(entry: RuleEntry, columns: number): string[] {
  const indented = (text: string, indent: string): string[] =>
    wrap(text, columns - indent.length - 2).map((line, i) => `${indent}${i === 0 ? '' : '  '}${line}`)
  return [
    `${entry.rule}${entry.must ? '  MUST' : ''}`,
    ...wrap(entry.sentence, columns - 2).map(line => `  ${line}`),
    ...placeTexts(entry).flatMap(text => indented(text, '    ')),
    '',
  ]
}

/** Counts rules, those with a MUST, and those that are not covered. */
function countRules(entries: readonly RuleEntry[]) {
  return {
    rules: entries.length,
    musts: entries.filter(({ must }) => must).length,
    uncovered: entries.filter(({ covered }) => !covered).length,
  }
}

const counted = (n: number, one: string) => `${n.toLocaleString('en')} ${one}${n === 1 ? '' : 's'}`

/** The last line of a list of rules. */
export function countLine(entries: readonly RuleEntry[]): string {
  const { rules, musts, uncovered } = countRules(entries)
  return `${counted(rules, 'rule')}, ${musts.toLocaleString('en')} with a MUST, ${uncovered} of them not covered`
}

/** Rules as text, with the count at the end. @param columns width of a line, at least 60 */
export function ruleLines(entries: readonly RuleEntry[], columns: number): string[] {
  return [...entries.flatMap(entry => entryLines(entry, columns)), countLine(entries)]
}

/** The rules of each document, in the order of the documents. */
export function byDocument(entries: readonly RuleEntry[]): ReadonlyMap<DocumentName, readonly RuleEntry[]> {
  return grouped(entries, ({ rule }) => splitRule(rule).document)
}

/** A table of the documents: rules, MUSTs and how many of those are not covered. @param columns width of a line, at least 60 */
export function documentLines({ documents, entries }: RuleBook, columns: number): string[] {
  const groups = [...byDocument(entries)]
  const named = groups.map(([name]) => name).filter(name => width(name) <= Math.max(columns - 60, 8))
  const first = Math.max(...named.map(width)) + 2
  const rows = groups.map(([name, own]) => {
    const { rules, musts, uncovered } = countRules(own)
    const numbers = `${String(rules).padStart(5)}${String(musts).padStart(6)}${String(uncovered || '·').padStart(13)}  `
    const [head = '', ...rest] = wrap(documents[name].title, Math.max(columns - first - numbers.length, 16))
    const before = width(name) >= first ? [name] : []
    const label = before.length > 0 ? ' '.repeat(first) : name.padEnd(first)
    return [
      ...before,
      `${label}${numbers}${head}`,
      ...rest.map(line => ' '.repeat(first + numbers.length) + line),
    ]
  })
  return [`${'document'.padEnd(first)}rules  MUST  not covered`, ...rows.flat(), '', countLine(entries)]
}

/** Weak modes as text: name and behaviour, then the gain of an attacker, then the rule, and an empty line after each. */
export function weakLines(modes: readonly WeakMode[], width: number): string[] {
  const columns = Math.max(...modes.map(({ name }) => name.length)) + 2
  const indent = ' '.repeat(columns)
  const labelled = (label: string, text: string): string[] =>
    wrap(text, Math.max(width - columns, 20)).map((line, i) => (i === 0 ? label : indent) + line)
  return modes.flatMap(({ name, at, rule, sentence, opens }) => [
    ...labelled(name.padEnd(columns), `the ${at.replace('-', ' ')} ${sentence}`),
    ...labelled(indent, opens),
    ...labelled(indent, `(${rule})`),
    '',
  ])
}
