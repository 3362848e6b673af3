import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SKELETONS, skeletonText } from '../../../src/learn/skeletons.js'
import { ends } from '../../commands/support.js'
import { launcher, run } from '../../support/program.js'
import { sharedFolder } from '../../support/shared.js'

const folder = sharedFolder()

const learn = (...args: string[]) =>
  run(process.execPath, [launcher, 'learn', ...args], {
    env: { ...process.env, OAUTH_LAB_HOME: folder.path },
  })

it('start writes the client once, and check judges its step', { timeout: 120_000 }, async () => {
  const path = join(folder.path, 'client', SKELETONS.javascript.file)
  const { stdout } = await learn('start', '3')
  expect(stdout).toContain(`oauth-lab learn check -- node ${path}`)
  expect(readFileSync(path, 'utf8')).toBe(await skeletonText('javascript', 3))

  await learn('answer', 'a')
  const before = await learn('check', '--', process.execPath, path)
  expect(before.code).toBe(1)
  expect(before.stdout).toMatch(/expected .*\n.*received/)
  expect(before.stdout.replace(/\s+/g, ' ')).toContain('It takes an answer at any address')

  writeFileSync(path, await skeletonText('javascript', 4))
  const after = await learn('check', '--json', '--', process.execPath, path)
  expect(JSON.parse(after.stdout)).toMatchObject({
    lesson: '03-registered-addresses',
    task: 'client',
    done: true,
  })
  expect(after.code).toBe(0)
  // The file is as the program writes it for the next lesson.
  expect((await learn('progress')).stdout).toContain('1 solution shown')

  await learn('start', '3')
  expect(readFileSync(path, 'utf8')).toBe(await skeletonText('javascript', 4))
})

it('check names the way for a lesson without a step', async () => {
  await learn('start', '10')
  await learn('answer', 'a')
  expect(await learn('check', '--', process.execPath, 'client.mjs')).toMatchObject(ends(2, 'runs no client'))
})
