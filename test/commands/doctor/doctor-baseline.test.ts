import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isKnown, mended, readBaseline } from '../../../src/commands/doctor/doctor-baseline.js'
import type { Finding } from '../../../src/flows/doctor/finding.js'
import { temporaryFolder } from '../../support/program.js'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const finding = (result: Finding['result'], name = 'jwks'): Finding => ({
  ...{ group: 'keys', name, title: 'keys', rule: 'RFC 7517 §4.1', detail: '', result },
})

function written(text: string): string {
  const file = join(folder.path, 'known.json')
  writeFileSync(file, text)
  return file
}

describe('a baseline', () => {
  it('holds what is broken in a report', async () => {
    const findings = [finding('remark'), finding('pass', 'good'), finding('not_tried', 'other')]
    const file = written(JSON.stringify({ score: {}, findings }))
    expect([...(await readBaseline(file))]).toEqual([['jwks', 'remark']])
  })

  it.each([
    ['remark', 'remark', true],
    ['remark', 'weakness', false],
    ['weakness', 'fault', false],
    ['fault', 'remark', true],
    ['fault', 'pass', false],
    ['fault', 'not_tried', false],
  ] as const)('a %s that is now a %s is known: %s', (before, now, known) => {
    expect(isKnown(finding(now), new Map([['jwks', before]]))).toBe(known)
  })

  it('names what is mended, and not what was not tried', () => {
    const baseline = new Map([
      ['jwks', 'fault'],
      ['other', 'fault'],
    ] as const)
    expect(mended(baseline, [finding('pass'), finding('not_tried', 'other')])).toEqual(['jwks'])
  })

  it.each([
    ['', 'it has no list "findings"'],
    ['[1]', 'it has no list "findings"'],
    ['{"findings": {}}', 'it has no list "findings"'],
    ['{\n"findings": [\n{"name": "jwks" "result": "fault"}\n]}', 'line 3: '],
    ['{\n"findings": [\n', 'line 3: '],
    ['{"findings": [\n{"name": "a", "result": "pass"},\n7]}', 'line 3: a finding without name or result'],
    ['{"findings": [\n{"result": "fault"}]}', 'line 2: a finding without name or result'],
  ])('refuses %j with its line', async (text, reason) => {
    await expect(readBaseline(written(text))).rejects.toThrow(`is no report of the doctor: ${reason}`)
  })
})
