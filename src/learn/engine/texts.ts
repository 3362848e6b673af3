import type { Facts } from '../model.js'

export type FilledNames = Pick<Facts, 'client' | 'user' | 'lab' | 'hidden'>

/** Fills in `{client}`, `{user}`, `{lab}`, and the defences to find: `{hidden}`. */
export function fill(text: string, { hidden = [], ...names }: FilledNames): string {
  return text
    .replace('{hidden}', hidden.join(' '))
    .replace(/\{(client|user|lab)\}/g, (_, name: 'client' | 'user' | 'lab') => names[name])
}

/** Breaks a text between words. */
export function wrap(text: string, width = 76): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
