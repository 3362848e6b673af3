import { defineConfig } from 'vitest/config'

/** Tests of other people's programs, of whole programs of ours, and everything else: functions and records. */
const rigs = 'test/rigs/**/*.test.ts'
const programs = 'test/programs/**/*.test.ts'

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
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
        test: { name, include, globalSetup: ['test/support/build.ts'] },
      })),
    ],
    // Many tests wait for programs that they start: a worker for each processor, not one less.
    maxWorkers: '100%',
  },
})
