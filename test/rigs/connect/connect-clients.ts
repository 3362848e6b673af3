import { join } from 'node:path'
import { describe } from 'vitest'

/** The folder of the programs that `.ci/connect-clients` builds. */
export const goPrograms = join(import.meta.dirname, '../../../node_modules/.cache/connect-clients/go')

const ready = (process.env.OAUTH_LAB_CONNECT_CLIENTS ?? '').split(' ')

/** `describe` for tests of programs that `.ci/connect-clients` installs, such as those in Go. It names what is ready. */
export const needs = (programs: string) => describe.skipIf(!ready.includes(programs))
