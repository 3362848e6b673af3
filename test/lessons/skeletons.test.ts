import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadLabConfig } from '../../src/lab/config.js'
import { judgeProbe } from '../../src/lessons/probe/judge.js'
import { runProbe } from '../../src/lessons/probe/run-probe.js'
import { SKELETON_NAMES, SKELETONS, skeletonText } from '../../src/lessons/skeleton/skeletons.js'
import { temporaryFolder } from '../support/program.js'
import { findProgram } from '../support/requires.js'

let folder: ReturnType<typeof temporaryFolder>
beforeAll(() => {
  folder = temporaryFolder()
})
afterAll(() => folder.remove())

async function verdictOn(name: (typeof SKELETON_NAMES)[number], lesson: number): Promise<string> {
  const { file, command } = SKELETONS[name]
  await writeFile(join(folder.path, file), skeletonText(name, lesson))
  const config = await loadLabConfig(null)
  const report = await runProbe('state', {
    command,
    folder: folder.path,
    home: join(folder.path, 'lab'),
    config,
    client: config.clients.find(each => each.client_id === 'demo')!,
    user: { username: 'alice', password: 'wonderland' },
  })
  return judgeProbe(report)
}

describe.each(SKELETON_NAMES)('the client in %s', name => {
  const [program] = SKELETONS[name].command
  const missing = findProgram(program) === undefined
  const skipped = missing ? ` (skipped: ${program} is not installed)` : ''

  it.skipIf(missing)(`passes the probe of state with its check${skipped}`, { timeout: 240_000 }, async () => {
    expect(await verdictOn(name, 6)).toBe('passed')
  })

  it.skipIf(missing)(`fails it without${skipped}`, { timeout: 240_000 }, async () => {
    expect(await verdictOn(name, 1)).toContain('sends no state')
  })
})

it('a program that is no client is reported with what it wrote', { timeout: 60_000 }, async () => {
  const config = await loadLabConfig(null)
  const options = { folder: folder.path, home: join(folder.path, 'lab'), config, client: config.clients[0]! }
  const user = { username: 'alice', password: 'wonderland' }
  const silent = await runProbe('state', {
    ...options,
    user,
    command: [process.execPath, '-e', 'console.log("hello")'],
  })
  expect(judgeProbe(silent)).toMatch(
    /^Your client printed no address of https:\/\/localhost:\d+ to open\. It wrote: hello$/,
  )
  const absent = await runProbe('state', { ...options, user, command: ['no-such-program'] })
  expect(judgeProbe(absent)).toContain('no-such-program cannot be started')
})
