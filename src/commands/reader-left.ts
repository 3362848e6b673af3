import { lstat, readdir, readlink } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

/** How often a reader is looked for, milliseconds. */
const PAUSE = 200

/** The owner's permission of an entry in /proc/PID/fd says how the file is open. */
const READABLE = 0o400

const isGone = (error: unknown): boolean =>
  ['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')

/** Whether an entry of /proc/PID/fd still leads to the pipe. One that may no longer be looked at counts as there. */
async function leadsTo(pipe: string, entry: string): Promise<boolean> {
  try {
    return (await readlink(entry)) === pipe
  } catch (error) {
    return !isGone(error)
  }
}

/** Processes of this machine, the likeliest readers first: who started this one, then who was started about when it was. */
async function likelyReaders(): Promise<number[]> {
  const distance = (pid: number) => (pid === process.ppid ? 0 : Math.abs(pid - process.pid))
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(Number)
  return pids.sort((a, b) => distance(a) - distance(b))
}

/** The first entry of /proc/PID/fd, of any process this user may look into, that reads from the pipe. */
async function findReader(pipe: string): Promise<string | undefined> {
  for (const pid of await likelyReaders()) {
    const folder = `/proc/${pid}/fd`
    for (const fd of await readdir(folder).catch(() => [])) {
      const entry = `${folder}/${fd}`
      if ((await readlink(entry).catch(() => '')) !== pipe) continue
      const mode = await lstat(entry).then(
        found => found.mode,
        () => 0,
      )
      if ((mode & READABLE) !== 0) return entry
    }
  }
  return undefined
}

/**
 * Watches who reads stdout where that is a pipe. A program that only now and then has something to write learns
 * from `write` too late that nobody listens any more, as in `| head -1`; Linux tells in /proc.
 * @returns a function that starts to wait: its promise is kept when the last reader has left. Never on other
 * systems, and never where the readers belong to somebody else.
 */
export async function watchReader(): Promise<(signal: AbortSignal) => Promise<void>> {
  const never = () => new Promise<void>(() => {})
  const pipe = await readlink('/proc/self/fd/1').catch(() => '')
  if (!pipe.startsWith('pipe:')) return never
  let reader = await findReader(pipe).catch(() => undefined)
  if (reader === undefined) return never
  return async signal => {
    while (reader !== undefined) {
      await delay(PAUSE, undefined, { signal, ref: false })
      if (!(await leadsTo(pipe, reader))) reader = await findReader(pipe)
    }
  }
}
