import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../support/program.js'

const bench = join(import.meta.dirname, '../../bench')
const { isMet } = await import(join(bench, 'statistics.js'))

// A slow line: each request burns 15 ms of processor time.
const slow = `import { Server } from 'node:https'
const { emit } = Server.prototype
const used = start => (({ user, system }) => user + system)(process.cpuUsage(start))
Server.prototype.emit = function (name, ...rest) {
  if (name === 'request') for (const start = process.cpuUsage(); used(start) < 15_000; );
  return emit.call(this, name, ...rest)
}`

it('the guard fails when requests have become slow, and passes otherwise', { timeout: 480_000 }, async () => {
  const { measureGuard } = await import(join(bench, 'guard.js'))
  const home = temporaryFolder()
  const file = join(home.path, 'slow.mjs')
  writeFileSync(file, slow)
  // Wide, because a lab that has just started is still compiling its code.
  const limits = { token: 5, 'code flow': 8, JWKS: 12, userinfo: 12 }
  const met = async (labFlags: string[], beside = {}) => {
    const rows: string[][] = await measureGuard({ rounds: 1, part: 0.05, labFlags, limits, ...beside })
    return rows.map(([, ratio, limit]) => isMet(ratio, limit))
  }
  expect(await met([])).toEqual(Array(4).fill(true))
  expect(await met(['--import', file])).toEqual(Array(4).fill(false))
  const earlier = { name: 'this tree', launcher: join(bench, '../../bin/oauth-lab.js') }
  expect(await met(['--import', file], { earlier })).toEqual(Array(4).fill(false))
  home.remove()
})

it('the guard fails when programs start slowly', { timeout: 240_000 }, async () => {
  const { measureGuardStart } = await import(join(bench, 'guard-start.js'))
  const { figures } = await import(join(bench, 'guard.js'))
  const home = temporaryFolder()
  const file = join(home.path, 'slow.mjs')
  // A second of processor time more: 25 times as much as `node -e 0` takes, and ten times with extra CAs.
  writeFileSync(
    file,
    'const used = ({ user, system }) => user + system; while (used(process.cpuUsage()) < 1_200_000);',
  )
  const twice = (limits: Record<string, number>) =>
    Object.fromEntries(Object.entries(limits).map(([name, limit]) => [name, 2 * limit]))
  const limits = Object.fromEntries(
    Object.entries<Record<string, number>>(figures.start).map(([where, each]) => [where, twice(each)]),
  )
  const rows: string[][] = await measureGuardStart({ rounds: 1, flags: ['--import', file], limits })
  expect(rows.filter(([, ratio, limit]) => isMet(ratio, limit))).toEqual([])
  home.remove()
})
