import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findChromium } from '../../../src/client/capture/browser/find-chromium.js'
import { sharedFolder } from '../../support/shared.js'

const folder = sharedFolder()

const program = (path: string, mode = 0o755): string => {
  const file = join(folder.path, path)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, '', { mode })
  return file
}

it('takes CHROME_PATH, then PATH, then the usual places of macOS', () => {
  const named = program('named')
  const chrome = program('b/google-chrome')
  program('a/chromium', 0o644)
  const PATH = `${join(folder.path, 'a')}:${join(folder.path, 'b')}`
  expect(findChromium({ CHROME_PATH: named, PATH }, 'linux')).toBe(named)
  expect(findChromium({ PATH }, 'linux')).toBe(chrome)
  const mac = program('Applications/Google Chrome.app/Contents/MacOS/Google Chrome')
  expect(findChromium({ HOME: folder.path, PATH: '' }, 'darwin')).toBe(mac)
})

it.each([
  [{}, 'no Chromium, Chrome or Edge was found'],
  [{ CHROME_PATH: '/no/such' }, 'CHROME_PATH /no/such is not a program'],
])('says what is missing: %j', (env, message) => {
  expect(() => findChromium(env, 'linux')).toThrow(message)
})
