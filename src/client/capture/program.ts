import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { fileProblem } from '../../protocol/errors.js'
import { SOCKET_VARIABLE } from './wire.js'

type Environment = Readonly<Record<string, string | undefined>>

/** Signals that a program gets when this process does. */
const PASSED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const

/** Signals that a terminal sends to every process in its foreground: the program has its own already. */
const OF_TERMINAL: ReadonlySet<string> = new Set(['SIGINT', 'SIGQUIT'])

/** The codes of a shell for a program that is not there, and for one that cannot be started. */
const NOT_FOUND = 127
const NOT_STARTED = 126

/** The file of the hook, beside the built program. */
export const hookFile = fileURLToPath(new URL('../../../dist/record-hook.cjs', import.meta.url))

/** A word of NODE_OPTIONS, which are split at spaces outside of double quotes. */
function optionWord(word: string): string {
  return /[\s"\\]/.test(word) ? `"${word.replace(/["\\]/g, '\\$&')}"` : word
}

/**
 * The environment of a recorded program: Node loads the hook into it, and into its child processes. It is loaded by `--require` and
 * not by `--import`: with `--import`, Node reads the program itself by the loader of modules, which refuses files that a
 * loader of CommonJS such as ts-node takes.
 */
export function recordedEnvironment(env: Environment, address: string, hook = hookFile): Environment {
  const before = env.NODE_OPTIONS?.trim()
  const option = `--require=${optionWord(hook)}`
  return {
    ...env,
    NODE_OPTIONS: before ? `${before} ${option}` : option,
    [SOCKET_VARIABLE]: address,
  }
}

/** A recorded program. */
export interface RecordedProgram {
  /** The exit code, as a shell has it: 128 and the number of the signal for a program that a signal ended. */
  readonly ended: Promise<number>
  readonly stop: () => void
}

/** The exit code of a program that did not start, with the reason. */
export class NotStarted extends Error {
  override name = 'NotStarted'
  constructor(
    readonly program: string,
    readonly code: string,
  ) {
    super(`cannot start ${program}: ${fileProblem({ code }, 'there is no such program')}`)
  }

  get exitCode(): number {
    return this.code === 'ENOENT' ? NOT_FOUND : NOT_STARTED
  }
}

const exitCodeOf = (code: number | null, signal: NodeJS.Signals | null): number =>
  code ?? 128 + (signal === null ? 0 : constants.signals[signal])

/** True when a terminal controls this process. Signals of its keys reach the program without help. */
const hasTerminal = (): boolean => [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)

/** Passes signals on to a program. Returns the function that stops that. */
function passSignals(child: ChildProcess): () => void {
  const handlers = PASSED.map(signal => {
    const pass = () => {
      if (!(OF_TERMINAL.has(signal) && hasTerminal())) child.kill(signal)
    }
    process.on(signal, pass)
    return () => process.off(signal, pass)
  })
  return () => {
    for (const stop of handlers) stop()
  }
}

/**
 * Starts a program with the streams of this process.
 * @throws NotStarted
 */
export async function startRecorded(
  [program = '', ...args]: readonly string[],
  env: Environment,
): Promise<RecordedProgram> {
  const child = spawn(program, args, { stdio: 'inherit', env })
  const release = passSignals(child)
  const ended = new Promise<number>(resolve => {
    child.once('exit', (code, signal) => {
      release()
      resolve(exitCodeOf(code, signal))
    })
  })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (error: NodeJS.ErrnoException) => {
      release()
      reject(new NotStarted(program, error.code ?? error.name))
    })
  })
  // An error of a later signal, to a program that is gone.
  child.on('error', () => {})
  return { ended, stop: () => child.kill('SIGTERM') }
}
