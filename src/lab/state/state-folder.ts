import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { chmod, lstat, readdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileProblem, NO_FOLDER, UsageError } from '../../protocol/errors.js'
import { makeFolder } from './make-folder.js'
import type { MemoryState } from './memory-state.js'

/** The path of a state folder, or a state in memory. */
export type StateHome = string | MemoryState

/** A folder with nothing else in it may be closed to other users. */
const ownFile =
  /^(ca|leaf|self-signed|signing|encryption|pairwise|lab|crash|serve|events|learn|tokens|registrations|origins|workshop|room)[-.\w]*$/

/** Another owner knows the keys in the folder, or chose them. Root reads every file anyway. @throws UsageError */
export async function checkOwner(home: string): Promise<void> {
  const own = process.getuid?.()
  if (own === undefined) return
  const owner = await stat(home).then(
    ({ uid }) => uid,
    () => undefined,
  )
  if (owner === undefined || owner === own || owner === 0) return
  throw new UsageError(
    `the state folder ${home} belongs to another user (uid ${owner}, this one is ${own})`,
    [
      'Its owner can read and replace the keys of the lab. Name a folder of this user:  OAUTH_LAB_HOME=/path/to/folder',
    ],
  )
}

/**
 * Makes the folder (0700). An existing one is closed only when it holds no other program's files: OAUTH_LAB_HOME may name
 * a folder with another purpose. @throws UsageError for a folder that cannot be used
 */
export async function ensureHome(home: string): Promise<void> {
  try {
    const made = await makeFolder(home)
    if (!made) await checkOwner(home)
    if (made || process.platform === 'win32') return
    const { mode, uid } = await lstat(home)
    if ((mode & 0o077) === 0 || uid !== process.getuid?.()) return
    if ((await readdir(home)).every(name => ownFile.test(name))) await chmod(home, 0o700)
  } catch (error) {
    throw homeError(home, error)
  }
}

/** The error of a state folder that cannot be used: what happened there, and the next move. */
export function homeError(home: string, error: unknown): UsageError {
  if (error instanceof UsageError) return error
  const why = fileProblem(error, NO_FOLDER)
  return new UsageError(`the state folder ${home} cannot be used: ${why}`, [
    `${/full/.test(why) ? 'Make room, or name' : 'Name'} another one:  OAUTH_LAB_HOME=/path/to/folder`,
  ])
}

/** Undefined when the file is missing. */
export async function readState(home: StateHome, name: string): Promise<string | undefined> {
  if (typeof home !== 'string') return home.read(name)
  await checkOwner(home)
  try {
    return await readFile(join(home, name), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw homeError(home, error)
  }
}

/** Drafts of `writeState` end with the process id and random digits. */
const draftFile = /\.\d+-[0-9a-f]{8}$/

/** Milliseconds. */
const DRAFT_AGE = 60_000

/** Of programs that were killed. */
export async function removeDrafts(home: string, now = Date.now()): Promise<void> {
  const names = await readdir(home).catch(() => [])
  for (const name of names.filter(each => ownFile.test(each) && draftFile.test(each))) {
    const draft = join(home, name)
    const stat = await lstat(draft).catch(() => undefined)
    if (stat?.isFile() && now - stat.mtimeMs > DRAFT_AGE) await unlink(draft).catch(() => {})
  }
}

/**
 * Writes a file at once, so that no reader sees half of it.
 * @param mode 0o600 for keys
 * @returns the text
 */
export async function writeState(
  home: StateHome,
  name: string,
  text: string,
  { mode = 0o600 } = {},
): Promise<string> {
  if (typeof home !== 'string') return home.write(name, text)
  await ensureHome(home)
  const file = join(home, name)
  const draft = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    await writeFile(draft, text, { mode, flag: 'wx' })
    await rename(draft, file)
    return text
  } catch (error) {
    // A full disk may hold half of the draft.
    await unlink(draft).catch(() => {})
    throw homeError(home, error)
  }
}

/** For other programs. */
export function statePath(home: StateHome, name: string): string {
  return typeof home === 'string' ? join(home, name) : home.path(name)
}

/** Changes with the date or size of a state file; undefined when it is missing. */
export function stateVersion(home: StateHome, name: string): string | undefined {
  if (typeof home !== 'string') return home.version(name)
  const stat = statSync(join(home, name), { throwIfNoEntry: false })
  return stat && `${stat.ino} ${stat.mtimeMs} ${stat.size}`
}
