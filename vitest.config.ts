import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx', 'examples/vitest.test.ts'],
    globalSetup: ['test/support/build.ts'],
    // Many tests wait for programs that they start: a worker for each processor, not one less.
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
