import { PROXY_MODES, type ProxyMode } from '../../compression/proxy/modes.js'
import { nearest } from '../../lab/nearest.js'
import { makeSafe } from '../../render/text.js'

/** Longest line that is read. */
const MAX_LINE = 200

/** The mode that a line names, alone or behind the word mode; else what is wrong, in words. Nothing for an empty line. */
export function readModeLine(
  line: string,
): { readonly mode: ProxyMode } | { readonly wrong: string } | undefined {
  const word = line.trim().replace(/^mode\s+/i, '')
  if (word === '') return undefined
  const mode = PROXY_MODES.find(each => each === word)
  if (mode !== undefined) return { mode }
  const near = nearest(word, PROXY_MODES)
  const shown = JSON.stringify(makeSafe(word.slice(0, 40)))
  return {
    wrong: `no mode ${shown}; there are ${PROXY_MODES.join(', ')}${near ? `. Did you mean ${near}?` : ''}`,
  }
}

/**
 * Reads modes from stdin, one a line, as long as it is open. On a terminal nothing is read: a program in the background would be
 * stopped by it.
 * @returns a function that ends it
 */
export function watchModeLines(take: (mode: ProxyMode) => void, tell: (wrong: string) => void): () => void {
  const { stdin } = process
  if (stdin.isTTY) return () => {}
  let rest = ''
  const data = (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!.slice(-MAX_LINE)
    for (const line of lines) {
      const read = readModeLine(line.slice(0, MAX_LINE))
      if (read === undefined) continue
      if ('mode' in read) take(read.mode)
      else tell(read.wrong)
    }
  }
  stdin.setEncoding('utf8').on('data', data)
  // What cannot be read gives no modes.
  stdin.on('error', () => {})
  return () => {
    stdin.off('data', data).destroy()
  }
}
