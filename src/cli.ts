import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { caCommand } from './commands/ca.js'
import { configCommand } from './commands/config.js'
import { withGlobals } from './commands/globals.js'
import { serveCommand } from './commands/serve.js'
import { EXIT, UsageError } from './errors.js'

const examples = `
Examples:
  oauth-lab flow code --client demo     step through the authorization code flow
  oauth-lab serve                       start the authorization server on https://localhost:8443
  oauth-lab ca env                      make other programs trust it

Exit codes: 0 done, 1 refused, 2 usage, 3 transport, 70 a bug, 124 timeout, 130 interrupted, 143 terminated
`

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** Errors of the parser are thrown, so that they are reported like all others. */
function throwErrors(command: Command): void {
  command.exitOverride().configureOutput({ outputError: () => {} })
  for (const each of command.commands) throwErrors(each)
}

function createProgram(): Command {
  const program = new Command('oauth-lab')
    .description('A strict OAuth 2.0 authorization server, a client and a terminal view of both sides')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', examples)
    .addCommand(serveCommand())
    .addCommand(caCommand())
    .addCommand(configCommand())
  withGlobals(program)
  throwErrors(program)
  return program
}

/** What the parser found wrong, as an error of ours; undefined where it only printed help or the version. */
function usageError(error: CommanderError, argv: readonly string[]): UsageError | undefined {
  if (error.exitCode === 0) return undefined
  const [first = '', ...hints] = error.message.replace(/^error: /, '').split('\n')
  const command = argv.find(each => !each.startsWith('-'))
  const help = `oauth-lab ${command === undefined || first.includes('command') ? '' : `${command} `}--help`
  return new UsageError(
    first,
    [...hints.map(each => each.replace(/^\((.*)\)$/, '$1')), `See:  ${help}`].filter(each => each !== ''),
  )
}

/** A reader that went away, as in `| head -1`, ends the program quietly. */
function endQuietlyWithoutReader(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit()
    throw error
  })
}

/** Ends the program at a signal, unless a command has its own way to end. */
function endAtSignals(): void {
  for (const [signal, code] of [
    ['SIGINT', EXIT.interrupted],
    ['SIGTERM', EXIT.terminated],
  ] as const) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(code)
    })
  }
}

async function fail(error: unknown): Promise<void> {
  const { reportError } = await import('./commands/report-error.js')
  process.exitCode = await reportError(error)
}

/** The program: reads the arguments, runs a command, turns every error into a message and an exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  endQuietlyWithoutReader(process.stdout)
  endQuietlyWithoutReader(process.stderr)
  endAtSignals()
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      fail(error).finally(() => process.exit())
    })
  }
  const program = createProgram()
  try {
    if (argv.length === 0) program.outputHelp()
    else await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) return fail(error)
    // A command group without its subcommand has printed its help.
    if (error.code === 'commander.help') process.exitCode = EXIT.usage
    else {
      const usage = usageError(error, argv)
      if (usage) await fail(usage)
    }
  }
}
