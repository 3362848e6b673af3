import { asciiWanted } from '../output/output-mode.js'
import { decodeToken } from './jwt-decode.js'

const understood = new Set(['--json', '--ascii', '--no-color', '--show-secrets'])

/**
 * `jwt decode` with nothing but a token and switches, without the argument parser: loading it takes longer than
 * decoding.
 * @param args what follows `jwt decode`
 * @returns the exit code; undefined for arguments that need the parser
 */
export async function decodeQuickly(args: readonly string[]): Promise<number | undefined> {
  const words = args.filter(arg => arg === '-' || !arg.startsWith('-'))
  const switches = args.filter(arg => !words.includes(arg))
  if (words.length > 1 || !switches.every(each => understood.has(each))) return undefined
  return decodeToken(words[0], {}, { json: switches.includes('--json'), ascii: asciiWanted() })
}
