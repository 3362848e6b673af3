import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder for this user alone (0700), with those above it that are missing. Node's own `recursive` never ends
 * where a file system, such as /proc, says ENOENT of a folder although the one above it is there.
 * @returns whether it is new
 */
export async function makeFolder(path: string, parentIsThere = dirname(path) === path): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 })
    return true
  } catch (error) {
    if ((await stat(path).catch(() => undefined))?.isDirectory()) return false
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parentIsThere) throw error
    await makeFolder(dirname(path))
    return makeFolder(path, true)
  }
}
