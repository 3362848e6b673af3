import {
  cleanEnv,
  commandFolder,
  type Ended,
  type Running,
  run,
  type StartOptions,
  start,
  temporaryFolder,
  until,
} from '../../support/program.js'

/** A server that a command line started. */
export interface StartedServer {
  /** Returns the text it printed after a label at the start of a line: `resource server`, `CA file`. */
  value(label: string): string
  /** Returns everything it printed, on both streams. */
  printed(): string
  /** Presses Ctrl-C and waits for the end. */
  stop(): Promise<Ended>
}

/** Settings of one run; defaults are those of the newcomer. */
interface TypeOptions extends Partial<StartOptions> {
  /** The shell and its options; default bash without settings. */
  readonly shell?: readonly string[]
}

/** A person who has just installed the program: an empty home, no settings, no caches, no named state folder. */
export interface Newcomer {
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  /** Types lines into one shell and waits for its end. */
  types(lines: string | readonly string[], options?: TypeOptions): Promise<Ended>
  /** Types the line of a server and waits until it is ready. */
  starts(line: string): Promise<StartedServer>
  /** Stops the servers it started, and removes the home. */
  leaves(): Promise<void>
}

/** A newcomer for whom `oauth-lab` is a command. */
export function newcomer(): Newcomer {
  const folder = temporaryFolder()
  const path = `${commandFolder(folder.path)}:${process.env.PATH}`
  const { OAUTH_LAB_HOME: _unnamed, ...env } = cleanEnv(folder.path, { PATH: path })
  const started: Running[] = []
  return {
    home: folder.path,
    env,
    types(lines, { shell = ['bash', '--norc', '-c'], ...options } = {}) {
      const [program = '', ...args] = shell
      return run(program, [...args, [lines].flat().join('\n')], { env, limit: 100_000, ...options })
    },
    async starts(line) {
      const running = start('bash', ['--norc', '-c', `exec ${line}`], { env, limit: 240_000 })
      started.push(running)
      const { child, ended } = running
      const printed = () => running.stdout() + running.stderr()
      await until(
        () => {
          if (child.exitCode !== null) throw new Error(`${line} ended with ${child.exitCode}: ${printed()}`)
          return running.stdout().includes('Ctrl-C stops it.') || undefined
        },
        () => `${line} is not ready: ${printed()}`,
      )
      return {
        value(label) {
          const value = new RegExp(`^${label} +(\\S+)`, 'm').exec(running.stdout())?.[1]
          if (value === undefined) throw new Error(`no ${label} in ${printed()}`)
          return value
        },
        printed,
        stop() {
          child.kill('SIGINT')
          return ended
        },
      }
    },
    async leaves() {
      for (const { child } of started) child.kill('SIGINT')
      await Promise.all(started.map(each => each.ended))
      folder.remove()
    },
  }
}
