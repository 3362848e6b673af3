import { expect, it } from 'vitest'
import type { Finding } from '../../src/flows/doctor/finding.js'
import { findingLines } from '../../src/render/doctor.js'

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
