import { join } from 'node:path'

/** The room under mutation and the source files to mutate, set by mutation.js. A tool that only reads this file sets neither. */
const { OAUTH_LAB_ROOM: room = '', OAUTH_LAB_MUTATE: files = '' } = process.env
const folder = '.stryker'
const report = room.replaceAll('/', '-')

export default {
  mutate: [files],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', join(import.meta.dirname, 'ignore-messages.js')],
  ignorers: ['messages'],
  vitest: { configFile: 'test/rigs/tools/vitest.config.ts', related: false },
  // A mutant runs only the tests that reach it.
  coverageAnalysis: 'perTest',
  // Code that runs while a module loads is reached before any test: each such mutant would run every test of the room.
  ignoreStatic: true,
  concurrency: 2,
  // Mutants that loop are ended after this time. A shorter one counts slow mutants as killed on a busy machine.
  timeoutMS: 10_000,
  // Later runs reuse the results of mutants whose code and tests did not change.
  incremental: true,
  incrementalFile: join(folder, `${report}-incremental.json`),
  tempDirName: join(folder, 'sandbox'),
  ignorePatterns: ['dist', 'docs', '.vitest', '*.tgz'],
  reporters: ['progress-append-only', 'clear-text', 'json'],
  allowConsoleColors: false,
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: join(folder, `${report}.json`) },
}
