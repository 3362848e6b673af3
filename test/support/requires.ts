import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, it } from 'vitest'

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

/** Whether a missing program fails the tests instead of skipping them. */
export const everythingRequired = process.env.OAUTH_LAB_E2E === 'required'

/**
 * `describe` for tests that need programs. Where one is missing they are skipped, with the reason in their name,
 * or fail when OAUTH_LAB_E2E=required.
 * @param programs names; several ways to call one are separated by `|`
 */
export function describeWith(programs: readonly string[], name: string, body: () => void): void {
  const missing = programs.filter(each => findProgram(...each.split('|')) === undefined)
  if (missing.length === 0) describe(name, body)
  else if (everythingRequired) {
    describe(name, () => {
      it(`needs ${missing.join(', ')}`, () => {
        throw new Error(`${missing.join(', ')}: not installed, and OAUTH_LAB_E2E=required`)
      })
    })
  } else describe.skip(`${name} (skipped: ${missing.join(', ')} not installed)`, body)
}
