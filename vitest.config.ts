import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Tests of other people's programs, of whole programs of ours, and everything else: functions and records. */
const rigs = 'test/rigs/**/*.test.ts'
const programs = 'test/programs/**/*.test.ts'

/** Small files that take minutes. Without records of earlier runs, vitest starts the large files first. */
const LONG =
  /(commands\/help-examples|learn\/(built-in|option-runs|thread)|pages\/shell|attacks\/cells|explain\/(chromium|firefox))\.test\.ts$/

/** Starts the long files first, so that no processor idles while the last one runs. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter(each => !isLong(each))]
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A busy machine makes a test slow, and not wrong.
    expect: { poll: { timeout: 20_000 } },
    setupFiles: ['test/support/own-terminal.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.{ts,tsx}', 'examples/vitest.test.ts'],
          exclude: [rigs, programs, '**/node_modules/**'],
          // Loading the same modules again for each file would take longer than the tests.
          isolate: false,
        },
      },
      ...[
        { name: 'programs', include: [programs] },
        { name: 'rigs', include: [rigs] },
      ].map(({ name, include }) => ({
        extends: true as const,
        test: {
          name,
          include,
          globalSetup: ['test/support/build.ts'],
          // A busy machine makes these tests slow, and not wrong.
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      })),
    ],
    // Many tests wait for programs that they start: a worker for each processor, not one less.
    maxWorkers: '100%',
    // Concurrent tests of a file. Another file runs beside them, and more would only make their programs time out.
    maxConcurrency: 2,
  },
})
