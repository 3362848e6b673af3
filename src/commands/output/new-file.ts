import { writeFile } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { UsageError } from '../../protocol/errors.js'

/** No more files than these of one name. */
const MOST = 100

/**
 * Writes a file into the current folder, for its owner alone. One that was there before stays: the new one gets a
 * number.
 * @returns the name it got
 * @throws UsageError
 */
export async function writeNewFile(name: string, text: string): Promise<string> {
  const [, stem = name, ending = ''] = /^(.*)(\.\w+)$/.exec(name) ?? []
  for (let i = 1; i <= MOST; i++) {
    const file = i === 1 ? name : `${stem}-${i}${ending}`
    try {
      await writeFile(file, text, { flag: 'wx', mode: 0o600 })
      return isAbsolute(file) ? file : `./${file}`
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'EEXIST') throw new UsageError(`cannot write ./${file} (${code})`)
    }
  }
  throw new UsageError(`cannot write ./${name}: there are ${MOST} of it`)
}
