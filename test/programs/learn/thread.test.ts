import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadLabConfig } from '../../../src/lab/lab-file/config.js'
import { judgeProbe } from '../../../src/learn/engine/vocabulary.js'
import type { ProbeName } from '../../../src/learn/model.js'
import { runProbe } from '../../../src/learn/probe/run-probe.js'
import {
  CHECKS,
  SKELETON_NAMES,
  SKELETONS,
  type SkeletonName,
  skeletonText,
} from '../../../src/learn/skeletons.js'
import { describeWith } from '../../support/requires.js'
import { sharedFolder } from '../../support/shared.js'

const folder = sharedFolder()

async function verdictOn(name: SkeletonName, lesson: number, probe: ProbeName): Promise<string> {
  const { file, command } = SKELETONS[name]
  await writeFile(join(folder.path, file), await skeletonText(name, lesson))
  const config = await loadLabConfig(null)
  const report = await runProbe(probe, {
    command,
    folder: folder.path,
    home: join(folder.path, 'lab'),
    config,
    client: config.clients.find(each => each.client_id === 'demo')!,
    user: { username: 'alice', password: 'wonderland' },
  })
  const verdict = judgeProbe(report)
  return verdict === 'passed' || report.failed
    ? verdict
    : `${verdict}\n${JSON.stringify(report.runs, undefined, 1)}`
}

const steps = Object.values(CHECKS)
/** Steps that are run in every language. JavaScript runs all of them; the other languages too with OAUTH_LAB_STEPS=all. */
const sampled = steps.filter(({ lesson }) => [4, 5, 14].includes(lesson))
const runFor = (name: SkeletonName) =>
  name === 'javascript' || process.env.OAUTH_LAB_STEPS === 'all' ? steps : sampled
const needs = { javascript: 'node', python: 'python3', shell: 'openssl', go: 'go' } as const

describe.each(SKELETON_NAMES)('the client in %s', name => {
  const linesAt = async (lesson: number) => (await skeletonText(name, lesson)).split('\n')

  it('gains lines with each lesson, and changes two at most', async () => {
    for (const { lesson } of steps) {
      const before = await linesAt(lesson)
      const after = await linesAt(lesson + 1)
      const left = before.filter(line => !after.includes(line))
      expect(after.length, `lesson ${lesson}`).toBeGreaterThanOrEqual(before.length)
      expect(after).not.toEqual(before)
      expect(left.length, left.join('\n')).toBeLessThanOrEqual(2)
    }
  })

  describeWith([needs[name]], 'at the lab', () => {
    it('redeems its code in three steps', { timeout: 240_000 }, async () => {
      expect(await verdictOn(name, 1, 'code')).toBe('passed')
    })

    it.each(runFor(name))(
      'passes $probe after lesson $lesson',
      { timeout: 240_000 },
      async ({ lesson, probe }) => {
        expect(await verdictOn(name, lesson + 1, probe)).toBe('passed')
      },
    )

    it.each(runFor(name))(
      'fails $probe before lesson $lesson',
      { timeout: 240_000 },
      async ({ lesson, probe }) => {
        expect(await verdictOn(name, lesson, probe)).toMatch(
          /^(?:Your client (?!printed|wants)|The token of your client|The server refused the secret)/,
        )
      },
    )

    it.each(['at_hash', 'access-token', 'opaque'] as const)(
      'passes %s at its end',
      { timeout: 240_000 },
      async probe => {
        expect(await verdictOn(name, 15, probe)).toBe('passed')
      },
    )
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
