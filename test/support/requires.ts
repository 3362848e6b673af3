import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, it } from 'vitest'
import { isInstalled } from '../rigs/install.js'

/** Where a program is, looked up in PATH and in the folders of system programs; the first name that is there. */
export function findProgram(...names: readonly string[]): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/bin']
  for (const name of names) {
    for (const folder of folders.filter(each => each !== '')) {
      const path = join(folder, name)
      try {
        accessSync(path, constants.X_OK)
        return path
      } catch {
        // not here
      }
    }
  }
  return undefined
}

/** Chromium under any of its names. */
export const chromiumNames = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
] as const

/** Firefox under any of its names. Debian has the one with extended support. */
export const firefoxNames = ['firefox-esr', 'firefox'] as const

/** Whether a missing program fails the tests instead of skipping them. */
export const everythingRequired = process.env.OAUTH_LAB_E2E === 'required'

/** The name that `describeWith` has for the packages of test/rigs, which `npm test` and `npm run rigs` install. */
export const rigs = 'packages of test/rigs'

/** The name that `describeWith` has for the newest Node.js, which `npm run test:node` installs. */
export const newestNode = 'Node.js 26 of test/rigs/node'

/** The path of the newest Node.js, once it is installed. */
export const newestNodePath = join(import.meta.dirname, '../rigs/node/node_modules/node26/bin/node')

const isMissing = (need: string) =>
  need === rigs
    ? !isInstalled('.')
    : need === newestNode
      ? !isInstalled('node')
      : findProgram(...need.split('|')) === undefined

/**
 * `describe` for tests that need programs or the packages of test/rigs. When one is missing, the tests are skipped, with
 * the reason in their name, or fail when OAUTH_LAB_E2E=required.
 * @param needs names of programs, alternatives separated by `|`; or `rigs`
 */
export function describeWith(needs: readonly string[], name: string, body: () => void): void {
  const missing = needs.filter(isMissing)
  if (missing.length === 0) describe(name, body)
  else if (everythingRequired) {
    describe(name, () => {
      it(`needs ${missing.join(', ')}`, () => {
        throw new Error(`${missing.join(', ')}: not installed, and OAUTH_LAB_E2E=required`)
      })
    })
  } else describe.skip(`${name} (skipped: ${missing.join(', ')} not installed)`, body)
}
