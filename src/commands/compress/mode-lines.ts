import { PROXY_MODES, type ProxyMode } from '../../compression/proxy/modes.js'
import { nearest } from '../../lab/nearest.js'
import { makeSafe } from '../../render/text.js'

/** Longest line that is read, in characters. */
const MAX_LINE = 200

/** Reads the mode of a line, alone or after the word `mode`; else says what is wrong with the line. Undefined for an empty line. */
function readModeLine(line: string): { readonly mode: ProxyMode } | { readonly wrong: string } | undefined {
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
 * Reads modes from stdin, one a line, until stdin ends. A terminal is not read: the system would stop a program in the background that
 * reads from one.
 * @returns a function that stops reading
 */
export function watchModeLines(take: (mode: ProxyMode) => void, report: (wrong: string) => void): () => void {
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
      else report(read.wrong)
    }
  }
  stdin.setEncoding('utf8').on('data', data)
  // An unreadable stdin gives no modes; the proxy goes on.
  stdin.on('error', () => {})
  return () => {
    stdin.off('data', data).destroy()
  }
}
