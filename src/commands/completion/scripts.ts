import { contentOf } from '../../learn/content.js'
import type { Word, WordList } from './word-lists.js'

/** The way in which a shell writes the words of a place. */
interface Shell {
  /** A word in single quotes. */
  readonly quoted: (text: string) => string
  /** A word with its meaning, before it is quoted; left out: the shell shows no meanings. */
  readonly entry?: (word: string, summary: string) => string
  readonly line: (place: string, entries: readonly string[]) => string
}

/** Files are offered where a list has this word. */
const FILES = '@files'

const posixQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
const behindTab = (word: string, summary: string): string => `${word}\t${summary}`

const shells = {
  bash: {
    quoted: posixQuoted,
    line: (place, entries) => `    ${place}) REPLY=${posixQuoted(entries.join(' '))} ;;`,
  },
  zsh: {
    quoted: posixQuoted,
    entry: (word, summary) => `${word}:${summary.replaceAll(':', '\\:')}`,
    line: (place, entries) => `    ${place}) reply=(${entries.join(' ')}) ;;`,
  },
  fish: {
    quoted: text => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
    entry: behindTab,
    line: (place, entries) => `    case ${place}\n      printf '%s\\n' ${entries.join(' ')}`,
  },
  powershell: {
    quoted: text => `'${text.replace(/['‘’‚‛]/g, '$&$&')}'`,
    entry: behindTab,
    line: (place, entries) =>
      `  ${place} = @(${entries.map(each => (each === FILES ? `'${FILES}'` : each)).join(', ')})`,
  },
} as const satisfies Readonly<Record<string, Shell>>

export type ShellName = keyof typeof shells

/** Returns the completion script of a shell: its template in `content/completion`, with the words of every place. */
export async function completionScript(name: ShellName, lists: readonly WordList[]): Promise<string> {
  const { quoted, entry, line }: Shell = shells[name]
  const templates = (await contentOf('completion')) as Readonly<
    Record<ShellName, { readonly script: string }>
  >
  const entryOf = ({ word, summary }: Word): string =>
    entry === undefined ? word : quoted(summary === '' ? word : entry(word, summary))
  const lines = lists.map(({ place, words, files }) =>
    line(quoted(place), [...words.map(entryOf), ...(files ? [FILES] : [])]),
  )
  return templates[name].script.replace('{{lists}}', () => lines.join('\n'))
}
