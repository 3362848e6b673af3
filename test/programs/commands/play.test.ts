import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FlowRecord } from '../../../src/flows/step.js'
import { parseRecording } from '../../../src/session/playback/recording.js'
import { flowJson } from '../../../src/show/render/text/json.js'
import { ends } from '../../commands/support.js'
import { hostileRun, hostileText } from '../../show/render/hostile.js'
import { AFTERNOON } from '../../show/tui/serve/events.js'
import { FAILED, REFUSED, REPLAYED, RUN, STEPS } from '../../show/tui/steps.js'
import { cleanEnv, jsonLines, runProgram } from '../../support/program.js'
import { sharedFolder } from '../../support/shared.js'

const home = sharedFolder()
const env = cleanEnv(home.path)

const jsonOf = (records: readonly FlowRecord[], showSecrets = false) =>
  `${records.map(record => flowJson(record, { showSecrets })).join('\n')}\n`
const recording = jsonOf(RUN)

function file(name: string, text: string): string {
  const path = join(home.path, name)
  writeFileSync(path, text)
  return path
}
const run = file('run.jsonl', recording)

const play = (args: readonly string[], input?: string) =>
  runProgram(['play', ...args], { env, ...(input !== undefined && { input }) })

describe('readRecord', () => {
  it.each([
    ['a granted run', RUN],
    ['a refused run', [...STEPS.slice(0, 4), REPLAYED, REFUSED]],
    ['a failed run', [STEPS[0]!, FAILED]],
    [
      'a wrong move',
      [STEPS[0]!, { ...REFUSED, expected: true, tamper: { move: 'm', wanted: 'w', found: 'f' } }],
    ],
  ] as const)('reads what --json wrote, and writes the same again: %s', (_what, records) => {
    for (const showSecrets of [true, false]) {
      const text = jsonOf(records, showSecrets)
      expect(jsonOf(parseRecording(text, 'run.jsonl'), showSecrets)).toBe(text)
    }
  })

  it('reads hostile texts as texts', () => {
    fc.assert(
      fc.property(hostileText, text => {
        const records = hostileRun(text.toWellFormed())
        const written = jsonOf(records, true)
        expect(jsonOf(parseRecording(written, 'f'), true)).toBe(written)
      }),
      { numRuns: 40 },
    )
  })
})

describe('a broken file', () => {
  const lines = recording.trimEnd().split('\n')
  it.each([
    [
      'cut inside a line',
      recording.slice(0, -100),
      /broken\.jsonl, line 7: this is not JSON; was the file cut/,
    ],
    ['cut between lines', lines.slice(0, 5).join('\n'), /line 5: the file ends here without an outcome/],
    ['empty', '', /line 1: the recording is empty; did the command before it fail/],
    ['more after the end', `${recording}${lines[0]}\n`, /line 8: the run ended on the line before/],
    ['a blank line within', lines.join('\n\n'), /line 2: this is not JSON/],
    ['a list', '[]\n', /line 1: the line is not an object/],
    ['too many lines', `${lines[0]}\n`.repeat(1001), /line 1001: a run has at most 1000 lines/],
    ['binary', '\x00\xff\x1b[2J', /line 1: this is not JSON/],
  ])('is one usage error that names file and line: %s', async (_what, text, message) => {
    const { code, stdout, stderr } = await play([file('broken.jsonl', text)])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/\x1b|^\s+at /m)
    expect(stderr.trimEnd().split('\n').length).toBe(2)
  })
})

describe('play without a terminal', () => {
  it('prints the lines of the run, and exits with 0 for any outcome', async () => {
    const { code, stdout, stderr } = await play([run])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^3 {2}browser -> authorization server {2}POST \/authorization +302 /m)
    expect(stdout).toMatch(/^granted {2}alice -> demo/m)
    const refused = await play(['-'], jsonOf([...STEPS.slice(0, 4), REPLAYED, REFUSED]))
    expect([refused.code, refused.stdout]).toEqual([0, expect.stringMatching(/^refused {2}invalid_grant: /m)])
  })

  it('passes the records on with --json, and into a file with -o', async () => {
    expect((await play([run, '--json'])).stdout).toBe(recording)
    const copy = join(home.path, 'copy.jsonl')
    expect(await play([run, '--json', '-o', copy])).toMatchObject({ code: 0, stdout: '' })
    expect((await play([copy, '--json'])).stdout).toBe(recording)
  })

  it('writes it as sentences', async () => {
    const { code, stdout } = await play([run, '--screen-reader'], '\n'.repeat(10))
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Flow: authorization code\. Client: demo\. 6 steps\.$/m)
    expect(stdout).toMatch(/^Granted\. Access token for alice, for client demo\./m)
  })

  it.each([
    ['har', /^\{\n {2}"log": \{/],
    ['curl', /^#!\/bin\/sh\n/],
    ['mermaid', /^sequenceDiagram\n/],
    ['markdown', /^# Authorization code, client demo\n/],
  ])('writes it as %s', async (format, begin) => {
    const { code, stdout, stderr } = await play([run, '--export', format])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(begin)
  })

  it('shows hostile texts as text', async () => {
    const hostile = file('hostile.jsonl', jsonOf(hostileRun('\x1b]0;x\x07\u202e\r\n`$(id)`'), true))
    for (const more of [
      [],
      ['--json'],
      ['--export', 'markdown'],
      ['--export', 'curl'],
      ['--export', 'har'],
    ]) {
      const { code, stdout } = await play([hostile, ...more])
      expect(code).toBe(0)
      expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/)
    }
  })
})

const lines = AFTERNOON.map(each => JSON.stringify(each))
const text = `${lines.join('\n')}\n`
const events = file('events.jsonl', text)

describe('play with the events of a lab, in a pipe', () => {
  it.each([['from a file'], ['from stdin']])('prints a line for each: %s', async from => {
    const { code, stdout, stderr } = from === 'from stdin' ? await play(['-'], text) : await play([events])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.trimEnd().split('\n')).toHaveLength(lines.length)
    expect(stdout).toMatch(/^14:03:31Z {2}request\.answered +400 {2}POST {2}\/token {2}demo/m)
  })

  it('prints the same objects with --json', async () => {
    const { stdout } = await play([events, '--json'])
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
    expect(await play([events, '--export', 'har'])).toMatchObject(ends(2, '--export is for recorded flows'))
  })
})
