import { stat, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { CapstoneName } from '../../../learn/capstones/capstone.js'
import type { CapstoneProgress } from '../../../learn/capstones/capstone-progress.js'
import { UsageError } from '../../../protocol/errors.js'

/** The capstones that begin with a file. */
type WithFile = Exclude<CapstoneName, 'capstone-server'>

const FILES: Readonly<Record<WithFile, string>> = {
  'capstone-log': 'capstone-log.jsonl',
  'capstone-client': 'capstone-client.mjs',
}

async function textOf(name: WithFile, seed: number): Promise<string> {
  if (name === 'capstone-client') {
    const [{ clientText }, { drawFaults }] = await Promise.all([
      import('../../../learn/capstones/client/client-text.js'),
      import('../../../learn/capstones/client/faults.js'),
    ])
    return clientText(drawFaults(seed))
  }
  const { theftLog } = await import('../../../learn/capstones/log/theft-log.js')
  const { lines } = await theftLog(seed)
  return `${lines.join('\n')}\n`
}

const isFile = async (path: string): Promise<boolean> => {
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() === true
}

/**
 * Writes the file of a capstone into the current folder. A file that the capstone began with stays.
 * @param reset true to write it again
 * @throws UsageError for a file of that name that something else wrote, and for a folder that cannot be written
 */
export async function writeCapstone(
  name: WithFile,
  { seed, file: begun }: CapstoneProgress,
  reset: boolean,
): Promise<{ readonly file: string; readonly kept: boolean }> {
  if (begun !== undefined && !reset && (await isFile(begun))) return { file: begun, kept: true }
  const file = resolve(FILES[name])
  const text = await textOf(name, seed)
  try {
    await writeFile(file, text, { flag: reset ? 'w' : 'wx', mode: 0o600 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST')
      throw new UsageError(`cannot write ${file} (${code})`, ['Change to another folder'])
    throw new UsageError(`${file} exists already`, [
      `Write over it:  oauth-lab learn start ${name} --reset`,
      'Or change to another folder',
    ])
  }
  return { file, kept: false }
}
