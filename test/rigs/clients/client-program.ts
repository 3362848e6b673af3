import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { run } from '../../support/program.js'
import type { Serving } from '../../support/serve.js'
import { sharedFolder, sharedLab } from '../../support/shared.js'

/** A folder, and a lab with a lab file in it. */
export function labWith(file: object): {
  readonly folder: ReturnType<typeof sharedFolder>
  readonly lab: Serving
} {
  const folder = sharedFolder()
  const path = join(folder.path, 'lab.json')
  writeFileSync(path, JSON.stringify(file))
  return { folder, lab: sharedLab(['--config', path]) }
}

/** For old libraries, whose warnings tell what Node will do without one day. */
export const QUIET = { NODE_NO_WARNINGS: '1' }

/**
 * The JSON that a program of this folder prints. It trusts the lab, and its first argument is the issuer.
 * @param more variables of its environment
 */
export async function printed(
  lab: Serving,
  program: string,
  args: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
) {
  const command = [join(import.meta.dirname, program), lab.ready.urls.authorization, ...args]
  const { code, stdout, stderr } = await run(process.execPath, command, {
    env: { ...lab.env, NODE_EXTRA_CA_CERTS: lab.ready.ca, ...more },
  })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}
