import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** The tests that import fast-check get few-runs.ts, and few-runs.ts gets fast-check. */
const fewRuns = {
  name: 'few-runs',
  enforce: 'pre' as const,
  resolveId: (id: string, importer?: string) =>
    id === 'fast-check' && importer?.endsWith('.test.ts')
      ? join(import.meta.dirname, 'few-runs.ts')
      : undefined,
}

/** The unit tests of the room under mutation: they start no programs, so nothing is built. */
export default defineConfig({
  plugins: [fewRuns],
  test: {
    include: [`test/${process.env.OAUTH_LAB_ROOM}/**/*.test.ts`],
    runner: join(import.meta.dirname, 'mutant-runner.ts'),
    testTimeout: 30_000,
    // The files share one module graph: loading it again for each mutant takes longer than the tests.
    isolate: false,
  },
})
