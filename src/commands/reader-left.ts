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

/** Entries of /proc/PID/fd, of every process this user may look into, that read from the pipe. */
async function findReaders(pipe: string): Promise<string[]> {
  const readers: string[] = []
  for (const pid of (await readdir('/proc')).filter(name => /^\d+$/.test(name))) {
    const folder = `/proc/${pid}/fd`
    for (const fd of await readdir(folder).catch(() => [])) {
      const entry = `${folder}/${fd}`
      if ((await readlink(entry).catch(() => '')) !== pipe) continue
      const mode = await lstat(entry).then(
        found => found.mode,
        () => 0,
      )
      if ((mode & READABLE) !== 0) readers.push(entry)
    }
  }
  return readers
}

async function anyLeadsTo(pipe: string, readers: readonly string[]): Promise<boolean> {
  for (const reader of readers) if (await leadsTo(pipe, reader)) return true
  return false
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
  let readers = await findReaders(pipe).catch(() => [])
  if (readers.length === 0) return never
  return async signal => {
    while (readers.length > 0) {
      await delay(PAUSE, undefined, { signal, ref: false })
      if (!(await anyLeadsTo(pipe, readers))) readers = await findReaders(pipe)
    }
  }
}
