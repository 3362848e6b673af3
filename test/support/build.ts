import { spawnSync } from 'node:child_process'
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
  if (newest(join(root, 'dist')) > newest(join(root, 'src'))) return
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  // It writes the program also where types do not fit; those are the business of `npm run check`.
  spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'ignore' })
}
