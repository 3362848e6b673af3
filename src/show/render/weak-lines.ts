import type { WeakMode } from '../../protocol/rules/weak-modes.js'
import { wrap } from './text/text.js'

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
