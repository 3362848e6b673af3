import { describe, expect, it } from 'vitest'
import { loadRules } from '../../../src/commands/rules.js'
import type { RuleEntry } from '../../../src/protocol/rules/entry.js'
import { countLine, documentLines, ruleLines } from '../../../src/show/render/rule-lines.js'

const entry: RuleEntry = {
  rule: 'RFC 6749 §6',
  must: true,
  sentence: 'A refresh token works for its own client only, and never for more scope than was granted.',
  places: [{ does: 'enforced', by: 'the authorization server', names: ['invalid_grant', 'invalid_scope'] }],
  covered: true,
}

describe('rules as lines', () => {
  it('have the section, the sentence and the places', () => {
    expect(ruleLines([entry], 60)).toEqual([
      'RFC 6749 §6  MUST',
      '  A refresh token works for its own client only, and never',
      '  for more scope than was granted.',
      '    enforced by the authorization server: invalid_grant,',
      '      invalid_scope',
      '',
      '1 rule, 1 with a MUST, 0 of them not covered',
    ])
  })

  it('say so for a rule without a check', () => {
    const followed = { does: 'followed', by: 'the lab', names: ['certificates'] } as const
    const bare: RuleEntry = { ...entry, places: [followed], covered: false }
    expect(ruleLines([bare], 100)).toEqual(
      expect.arrayContaining(['    not covered by a check', '    followed by the lab: certificates']),
    )
    expect(ruleLines([{ ...entry, places: [], must: false }], 100)).toContain(
      '    an explanation, kept by no check',
    )
    expect(countLine([entry, bare])).toBe('2 rules, 2 with a MUST, 1 of them not covered')
  })

  it.each([60, 79, 120])('fit %d columns', async columns => {
    const book = await loadRules()
    const { entries } = book
    for (const line of [...ruleLines(entries, columns), ...documentLines(book, columns)]) {
      expect(line.length, line).toBeLessThanOrEqual(columns)
    }
    expect(documentLines(book, columns).at(-1)).toBe(countLine(entries))
  })
})
