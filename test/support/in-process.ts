import { Readable } from 'node:stream'
import { runProgram } from '../../src/commands/program/program.js'
import { reportError } from '../../src/commands/program/report-error.js'
import { launcher } from './program.js'

/** How a command ended and what it said. */
export interface Said {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** How to run a command. */
interface RunOptions {
  readonly env: Readonly<Record<string, string>>
  /** Default: the folder of the tests. */
  readonly cwd?: string
  readonly input?: string
}

type Write = typeof process.stdout.write

/** Takes what is written to a stream, until it is given back. */
function take(stream: NodeJS.WriteStream): { text: () => string; giveBack: () => void } {
  const real = stream.write
  let text = ''
  stream.write = ((chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
    const done = rest.findLast(each => typeof each === 'function') as (() => void) | undefined
    done?.()
    return true
  }) as Write
  return {
    text: () => text,
    giveBack: () => {
      stream.write = real
    },
  }
}

/** Puts a property in place of another, and gives back a function that undoes it. */
function replace<T extends object>(target: T, name: keyof T, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name)
  Object.defineProperty(target, name, { configurable: true, enumerable: true, writable: true, value })
  return () => {
    if (before === undefined) delete target[name]
    else Object.defineProperty(target, name, before)
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Gives back a function that removes the handlers of signals which a command leaves to the end of its process. */
function keepSignals(): () => void {
  const known = SIGNALS.map(name => [name, process.listeners(name)] as const)
  return () => {
    for (const [name, own] of known) {
      for (const each of process.listeners(name)) if (!own.includes(each)) process.off(name, each)
    }
  }
}

let before: Promise<unknown> = Promise.resolve()

/**
 * Runs a command of `oauth-lab` in this process, which takes a tenth of the time of a process of its own: arguments,
 * environment and stdin as a shell would give them. One after the other, as there is one stdout.
 */
export function runHere(args: readonly string[], options: RunOptions): Promise<Said> {
  const next = before.then(() => runAlone(args, options))
  before = next.catch(() => {})
  return next
}

async function runAlone(
  args: readonly string[],
  { env, cwd = process.cwd(), input = '' }: RunOptions,
): Promise<Said> {
  const stdout = take(process.stdout)
  const stderr = take(process.stderr)
  const undo = [
    replace(process, 'env', { ...env }),
    replace(process, 'argv', [process.execPath, launcher, ...args]),
    replace(process, 'stdin', Readable.from(input === '' ? [] : [Buffer.from(input)])),
    keepSignals(),
  ]
  const exitCode = process.exitCode
  const folder = process.cwd()
  process.exitCode = undefined
  process.chdir(cwd)
  try {
    let code: number | string | null | undefined
    try {
      code = (await runProgram(args, '0.0.0')) ?? process.exitCode
    } catch (error) {
      code = await reportError(error)
    }
    return { code: Number(code ?? 0), stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    process.chdir(folder)
    process.exitCode = exitCode
    for (const each of [...undo.toReversed(), stderr.giveBack, stdout.giveBack]) each()
  }
}
