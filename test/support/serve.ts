import { cleanEnv, type Ended, jsonLines, launcher, start, temporaryFolder, until } from './program.js'

/** The first line of `serve --json`. */
export interface LabReady {
  readonly type: 'lab.ready'
  readonly pid: number
  readonly ca: string
  readonly urls: {
    readonly authorization: string
    readonly http: string
    readonly resource: string
    readonly mcp: string
    readonly cluster: string
    readonly dns: string
    readonly client?: string
    /** With `--web`. */
    readonly web?: string
  }
}

/** A running `oauth-lab serve` with a state folder of its own. */
export interface Serving {
  readonly ready: LabReady
  /** Environment of the server; commands that use it find the same lab. */
  readonly env: Record<string, string>
  /** The events that it has printed, its first line too: all that came before an answer which the test has. */
  events(): Promise<Record<string, unknown>[]>
  stderr(): string
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
  /** Stops it when it still runs, and removes its folder. */
  remove(): Promise<void>
}

/** Returns stderr without the line that names the running lab. */
export const withoutLabLine = (stderr: string): string =>
  stderr.replace(/^Uses the running lab https:\/\/localhost:\d+\n/m, '')

/** Begins the paths of the requests by which a test learns that all before them is printed. */
const MARK = '/printed-'

/** Starts `serve --json` on free ports, with this Node.js or another, and waits until it listens. */
export async function serve(args: readonly string[] = [], node = process.execPath): Promise<Serving> {
  const home = temporaryFolder()
  const env = cleanEnv(home.path)
  const free = ['--port', '0', '--http-port', '0', '--resource-port', '0']
  const running = start(node, [launcher, 'serve', '--json', ...free, ...args], {
    env,
    limit: 900_000,
  })
  const { child, ended } = running
  const ready = await until(
    () => {
      const end = running.stdout().indexOf('\n')
      if (end >= 0) return JSON.parse(running.stdout().slice(0, end)) as LabReady
      if (child.exitCode !== null) throw new Error(`serve ended with ${child.exitCode}: ${running.stderr()}`)
      return undefined
    },
    () => `serve is not ready: ${running.stderr()}`,
    50_000,
  )
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return ended
  }
  let marks = 0
  const events = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return jsonLines((await ended).stdout)
    // A program that has its answer may be ahead of what the lab prints: a request of our own is printed after all before it.
    const mark = `${MARK}${++marks}`
    await fetch(`${ready.urls.http}${mark}`, { redirect: 'manual' })
    const all = await until(
      () => {
        const lines = jsonLines(running.stdout().replace(/[^\n]*$/, ''))
        return lines.some(({ path }) => path === mark) ? lines : undefined
      },
      () => `serve does not print ${mark}: ${running.stdout()}`,
    )
    return all.filter(({ path }) => !String(path).startsWith(MARK))
  }
  return {
    ready,
    env,
    events,
    stderr: running.stderr,
    stop,
    remove: async () => {
      if (child.exitCode === null && child.signalCode === null) await stop()
      home.remove()
    },
  }
}
