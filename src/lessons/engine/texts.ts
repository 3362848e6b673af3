import type { Facts } from '../model.js'

/** Puts the client, the user and the lab of a learner into a text: `{client}`, `{user}`, `{lab}`. */
export function fill(text: string, names: Pick<Facts, 'client' | 'user' | 'lab'>): string {
  return text.replace(/\{(client|user|lab)\}/g, (_, name: 'client' | 'user' | 'lab') => names[name])
}

/** Breaks a text into lines of at most `width` characters, between words. */
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
