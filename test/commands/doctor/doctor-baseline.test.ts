import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  baselineRemarks,
  isKnown,
  mended,
  readBaseline,
} from '../../../src/commands/doctor/doctor-options.js'
import type { Finding } from '../../../src/judge/doctor/finding.js'
import { sharedFolder } from '../../support/shared.js'

const folder = sharedFolder()

const finding = (result: Finding['result'], name = 'jwks'): Finding => ({
  group: 'keys',
  name,
  title: 'keys',
  rule: 'RFC 7517 §4.1',
  detail: '',
  result,
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
    expect(await readBaseline(file)).toEqual({ broken: new Map([['jwks', 'remark']]) })
  })

  it.each([
    [{}, []],
    [{ issuer: 'https://id.example', client_id: 'web' }, []],
    [
      { issuer: 'https://old.example' },
      ['The baseline is of https://old.example, and this is https://id.example.'],
    ],
    [{ client_id: 'app' }, ['The baseline was written as the client app, and this is web.']],
    [
      { findings: [finding('fault', 'of-old'), finding('fault', 'wrong-secret')] },
      ['The baseline names findings that this version does not have: of-old'],
    ],
  ])('of %j may hide what is new: %j', async (report, remarks) => {
    const baseline = await readBaseline(written(JSON.stringify({ findings: [], ...report })))
    expect(baselineRemarks(baseline, { issuer: 'https://id.example', clientId: 'web' })).toEqual(remarks)
  })

  it('of another port of this computer is one of the same lab', async () => {
    const baseline = await readBaseline(written('{"issuer":"https://localhost:1","findings":[]}'))
    expect(baselineRemarks(baseline, { issuer: 'https://localhost:2', clientId: 'web' })).toEqual([])
  })

  it.each([
    ['remark', 'remark', true],
    ['remark', 'weakness', false],
    ['weakness', 'fault', false],
    ['fault', 'remark', true],
    ['fault', 'pass', false],
    ['fault', 'not_tried', false],
  ] as const)('a %s that is now a %s is known: %s', (before, now, known) => {
    expect(isKnown(finding(now), { broken: new Map([['jwks', before]]) })).toBe(known)
  })

  it('names what is mended, and not what was not tried', () => {
    const broken = new Map([
      ['jwks', 'fault'],
      ['other', 'fault'],
    ] as const)
    expect(mended({ broken }, [finding('pass'), finding('not_tried', 'other')])).toEqual(['jwks'])
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
