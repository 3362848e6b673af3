import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { cleanEnv, launcher, start, temporaryFolder } from '../../../support/program.js'

/** Milliseconds: 50 programs share few cores. */
const LIMIT = 240_000

it.each([
  ['50 flows at once in a new home all get their token', 50, 0],
  ['flows wait for none that was killed while it made the keys', 10, 20],
])('%s', { timeout: LIMIT }, async (_, flows, killed) => {
  const home = temporaryFolder()
  const env = cleanEnv(home.path)
  const flow = () =>
    start(process.execPath, [launcher, 'flow', 'code', '--client', 'demo'], { env, limit: LIMIT })
  const victims = Array.from({ length: killed }, flow)
  const all = Array.from({ length: flows }, flow)
  for (const { child } of victims) {
    await pause(50)
    child.kill('SIGKILL')
  }
  const ended = await Promise.all(all.map(each => each.ended))
  await Promise.all(victims.map(each => each.ended))
  for (const { code, stdout, stderr } of ended) {
    expect(stdout, stderr).toMatch(/^granted {2}alice -> demo/m)
    expect(code).toBe(0)
  }
  // One key and one authority, and nothing left of locks and drafts but those of the killed.
  const state = join(home.path, 'lab')
  expect(JSON.parse(readFileSync(join(state, 'signing-keys.json'), 'utf8')).keys).toHaveLength(1)
  if (killed === 0) expect(readdirSync(state).filter(name => /lock|\.\d+-/.test(name))).toEqual([])
  home.remove()
})
