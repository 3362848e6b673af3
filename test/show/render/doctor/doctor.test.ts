import { expect, it } from 'vitest'
import type { Finding } from '../../../../src/judge/doctor/finding.js'
import { findingLines } from '../../../../src/show/render/doctor/doctor.js'

const finding: Finding = {
  name: 'metadata',
  group: 'discovery',
  title: 'metadata is published',
  result: 'pass',
  rule: 'RFC 8414 §3',
  detail:
    '/.well-known/openid-configuration answered 200, /.well-known/oauth-authorization-server answered 200',
}

it('writes a finding on one line without a width', () => {
  const [line, ...more] = findingLines(finding, { ascii: false })
  expect(more).toEqual([])
  expect(line).toContain(finding.detail)
})

it('puts the evidence below the rule, wrapped, when the terminal is too narrow', () => {
  const lines = findingLines(finding, { ascii: false, columns: 80 })
  expect(lines).toEqual([
    '  ✓ pass   metadata                          RFC 8414 §3',
    '           /.well-known/openid-configuration answered 200,',
    '           /.well-known/oauth-authorization-server answered 200',
  ])
  expect(findingLines({ ...finding, detail: '302' }, { ascii: false, columns: 80 })).toHaveLength(1)
})

it('puts a rule without room beside the name below it', () => {
  const rule = 'draft-ietf-oauth-client-id-metadata-document-02 §4'
  const lines = findingLines({ ...finding, rule, detail: '400' } as Finding, { ascii: false, columns: 80 })
  expect(lines).toEqual(['  ✓ pass   metadata', `           ${rule}`, '           400'])
})

it('says below a broken rule what a good server does, and that an untried one was not tried', () => {
  const at = (result: Finding['result'], columns?: number) =>
    findingLines({ ...finding, result, detail: '404' }, { ascii: true, columns })
  for (const result of ['fault', 'weakness', 'remark'] as const) {
    expect(at(result, 100)).toEqual([
      expect.stringContaining('404'),
      '           right: metadata is published',
    ])
  }
  const move = { ...finding, result: 'fault', title: 'refused: redeems the code a second time' } as const
  expect(findingLines(move, { ascii: true })[1]?.trim()).toBe('to be refused: redeems the code a second time')
  expect(at('pass')).toHaveLength(1)
  expect(at('not_tried')).toEqual([expect.stringMatching(/ not tried: 404$/)])
  expect(findingLines({ ...finding, result: 'fault', ignored: true }, { ascii: true })).toHaveLength(1)
})

it('leaves a blank behind the longest name and the longest rule', () => {
  const longest = {
    name: 'resource-id-token-as-access-token',
    rule: 'OpenID Connect Core §3.1.2.2',
    detail: 'seen',
  }
  for (const ascii of [true, false]) {
    const [line] = findingLines({ ...finding, ...longest } as Finding, { ascii })
    expect(line).toMatch(/resource-id-token-as-access-token OpenID Connect Core (§|section )3\.1\.2\.2 seen$/)
  }
})
