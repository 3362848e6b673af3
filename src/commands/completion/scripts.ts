import type { Argument, Command, Option } from 'commander'
import { contentOf } from '../../learn/content.js'

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

/** A word that can be typed, and what it is. */
interface Word {
  readonly word: string
  readonly summary: string
}

/** The candidates for one place of a command line. `files`: any file. */
export interface WordList {
  /** The commands before it, and what is asked for: `flow code/--client`. */
  readonly place: string
  readonly words: readonly Word[]
  readonly files: boolean
}

/** Names that values of some kinds have: `client` for options such as `--client <name>`. */
type KnownNames = Readonly<Record<'client' | 'user' | 'move' | 'weak' | 'lesson' | 'tool', readonly string[]>>

const unset = { words: [], files: false } as const

const plain = (words: readonly string[]): Word[] => words.map(word => ({ word, summary: '' }))

/** The value's name, such as `file` of `--config <file>`. */
function valueName({ flags }: Option): string {
  return /[<[]([^>\]]+)/.exec(flags)?.[1] ?? ''
}

function valuesOf(option: Option, names: KnownNames): Pick<WordList, 'words' | 'files'> {
  // Shells split a word at its blanks, so a choice with a blank, such as a response type, is typed in quotes.
  if (option.argChoices)
    return { ...unset, words: plain(option.argChoices.filter(each => !each.includes(' '))) }
  if (option.long === '--client') return { ...unset, words: plain(names.client) }
  if (option.long === '--user') return { ...unset, words: plain(names.user) }
  if (option.long === '--weak') return { ...unset, words: plain(names.weak) }
  const value = valueName(option)
  if (value === 'move') return { ...unset, words: plain(names.move) }
  return { ...unset, files: /file|folder/.test(value) }
}

/** The names that an argument can have, by its own name. */
function namedBy(argument: Argument, { lesson, tool }: KnownNames): readonly string[] {
  return argument.name() === 'lesson' ? lesson : argument.name() === 'tool' ? tool : []
}

function argumentsOf(args: readonly Argument[], names: KnownNames): Pick<WordList, 'words' | 'files'> {
  return {
    words: plain(args.flatMap(each => each.argChoices ?? namedBy(each, names))),
    files: args.some(each => /file/.test(each.name())),
  }
}

/** One line, without what stands in brackets at its end. */
const brief = (text: string): string =>
  text
    .replace(/ [[(].*$/, '')
    .replace(/\s+/g, ' ')
    .trim()

const flagsOf = ({ short, long }: Option): string[] => [short, long].filter(flag => flag !== undefined)

/**
 * Everything that can be typed after a program's name.
 * @param everywhere flags of the options that every command has: they stand at the program alone
 */
export function wordLists(program: Command, names: KnownNames): WordList[] {
  const everywhere = new Set(program.options.flatMap(flagsOf))
  const help = { flags: '-h, --help', description: 'help' }

  const below = (command: Command, path: readonly string[]): WordList[] => {
    const at = path.join(' ')
    const own = command.options.filter(
      option => !option.hidden && (path.length === 0 || !flagsOf(option).every(flag => everywhere.has(flag))),
    )
    const words = own.flatMap(option =>
      flagsOf(option).map(word => ({ word, summary: brief(option.description) })),
    )
    const helps = path.length === 0 ? help.flags.split(', ') : []
    const valued = own.filter(option => option.required || option.optional)
    const commands = command.commands.map(each => ({ word: each.name(), summary: summaryOf(each) }))
    const found: WordList[] = [
      { ...unset, place: `${at}/commands`, words: commands },
      {
        ...unset,
        place: `${at}/options`,
        words: [...words, ...helps.map(word => ({ word, summary: help.description }))],
      },
      { ...unset, place: `${at}/valued`, words: plain(valued.flatMap(flagsOf)) },
      { place: `${at}/arguments`, ...argumentsOf(command.registeredArguments, names) },
      ...valued.flatMap(option =>
        flagsOf(option).map(flag => ({ place: `${at}/${flag}`, ...valuesOf(option, names) })),
      ),
    ]
    return [
      ...found.filter(each => each.words.length > 0 || each.files),
      ...command.commands.flatMap(each => below(each, [...path, each.name()])),
    ]
  }
  return below(program, [])
}

/** The summary of a command, after the group that it is in; commands below others are in none. */
function summaryOf(command: Command): string {
  const summary = brief(command.summary() || command.description())
  const group = command.helpGroup()
  return group ? `${group}: ${summary}` : summary
}
