import { join } from 'node:path'
import { describe } from 'vitest'

/** The folder of the programs that `.ci/connect-clients` builds. */
export const goPrograms = join(import.meta.dirname, '../../../node_modules/.cache/connect-clients/go')

const ready = (process.env.OAUTH_LAB_CONNECT_CLIENTS ?? '').split(' ')

/** `describe` for tests of programs in a language. `.ci/connect-clients` installs the programs, and names the languages that are ready. */
export const needs = (language: string) => describe.skipIf(!ready.includes(language))
