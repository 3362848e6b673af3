import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cleanEnv, run } from '../support/program.js'
import { describeWith, rigs } from '../support/requires.js'
import { root } from '../support/source-files.js'

describeWith([rigs], 'the tests against other projects', () => {
  // npm run check leaves them out: it runs without these packages.
  it.each(['.', 'bench-peers'])(
    'have no type errors: %s',
    async folder => {
      const tsc = join(root, 'node_modules/typescript/bin/tsc')
      const { code, stdout } = await run(process.execPath, [tsc, '-p', join(import.meta.dirname, folder)], {
        env: cleanEnv(root),
        limit: 120_000,
      })
      expect(code, stdout).toBe(0)
    },
    120_000,
  )
})
