import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder } from '../../../src/lab/state/make-folder.js'
import { ensureHome } from '../../../src/lab/state/state-folder.js'
import { sharedFolder } from '../../support/shared.js'

const folder = sharedFolder()

it('makes a folder and those above it, also when two begin at once', async () => {
  const path = join(folder.path, 'a', 'b', 'c')
  const made = await Promise.all([makeFolder(path), makeFolder(path)])
  expect(made.filter(Boolean)).toHaveLength(1)
  expect(await makeFolder(path)).toBe(false)
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o700)
})

it.runIf(process.platform === 'linux')('ends where no folder can be made', async () => {
  await expect(ensureHome('/proc/none/lab')).rejects.toMatchObject({
    message: expect.stringMatching(
      /^the state folder \/proc\/none\/lab cannot be used: there is no folder for it/,
    ),
  })
  await expect(makeFolder('/proc/version/lab')).rejects.toMatchObject({ code: 'ENOTDIR' })
})
