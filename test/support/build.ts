import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './source-files.js'

/** When the newest file below a folder was changed, milliseconds; 0 where there is none. */
function newest(folder: string): number {
  try {
    return Math.max(
      0,
      ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
        name => statSync(join(folder, name)).mtimeMs,
      ),
    )
  } catch {
    return 0
  }
}

/** Builds the program once before the tests, when it is older than its source: tests start the built one. */
export default function setup(): void {
  const changed = Math.max(...['src', 'content', 'scripts', 'patches'].map(each => newest(join(root, each))))
  if (newest(join(root, 'dist')) > changed) return
  try {
    execFileSync(process.execPath, [join(root, 'scripts/build.js')], { cwd: root, stdio: 'inherit' })
  } catch (error) {
    // A half-written file is no reason to keep the tests of the others from running; where all must pass it is.
    if (process.env.OAUTH_LAB_E2E === 'required') throw error
    console.error('The program cannot be built; tests that start it meet the last one.')
  }
}
