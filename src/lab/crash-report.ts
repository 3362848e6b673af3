import { inspect } from 'node:util'
import { type StateHome, statePath, writeState } from './state-folder.js'

/**
 * Writes what a bug left behind into the state folder, the only place its stack goes to.
 * @returns the file's path
 */
export async function writeCrashReport(home: StateHome, error: unknown, now = Date.now()): Promise<string> {
  const name = `crash-${new Date(now).toISOString().replace(/[:.]/g, '-')}-${process.pid}.txt`
  const lines = [
    `oauth-lab on Node ${process.version}, ${process.platform} ${process.arch}`,
    new Date(now).toISOString(),
    '',
    inspect(error, { depth: 3 }),
    '',
  ]
  await writeState(home, name, lines.join('\n'))
  return statePath(home, name)
}
