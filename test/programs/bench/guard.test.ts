import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../support/program.js'

// A slow line: each request burns 15 ms of processor time.
const slow = `import { Server } from 'node:https'
const { emit } = Server.prototype
const used = start => (({ user, system }) => user + system)(process.cpuUsage(start))
Server.prototype.emit = function (name, ...rest) {
  if (name === 'request') for (const start = process.cpuUsage(); used(start) < 15_000; );
  return emit.call(this, name, ...rest)
}`

it('the guard fails when requests have become slow, and passes otherwise', { timeout: 240_000 }, async () => {
  const bench = join(import.meta.dirname, '../../bench')
  const { measureGuard } = await import(join(bench, 'guard.js'))
  const { isMet } = await import(join(bench, 'statistics.js'))
  const home = temporaryFolder()
  const file = join(home.path, 'slow.mjs')
  writeFileSync(file, slow)
  // Wide, because a lab that has just started is still compiling its code.
  const limits = { token: 5, 'code flow': 8, JWKS: 12 }
  const met = async (labFlags: string[]) => {
    const rows: string[][] = await measureGuard({ rounds: 1, part: 0.05, labFlags, limits })
    return rows.map(([, ratio, limit]) => isMet(ratio, limit))
  }
  expect(await met([])).toEqual([true, true, true])
  expect(await met(['--import', file])).toEqual([false, false, false])
  home.remove()
})
