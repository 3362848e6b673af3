import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FACTS } from '../../../src/protocol/room/facts.js'
import { programInHome } from '../../commands/support.js'
import { jsonLines, runProgram } from '../../support/program.js'

const { home, env } = programInHome()
const left = () => readdirSync(tmpdir()).filter(name => name.startsWith('oauth-lab-rehearsal-'))

it('ten pupils do the lessons in a room of their own, and leave nothing', { timeout: 120_000 }, async () => {
  const before = left()
  const ports = ['--port', '0', '--http-port', '0']
  const args = ['workshop', 'rehearse', '--json', '--course', '45m', '--speed', '1000', ...ports]
  const { code, stdout, stderr } = await runProgram(args, { env: env(), limit: 100_000 })
  expect([code, stderr]).toEqual([0, ''])
  const [ready, ...facts] = jsonLines(stdout)
  expect(ready).toMatchObject({ type: 'workshop.ready', board: expect.stringMatching(/^https:/) })
  const done = facts.filter(({ fact }) => fact === 'task.done').map(({ who }) => who)
  expect(new Set(done).size).toBe(10)
  const kinds = new Set(facts.map(({ fact }) => fact))
  expect([...kinds].sort()).toEqual(FACTS.filter(each => each !== 'idle').sort())
  expect([existsSync(join(home(), 'lab/workshop.json')), left()]).toEqual([false, before])
})
