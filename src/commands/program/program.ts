import { Command, CommanderError } from 'commander'
import { UsageError } from '../../protocol/errors.js'
import { nearest } from '../../protocol/nearest.js'
import { commandList } from '../command-list.js'
import { writeHelp } from '../output/output.js'
import { parserOf } from './command.js'
import { EXIT } from './exit.js'
import { globalOptions } from './global-options.js'
import { wordHints } from './other-words.js'
import { rootHelp, wholeRootHelp } from './root-help.js'

/** Beside --help: every option and every example. */
const ALL = '--all'

/** Makes the parser throw its errors, and keep its help, by stream. */
function withOurOutput(command: Command, help: Record<'stdout' | 'stderr', string>): void {
  command.exitOverride().configureOutput({
    outputError: () => {},
    writeOut: text => (help.stdout += text),
    writeErr: text => (help.stderr += text),
  })
  for (const each of command.commands) withOurOutput(each, help)
}

/** The command that was typed: the first word that is one, and no value of an option. */
function wordOf(argv: readonly string[]): string | undefined {
  const takesValue = (word: string | undefined) =>
    globalOptions.some(([flags]) => flags.startsWith(`${word} <`))
  return argv.find((word, i) => commandList.some(({ name }) => name === word) && !takesValue(argv[i - 1]))
}

async function createProgram(
  version: string,
  loads: (command: string) => boolean,
  all: boolean,
): Promise<Command> {
  const program = new Command('oauth-lab').version(version, '--version')
  for (const [flags, meaning] of globalOptions) program.option(flags, meaning)
  program.helpInformation = () => (all ? wholeRootHelp() : rootHelp())
  for (const { name, summary, group, load } of commandList) {
    const parser = loads(name) ? parserOf(await load(), all).summary(summary) : new Command(name)
    program.addCommand(parser.helpGroup(group))
  }
  program.addCommand(loads('help') ? (await import('./help.js')).helpCommand() : new Command('help'))
  return program
}

/** The program with all of its commands loaded, for completion and for documents. */
export const wholeProgram = (version = ''): Promise<Command> => createProgram(version, () => true, true)

/** The command that the arguments name, with all of its parents. */
function typedCommand(program: Command, argv: readonly string[]): Command[] {
  const path = [program]
  for (const word of argv) {
    const below = path.at(-1)?.commands.find(each => each.name() === word || each.aliases().includes(word))
    if (below) path.push(below)
  }
  return path
}

/** Options that do not exist because every user of the machine can read a command line, with the ways to hand the secret over. */
const secretOptions: Readonly<Record<string, string>> = {
  '--client-secret':
    'Every user of this computer can read a command line. Give the secret by:  --client-secret-file FILE, --client-secret-stdin or OAUTH_LAB_CLIENT_SECRET',
  '--password':
    'Every user of this computer can read a command line. Give the password by:  --user NAME --password-stdin',
}

function helpOf(path: readonly Command[]): string {
  return `${path.map(each => each.name()).join(' ')} --help`
}

/** The error for an option that would hold a secret; undefined for other problems. The message leaves its value out. */
function secretOnCommandLine(problem: string, path: readonly Command[]): UsageError | undefined {
  const option = /^unknown option '(--[\w-]+)/.exec(problem)?.[1] ?? ''
  const hint = Object.hasOwn(secretOptions, option) ? secretOptions[option] : undefined
  const takes = path.some(({ options }) => options.some(({ long }) => long === `${option}-stdin`))
  if (hint === undefined || !takes) return undefined
  return new UsageError(`unknown option '${option}'`, [hint, `See:  ${helpOf(path)}`])
}

/** A problem that the parser reports, as a UsageError. */
function usageError(error: CommanderError, program: Command, argv: readonly string[]): UsageError {
  const [first = '', ...more] = error.message.replace(/^error: /, '').split('\n')
  const misspelt = /^unknown command '(.*)'$/.exec(first)?.[1]
  // The words behind an unknown command are its arguments.
  const known = misspelt === undefined ? argv.length : argv.indexOf(misspelt)
  const path = typedCommand(program, argv.slice(0, known))
  const secret = secretOnCommandLine(first, path)
  if (secret) return secret
  const here = path.at(-1)!
  const word =
    misspelt ??
    // A command that works without one of those below it takes the word for too many.
    (here.commands.length > 0 && /^too many arguments/.test(first) ? here.args[0] : undefined)
  if (word !== undefined)
    return new UsageError(`unknown command '${word}'`, [...wordHints(word, here), `See:  ${helpOf(path)}`])
  const hints = more.map(each => each.replace(/^\((.*)\)$/, '$1')).filter(each => each !== '')
  const [, given = '', choices] =
    /(?:argument|value) '([^']*)' is invalid.* Allowed choices are (.*)\.$/.exec(first) ?? []
  const [, option, assigned] = /^unknown option '(--[\w-]+)(=?)/.exec(first) ?? []
  if (here.registeredArguments.some(each => `--${each.name()}` === option)) {
    const typed = [...path.map(each => each.name()), option?.slice(2).toUpperCase()].join(' ')
    return new UsageError(first, [`It is no option but an argument:  ${typed}`, `See:  ${helpOf(path)}`])
  }
  const options = path.flatMap(each => each.options.flatMap(({ long }) => long ?? []))
  const near =
    option !== undefined && assigned
      ? nearest(option, options)
      : choices && nearest(given, choices.split(', '))
  if (near !== undefined && hints.length === 0) hints.push(`Did you mean ${near}?`)
  // A token may begin so. The message above already names it.
  if (/^unknown option '-[^-'][^']{7}/.test(first))
    hints.push('A value that begins with - goes last, after  --')
  return new UsageError(first, [...hints, `See:  ${helpOf(path)}`])
}

/**
 * Writes -V as --version. As a short option of the program, the parser would find it at the start of a value of any
 * command too, such as the id of a token: -Vx3.
 */
function withLongVersion(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--')
  return argv.map((each, i) => (each === '-V' && (end < 0 || i < end) ? '--version' : each))
}

/**
 * Parses the arguments and runs the command they name.
 * @returns the exit code where the parser itself ended it: help, version, a command group without subcommand
 * @throws UsageError for what cannot be parsed, and whatever the command throws
 */
export async function runProgram(argv: readonly string[], version: string): Promise<number | undefined> {
  const word = wordOf(argv)
  const isTyped = (name: string) => name === word || (name === 'help' && argv.includes(name))
  // The script for a shell needs every command.
  const program = await (word === 'completion'
    ? wholeProgram(version)
    : createProgram(version, isTyped, argv.includes(ALL)))
  const help = { stdout: '', stderr: '' }
  withOurOutput(program, help)
  try {
    await program.parseAsync(withLongVersion(argv), { from: 'user' })
    return undefined
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    for (const to of ['stdout', 'stderr'] as const) if (help[to] !== '') await writeHelp(help[to], to)
    if (error.exitCode === 0) return EXIT.done
    if (error.code === 'commander.help') return EXIT.usage
    throw usageError(error, program, argv)
  }
}
