import { Command, CommanderError } from 'commander'
import { UsageError } from '../errors.js'
import { nearest } from '../lab/nearest.js'
import { commandList } from './command-list.js'
import { EXIT } from './exit.js'
import { withGlobals } from './globals.js'
import { worded } from './output.js'
import { rootHelp } from './root-help.js'

/** Makes the parser throw its errors, and write its help as all output is written. */
function withOurOutput(command: Command): void {
  command
    .exitOverride()
    .configureOutput({ outputError: () => {}, writeOut: text => process.stdout.write(worded(text)) })
  for (const each of command.commands) withOurOutput(each)
}

async function createProgram(argv: readonly string[], version: string): Promise<Command> {
  const program = withGlobals(new Command('oauth-lab').version(version, '-V, --version'))
  program.helpInformation = rootHelp
  // The script for a shell needs every command.
  const all = argv.includes('completion')
  for (const { name, summary, load } of commandList) {
    const loaded = all || argv.includes(name)
    program.addCommand(loaded ? (await load()).summary(summary) : new Command(name))
  }
  program.addCommand(
    all || argv.includes('help') ? (await import('./help.js')).helpCommand() : new Command('help'),
  )
  withOurOutput(program)
  return program
}

/** The program with all of its commands loaded, for completion and for documents. */
export function wholeProgram(version = ''): Promise<Command> {
  return createProgram([...commandList.map(({ name }) => name), 'help'], version)
}

/** The command that the arguments name, with all of its parents. */
function typedCommand(program: Command, argv: readonly string[]): Command[] {
  const path = [program]
  for (const word of argv) {
    const below = path.at(-1)?.commands.find(each => each.name() === word || each.aliases().includes(word))
    if (below) path.push(below)
  }
  return path
}

/** A problem that the parser reports, as a UsageError. */
function usageError(error: CommanderError, program: Command, argv: readonly string[]): UsageError {
  const [first = '', ...more] = error.message.replace(/^error: /, '').split('\n')
  const path = typedCommand(program, argv)
  const help = `${path.map(each => each.name()).join(' ')} --help`
  const hints = more.map(each => each.replace(/^\((.*)\)$/, '$1')).filter(each => each !== '')
  const [, given = '', choices] =
    /(?:argument|value) '([^']*)' is invalid.* Allowed choices are (.*)\.$/.exec(first) ?? []
  const option = /^unknown option '(--[^=]+)=/.exec(first)?.[1]
  const options = path.flatMap(each => each.options.flatMap(({ long }) => long ?? []))
  const near =
    option === undefined ? choices && nearest(given, choices.split(', ')) : nearest(option, options)
  if (near !== undefined && hints.length === 0) hints.push(`Did you mean ${near}?`)
  return new UsageError(first, [...hints, `See:  ${help}`])
}

/**
 * Parses the arguments and runs the command they name.
 * @returns the exit code where the parser itself ended it: help, version, a command group without subcommand
 * @throws UsageError for what cannot be parsed, and whatever the command throws
 */
export async function runProgram(argv: readonly string[], version: string): Promise<number | undefined> {
  const program = await createProgram(argv, version)
  try {
    await program.parseAsync(argv, { from: 'user' })
    return undefined
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return EXIT.done
    if (error.code === 'commander.help') return EXIT.usage
    throw usageError(error, program, argv)
  }
}
