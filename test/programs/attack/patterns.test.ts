import { parseSync } from 'rolldown/utils'
import { describe, expect, it } from 'vitest'
import { type Node, nodesOf } from '../../docs/declarations.js'
import { filesBelow, read } from '../../support/source-files.js'

/** A part of a pattern that matches one thing, and how often it may. */
interface Atom {
  readonly text: string
  /** `*`, `{2,5}`, `+?`, or empty. */
  readonly times: string
}

const oneAtom = /(?:\\[pP]\{[^}]*\}|\\x..|\\u\{[^}]*\}|\\u....|\\c.|\\k<[^>]*>|\\.|\[(?:\\.|[^\]\\])*\]|.)/sy
const someTimes = /(?:[*+?]|\{\d*,?\d*\})\??/y

/** The alternatives of a pattern, each a list of its atoms. A group is one atom. */
function alternatives(pattern: string): Atom[][] {
  const all: Atom[][] = [[]]
  let at = 0
  const take = (expression: RegExp): string => {
    expression.lastIndex = at
    const found = expression.exec(pattern)?.[0] ?? ''
    at += found.length
    return found
  }
  while (at < pattern.length) {
    let text = take(oneAtom)
    for (let depth = text === '(' ? 1 : 0; depth > 0; ) {
      const inner = take(oneAtom)
      if (inner === '(') depth += 1
      if (inner === ')') depth -= 1
      text += inner
    }
    if (text === '|') all.push([])
    else all.at(-1)!.push({ text, times: take(someTimes) })
  }
  return all
}

const endless = ({ times }: Atom): boolean => /^(?:[*+]|\{\d+,\})/.test(times)

/** Atoms that match a blank, and so share one with `\s`. */
const blanks = /^(?:\.|\\s|\\S|\[\^|\(\.\*|\(\[\\s\\S\]|\[\\s\\S\]|\[ |\[\\t| )/

/** Why a pattern may take time that grows with the square of its input; undefined when it does not. */
function quadratic(pattern: string, flags: string): string | undefined {
  for (const atoms of alternatives(pattern)) {
    const [first] = atoms
    if (!flags.includes('y') && first && endless(first) && atoms.length > 1) {
      return `a search begins with ${first.text}${first.times}: it starts again at every character of a run`
    }
    for (const [i, atom] of atoms.entries()) {
      const next = atoms[i + 1]
      const anything = /^\(?(?:\.|\[\\s\\S\])[*+]\??\)?$/.test(atom.text + atom.times)
      if (next && anything && endless(next) && blanks.test(next.text)) {
        return `${atom.text}${atom.times} and ${next.text}${next.times} share a run of blanks`
      }
    }
  }
  return undefined
}

function findingsIn(file: string): string[] {
  const code = read(file)
  const { program } = parseSync(file, code)
  return [...nodesOf(program as unknown as Node)].flatMap(node => {
    const { regex } = node as { readonly regex?: { readonly pattern: string; readonly flags: string } }
    const why = regex && quadratic(regex.pattern, regex.flags)
    if (why === undefined) return []
    return [`${file}:${code.slice(0, node.start).split('\n').length} /${regex?.pattern}/: ${why}`]
  })
}

describe('patterns of the source', () => {
  it('take time in proportion to their input; src/trim.ts trims', () => {
    const sources = filesBelow('src').filter(file => /\.tsx?$/.test(file))
    expect(sources.flatMap(findingsIn)).toEqual([])
  })

  it.each([
    ['\\s*$', true],
    ['^[ \\t]+|[ \\t]+$', true],
    [' +$', true],
    ['\\s+\\S*,', true],
    ['a|\\d+-', true],
    ['^(.*?)\\s*(?:x=(\\S*))?$', true],
    ['^.*\\s+$', true],
    ['^\\s*x', false],
    ['^\\s+|x', false],
    ['\\s+', false],
    ['(?<![\\d.])[\\d.]+ ms$', false],
    ['a\\s*$', false],
    ['[+*]$', false],
    ['\\([)]*x', false],
  ])('/%s/ is slow: %j', (pattern, slow) => {
    expect(quadratic(pattern, '') !== undefined).toBe(slow)
  })
})
