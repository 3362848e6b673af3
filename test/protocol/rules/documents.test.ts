import { expect, expectTypeOf, it } from 'vitest'
import { ruleUri } from '../../../src/protocol/oauth/oauth-error.js'
import { type Rule, ruleDocuments, splitRule } from '../../../src/protocol/rules/documents.js'
import {
  type Citation,
  foreignRule,
  joinRules,
  type PlanRule,
  planRule,
  type SectionOf,
} from '../../../src/protocol/rules/rule.js'
import { filesBelow } from '../../support/source-files.js'

const documents = Object.entries(await ruleDocuments())

it('are the files of content/rules, each once', () => {
  const files = filesBelow('content/rules').filter(file => file.endsWith('.json'))
  expect(new Set(documents.map(([, document]) => JSON.stringify(document))).size).toBe(files.length)
})

it.each(documents)(
  '%s has a title, and each section once, in one sentence',
  (name, { title, must, other }) => {
    expect(title).toMatch(/\S/)
    const sections = [...Object.entries(must ?? {}), ...Object.entries(other ?? {})]
    expect(new Set(sections.map(([section]) => section)).size).toBe(sections.length)
    for (const [section, sentence] of sections) {
      expect(section).toMatch(/^(?:§|Appendix )/)
      expect(sentence).toMatch(/^[A-Za-z0-9][^\n]*\.$/)
      expect(sentence.length).toBeLessThanOrEqual(130)
      const rule = `${name} ${section}` as Rule
      expect(splitRule(rule)).toEqual({ document: name, section })
      if (/^(?:RFC|OpenID|draft)/.test(rule)) expect(ruleUri(rule), rule).toMatch(/^https:\/\//)
    }
  },
)

it('refuses a misspelt section at compile time', () => {
  expectTypeOf<'RFC 6749 §4.1.2.1'>().toExtend<Rule>()
  expectTypeOf<'RFC 6749 §4.1.2.11'>().not.toExtend<Citation>()
  expectTypeOf<'RFC 6749'>().not.toExtend<Citation>()
  expectTypeOf<string>().not.toExtend<Citation>()
  expectTypeOf<'6749 §4.1.2'>().toExtend<PlanRule>()
  expectTypeOf<'6749 §4.12'>().not.toExtend<PlanRule>()
  expectTypeOf<'12.5.3'>().toExtend<SectionOf<'RFC 9110'>>()
  expectTypeOf<'12.5.9'>().not.toExtend<SectionOf<'RFC 9110'>>()
})

it('joins rules, and takes those of others as they are', () => {
  expect(joinRules('RFC 7522 §3', 'XMLDSig §3.2')).toBe('RFC 7522 §3, XMLDSig §3.2')
  expect(foreignRule('RFC 1 §2')).toBe('RFC 1 §2')
  expect(planRule('RFC 6749 §4.1.1')).toBe('6749 §4.1.1')
  expect(planRule('OpenID Connect Core §2')).toBe('OpenID Connect Core §2')
})
