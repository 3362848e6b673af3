import { inspect } from 'node:util'
import { programVersion } from '../../protocol/version.js'
import { inSourceTerms } from '../listening/source-stack.js'
import { maskedCommand } from './masked-command.js'
import { type StateHome, statePath, writeState } from './state-folder.js'

/**
 * Writes a report of a bug into the state folder: versions, platform, the masked command line, and the stack in lines of the
 * source.
 * @returns the path of the file
 */
export async function writeCrashReport(home: StateHome, error: unknown, now = Date.now()): Promise<string> {
  const time = new Date(now).toISOString()
  const name = `crash-${time.replace(/[:.]/g, '-')}-${process.pid}.txt`
  const lines = [
    `oauth-lab ${programVersion()} on Node ${process.version}, ${process.platform} ${process.arch}`,
    time,
    `Command:  ${['oauth-lab', ...maskedCommand(process.argv.slice(2))].join(' ')}`,
    '',
    inSourceTerms(inspect(error, { depth: 3 })),
    '',
  ]
  await writeState(home, name, lines.join('\n'))
  return statePath(home, name)
}
