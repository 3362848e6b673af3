// patches/NAME+VERSION.patch change files of packages, with paths from the root of the clone. `git apply` needs no package for
// that. It replaces files, so files that other folders link to stay as they are.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A patch that cannot be applied. The message is for the person who builds. */
export class PatchError extends Error {
  /** @override */
  name = 'PatchError'
}

/**
 * Applies the patches that are not applied yet.
 * @param {string} root folder of the clone
 * @throws {PatchError}
 */
export function applyPatches(root) {
  // Of a repository that the clone lies in, git would take the paths from that repository's root.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(root) }
  for (const name of readdirSync(join(root, 'patches'))) {
    const apply = (/** @type {string[]} */ ...flags) =>
      spawnSync('git', ['apply', ...flags, `patches/${name}`], { cwd: root, env, encoding: 'utf8' })
    if (apply('--reverse', '--check').status === 0) continue
    const { status, stderr, error } = apply()
    if (error)
      throw new PatchError('git applies the patches of packages, and cannot be started. Install it.', {
        cause: error,
      })
    if (status !== 0) {
      throw new PatchError(`patches/${name} does not apply; npm ci installs the version it is for\n${stderr}`)
    }
  }
}
