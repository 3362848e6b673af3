import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ends } from '../../../commands/support.js'
import { AFTERNOON } from '../../../show/tui/serve/events.js'
import { cleanEnv, jsonLines, runProgram, temporaryFolder } from '../../../support/program.js'

const home = temporaryFolder()
afterAll(home.remove)
const env = cleanEnv(home.path)

const lines = AFTERNOON.map(each => JSON.stringify(each))
const text = `${lines.join('\n')}\n`
const file = join(home.path, 'events.jsonl')
writeFileSync(file, text)

const play = (args: readonly string[], input?: string) =>
  runProgram(['play', ...args], { env, ...(input !== undefined && { input }) })

describe('play with the events of a lab, in a pipe', () => {
  it.each([['from a file'], ['from stdin']])('prints a line for each: %s', async from => {
    const { code, stdout, stderr } = from === 'from stdin' ? await play(['-'], text) : await play([file])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.trimEnd().split('\n')).toHaveLength(lines.length)
    expect(stdout).toMatch(/^14:03:31Z {2}request\.answered +400 {2}POST {2}\/token {2}demo/m)
  })

  it('prints the same objects with --json', async () => {
    const { stdout } = await play([file, '--json'])
    expect(jsonLines(stdout)).toEqual(AFTERNOON)
  })

  it('counts and names broken lines, and goes on', async () => {
    const { code, stdout, stderr } = await play(
      ['-', '--plain'],
      `${lines[0]}\n{"cut":\n${lines.slice(1).join('\n')}`,
    )
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n')).toHaveLength(lines.length)
    expect(stderr).toBe('oauth-lab: stdin: 1 broken line (2), left out\n')
  })

  it('says what --export is for', async () => {
    const { code, stderr } = await play([file, '--export', 'har'])
    expect(code).toBe(2)
    expect(stderr).toContain('--export is for recorded flows')
  })

  it('says that there is no such file', async () => {
    expect(await play([join(home.path, 'none.jsonl')])).toMatchObject(ends(2, '(ENOENT)'))
  })
})
