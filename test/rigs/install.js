// The packages of few tests and tools, which `npm ci` in the project's folder does not install: `.` is what oauth-lab is
// tested and measured against, other names are folders here. Each has a lock file of its own.
// node test/rigs/install.js [--optional] NAME…   with --optional, a failure of npm is no failure
import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const lockOf = rig => join(import.meta.dirname, rig, 'package-lock.json')
/** The lock file of what is installed, written when npm has ended. */
const installedLockOf = rig => join(import.meta.dirname, rig, 'node_modules/.installed-lock.json')

/** True when the packages of a rig are those of its lock file. */
export function isInstalled(rig) {
  try {
    return readFileSync(lockOf(rig), 'utf8') === readFileSync(installedLockOf(rig), 'utf8')
  } catch {
    return false
  }
}

/** Milliseconds. */
const NPM_TIMEOUT = 300_000

/** Installs the packages of a rig. Returns an error message when npm fails, such as without a network. */
function install(rig) {
  const folder = join('test/rigs', rig)
  console.log(`Installing the packages of ${folder}: once, and after its lock file has changed.`)
  const run = () =>
    spawnSync('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], {
      cwd: join(import.meta.dirname, rig),
      encoding: 'utf8',
      shell: process.platform === 'win32',
      timeout: NPM_TIMEOUT,
    })
  // npm waits for ever where a registry stops in the middle of an answer.
  const first = run()
  const npm = first.error?.code === 'ETIMEDOUT' ? run() : first
  if (npm.status !== 0) return `npm ci in ${folder} failed: ${npm.stderr?.trim() || npm.error}`
  copyFileSync(lockOf(rig), installedLockOf(rig))
  return undefined
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const names = process.argv.slice(2).filter(name => name !== '--optional')
  const failures = names.filter(name => !isInstalled(name)).flatMap(name => install(name) ?? [])
  for (const failure of failures) console.error(failure)
  if (failures.length > 0 && !process.argv.includes('--optional')) process.exitCode = 1
}
