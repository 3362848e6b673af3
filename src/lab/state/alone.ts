import { randomBytes } from 'node:crypto'
import { link, readFile, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureHome, homeError, readState, type StateHome, writeState } from './state-folder.js'

/** Milliseconds between two tries. */
const PAUSE = 50

/** Milliseconds between two signs of life of a lock, and without one until the lock is that of a dead process. */
const SIGN_OF_LIFE = 10_000
const ABANDONED = 60_000

/** Ends a lock. */
type Release = () => void | Promise<void>

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const textOf = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined)

async function removeIfHeldBy(owner: string, file: string): Promise<void> {
  if ((await textOf(file)) === owner) await unlink(file).catch(() => {})
}

/** Takes a lock file, which holds the process id and random digits. Undefined while another process has it. */
async function take(file: string): Promise<Release | undefined> {
  const owner = `${process.pid}-${randomBytes(4).toString('hex')}`
  const draft = `${file}.${owner}`
  try {
    await writeFile(draft, owner, { mode: 0o600, flag: 'wx' })
    // A lock has its owner from the beginning.
    await link(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return undefined
  } finally {
    await unlink(draft).catch(() => {})
  }
  const signs = setInterval(() => utimes(file, new Date(), new Date()).catch(() => {}), SIGN_OF_LIFE).unref()
  return () => {
    clearInterval(signs)
    return removeIfHeldBy(owner, file)
  }
}

/**
 * True while a process has the lock. Removes the lock of a process that is dead, or that gives no sign of life: its process id may be that of another
 * program.
 */
async function isHeld(file: string): Promise<boolean> {
  const held = await textOf(file)
  const { mtimeMs = Date.now() } = (await stat(file).catch(() => undefined)) ?? {}
  if (held === undefined) return false
  const [owner = '0', pid] = /^(\d{1,10})-[0-9a-f]{8}$/.exec(held) ?? []
  if ((pid === undefined || isAlive(Number(pid))) && Date.now() - mtimeMs < ABANDONED) return true
  // The name of this lock is that of the dead owner, so nobody removes a lock that was taken in the meantime.
  const release = await take(`${file}.${owner}`)
  if (release === undefined) return isHeld(`${file}.${owner}`)
  await removeIfHeldBy(held, file)
  await release()
  return false
}

/** A lock that one program at a time has. */
interface Lock {
  /** Undefined while another program has it. */
  take(): Promise<Release | undefined>
  isHeld(): Promise<boolean>
}

async function lockOf(home: StateHome, name: string): Promise<Lock> {
  if (typeof home !== 'string') {
    return { take: async () => home.take(name), isHeld: async () => false }
  }
  const file = join(home, `${name}.lock`)
  await ensureHome(home)
  await ensureHome(dirname(file))
  return {
    take: () =>
      take(file).catch((error: unknown) => {
        throw homeError(home, error)
      }),
    isHeld: () => isHeld(file),
  }
}

/** How a program waits for another one. */
interface Waiting {
  readonly signal?: AbortSignal
  /** Called once where another program works. */
  readonly onWait?: () => void
}

/**
 * Works alone on a state file, of all programs with this state folder. A killed program keeps nobody waiting.
 * @param name the file
 * @throws the reason of an aborted signal; UsageError for a state folder that cannot be used
 */
export async function alone<Result>(
  home: StateHome,
  name: string,
  work: () => Promise<Result>,
  { signal, onWait }: Waiting = {},
): Promise<Result> {
  const lock = await lockOf(home, name)
  let release = await lock.take()
  if (release === undefined) onWait?.()
  while (release === undefined) {
    await sleep(PAUSE, undefined, { signal })
    if (!(await lock.isHeld())) release = await lock.take()
  }
  try {
    return await work()
  } finally {
    await release()
  }
}

/**
 * Returns what a state file holds. Of several programs that start at the same time one makes a missing or broken file, and all use it.
 * @param read returns undefined for a text that has to be replaced
 */
export async function ensureState<Value>(
  home: StateHome,
  name: string,
  read: (text: string) => Value | undefined | Promise<Value | undefined>,
  make: () => string | Promise<string>,
): Promise<Value> {
  const kept = async () => {
    const text = await readState(home, name)
    return text === undefined ? undefined : read(text)
  }
  const found = (await kept()) ?? (await alone(home, name, async () => (await kept()) ?? made()))
  async function made(): Promise<Value> {
    const value = await read(await writeState(home, name, await make()))
    if (value === undefined) throw new Error(`${name} cannot be read back`)
    return value
  }
  return found
}
