import { programVersion } from '../protocol/version.js'
import { writeText } from '../session/output/writer.js'

/** Exit code after the signal that a terminal sends when it is gone: SIGHUP is number 1. */
const HUNG_UP = 129

/** True for an error that only means that nobody reads the output any more, as in `| head -1`. */
function readerLeft(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException
  return code === 'EPIPE' && syscall === 'write'
}

/** True for an error of a terminal that is gone. A broken disk is EIO too; errors of files have another message. */
function terminalLeft(error: unknown): boolean {
  return error instanceof Error && /^(?:read|setRawMode|write) EIO$/.test(error.message)
}

/** Ends the program at once when nobody is there any more to read its output: that is no bug. */
function endUnread(error: unknown): void {
  if (terminalLeft(error)) process.exit(HUNG_UP)
  if (readerLeft(error)) process.exit()
}

/** Ends the program at a signal, unless a command has its own way to end. */
function endAtSignals(): void {
  for (const [signal, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ] as const) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(128 + number)
    })
  }
}

async function fail(error: unknown): Promise<void> {
  const { reportError } = await import('./program/report-error.js')
  process.exitCode = await reportError(error)
}

/** Errors that no `await` sees. An error of stdout or stderr arrives here too. */
function endAtStrayErrors(): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      endUnread(error)
      fail(error).finally(() => process.exit())
    })
  }
}

async function parse(argv: readonly string[]): Promise<number | string | undefined> {
  const { runProgram } = await import('./program/program.js')
  return (await runProgram(argv, programVersion())) ?? process.exitCode
}

/** No command was typed: the menu where somebody sits at a terminal, else help. */
async function withoutCommand(argv: readonly string[]): Promise<number | string | undefined> {
  const { homeWanted } = await import('./program/global-options.js')
  const wanted = homeWanted(argv)
  if (wanted?.mode === 'tui') return (await import('./home.js')).home(wanted.options)
  if (wanted) return (await import('./home.js')).homeAloud(wanted.options)
  if (argv.length > 0) return parse(argv)
  const { rootHelp } = await import('./program/root-help.js')
  writeText(rootHelp())
  return process.exitCode
}

/** The program: reads the arguments, runs a command, turns every error into a message and an exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  endAtSignals()
  endAtStrayErrors()
  const [first = '', ...rest] = argv
  try {
    // What is typed most, or in loops, is answered without loading the parser.
    if (rest.length === 0 && ['--version', '-V'].includes(first)) writeText(`${programVersion()}\n`)
    else if (rest.length === 0 && ['--help', '-h', 'help'].includes(first)) {
      const { rootHelp } = await import('./program/root-help.js')
      writeText(rootHelp())
    } else if (first === 'jwt' && rest[0] === 'decode') {
      const { decodeQuickly } = await import('./jose/jwt-decode-quick.js')
      process.exitCode = (await decodeQuickly(rest.slice(1))) ?? (await parse(argv))
    } else if (first === '' || first.startsWith('--')) process.exitCode = await withoutCommand(argv)
    else process.exitCode = await parse(argv)
  } catch (error) {
    if (terminalLeft(error)) process.exit(HUNG_UP)
    await fail(error)
  }
}
