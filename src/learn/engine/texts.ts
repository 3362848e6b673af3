import { type LabUrls, LISTENERS } from '../../lab/listening/listeners.js'
import type { Facts, Places } from '../model.js'

export type FilledNames = Places & Pick<Facts, 'client' | 'user' | 'hidden'>

/** The places of a lab; those that it usually has where none runs. */
export function placesOf(urls: Partial<LabUrls> = {}): Places {
  const usual = (name: keyof typeof LISTENERS) => `https://localhost:${LISTENERS[name].port}`
  return {
    lab: urls.authorization ?? usual('authorization'),
    resource: urls.resource ?? usual('resource'),
    cluster: urls.cluster ?? usual('cluster'),
    dns: urls.dns ?? `${usual('dns')}/client/v4`,
  }
}

/** Fills in the names, the places of the lab, and the defences to find: `{hidden}`. */
export function fill(text: string, { hidden = [], ...names }: FilledNames): string {
  return text
    .replace('{hidden}', hidden.join(' '))
    .replace(/\{(client|user|lab|resource|cluster|dns)\}/g, (_, name: keyof typeof names) => names[name])
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
