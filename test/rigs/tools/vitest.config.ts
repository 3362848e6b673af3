import { defineConfig } from 'vitest/config'

/** The unit tests of the room under mutation: they start no programs, so nothing is built. */
export default defineConfig({
  test: { include: [`test/${process.env.OAUTH_LAB_ROOM}/**/*.test.ts`], testTimeout: 30_000 },
})
