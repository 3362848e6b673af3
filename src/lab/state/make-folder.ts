import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder for this user alone (0700). Node's `recursive` never ends where an existing parent reports ENOENT (/proc).
 * @returns true when the folder is new
 */
export async function makeFolder(path: string, parentExists = dirname(path) === path): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 })
    return true
  } catch (error) {
    if ((await stat(path).catch(() => undefined))?.isDirectory()) return false
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parentExists) throw error
    await makeFolder(dirname(path))
    return makeFolder(path, true)
  }
}
