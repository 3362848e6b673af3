// Rigs are folders below test/rigs with a package.json and a lock file of their own: packages that few tests and tools
// need, so `npm ci` in the project's folder does not install them. `node test/rigs/install.js NAME…` installs rigs.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const read = file => readFileSync(file, { encoding: 'utf8' })
const fingerprint = text => createHash('sha256').update(text).digest('hex')

/** True when the packages of a rig are those of its lock file. */
function isInstalled(lock, stamp) {
  try {
    return read(stamp) === lock
  } catch {
    return false
  }
}

/**
 * Installs the packages of a rig, when they are missing or its lock file has changed.
 * @returns an error message when npm failed, such as without a network
 */
export function installRig(name) {
  const folder = join(import.meta.dirname, name)
  const lock = fingerprint(read(join(folder, 'package-lock.json')))
  const stamp = join(folder, 'node_modules/.installed-lock')
  if (isInstalled(lock, stamp)) return undefined
  console.log(
    `Installing the packages of test/rigs/${name} (once, and after changes of its package-lock.json)`,
  )
  const npm = spawnSync('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (npm.status !== 0) return `npm ci in test/rigs/${name} failed: ${npm.stderr?.trim() ?? npm.error}`
  writeFileSync(stamp, lock)
  return undefined
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const failures = process.argv.slice(2).flatMap(name => installRig(name) ?? [])
  for (const failure of failures) console.error(failure)
  if (failures.length > 0) process.exitCode = 1
}
