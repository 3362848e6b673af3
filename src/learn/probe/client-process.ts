import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Characters of output that are kept. */
const MAX_OUTPUT = 64 * 1024

export interface ClientProcess {
  /** An authorization request at one of `issuers` in the output; undefined when none comes in time. */
  address(issuers: readonly string[], ms: number): Promise<string | undefined>
  /** Text of the output; undefined when none comes in time. */
  printed(pattern: RegExp, ms: number): Promise<string | undefined>
  answer(line: string): void
  ended(): boolean
  /** Ended with exit code 0. */
  succeeded(): boolean
  /** The line of the output that says why the client failed: its last error, else its last line. */
  lastLine(): string
  /** Ends the client and everything that it started. */
  stop(): Promise<void>
}

/** Waits for a value that changes. */
async function until<Value>(value: () => Value | undefined, ms: number): Promise<Value | undefined> {
  const end = performance.now() + ms
  for (;;) {
    const now = value()
    if (now !== undefined || performance.now() > end) return now
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

/** True where a program can lead a process group, which takes signals as one. */
export const HAS_GROUPS = process.platform !== 'win32'

/**
 * Signals a program that leads its process group, and everything that it started: `go run` starts the real program.
 * @param signal 0 only asks
 * @returns false when all of them have ended
 */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (!HAS_GROUPS || child.pid === undefined) return child.kill(signal)
  try {
    return process.kill(-child.pid, signal)
  } catch {
    return false
  }
}

export function startClient(
  [program = '', ...args]: readonly string[],
  { env, cwd }: { readonly env: NodeJS.ProcessEnv; readonly cwd: string },
): ClientProcess {
  const child = spawn(program, args, {
    env,
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: HAS_GROUPS,
  })
  let output = ''
  let problem: string | undefined
  let over = false
  let good = false
  const keep = (part: Buffer) => {
    if (output.length < MAX_OUTPUT) output += part.toString()
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  child.stdin.on('error', () => {})
  child.once('error', error => {
    problem = `${program} cannot be started: ${error.message}`
    over = true
  })
  child.once('close', code => {
    over = true
    good = code === 0
  })
  return {
    async address(issuers, ms) {
      // An error message of the client may hold other addresses. Each authorization request names the client.
      const ofIssuer = (url: string) =>
        issuers.some(issuer => url.startsWith(`${issuer}/`)) && url.includes('client_id=')
      const found = () => output.match(/https:\/\/[^\s"'<>]+/g)?.find(ofIssuer)
      // A line that is not finished may hold half of the address.
      await until(
        () => (found() !== undefined && /\s/.test(output.split(found() ?? '')[1] ?? '')) || over || undefined,
        ms,
      )
      return found()
    },
    async printed(pattern, ms) {
      const found = () => pattern.exec(output)?.[0]
      await until(() => found() ?? (over || undefined), ms)
      return found()
    },
    answer: line => child.stdin.end(`${line}\n`),
    ended: () => over,
    succeeded: () => good,
    lastLine() {
      const lines = output.trimEnd().split('\n')
      // An interpreter may print its version below the error.
      return problem ?? lines.findLast(text => /^\w*(?:Error|Exception)\b/.test(text)) ?? lines.at(-1) ?? ''
    },
    async stop() {
      if (over) return
      const closed = once(child, 'close')
      signalGroup(child, 'SIGKILL')
      await closed
    },
  }
}
