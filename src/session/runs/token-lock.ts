import { open, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureHome } from '../../lab/state/state-folder.js'

/** Age from which a lock is that of a process that was killed, in milliseconds. Longer than a request may usually take. */
const ABANDONED = 60_000

/** Pause between two tries, in milliseconds. */
const PAUSE = 50

/** Takes the lock file. Returns false while another process has it. */
async function take(file: string): Promise<boolean> {
  try {
    await (await open(file, 'wx', 0o600)).close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const held = await stat(file).catch(() => undefined)
    if (held && Date.now() - held.mtimeMs > ABANDONED) await unlink(file).catch(() => {})
    return false
  }
}

/** A kept token that one process works on. */
export interface LockedToken {
  /** The state folder. */
  readonly home: string
  readonly id: string
  readonly signal: AbortSignal
  /** Called once where another process works on the token. */
  readonly onWait?: () => void
}

/**
 * Works alone on a kept token. Two processes that trade the same refresh token look like a thief to its server, which then
 * revokes it (RFC 9700 §4.14.2).
 * @throws the reason of an aborted signal
 */
export async function alone<Result>(
  { home, id, signal, onWait }: LockedToken,
  work: () => Promise<Result>,
): Promise<Result> {
  await ensureHome(home)
  await ensureHome(join(home, 'tokens'))
  const file = join(home, 'tokens', `${id}.lock`)
  for (let waits = 0; !(await take(file)); waits++) {
    if (waits === 0) onWait?.()
    await sleep(PAUSE, undefined, { signal })
  }
  try {
    return await work()
  } finally {
    await unlink(file).catch(() => {})
  }
}
