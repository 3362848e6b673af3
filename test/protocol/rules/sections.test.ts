import { expect, expectTypeOf, it } from 'vitest'
import { ruleUri } from '../../../src/protocol/oauth/rule-uri.js'
import { DOCUMENTS, splitRule } from '../../../src/protocol/rules/documents.js'
import {
  type Citation,
  foreignRule,
  joinRules,
  type PlanRule,
  planRule,
  type Rule,
  type SectionOf,
} from '../../../src/protocol/rules/rule.js'
import { MUSTS, OTHERS } from '../../../src/protocol/rules/sections.js'
import { filesBelow, read } from '../../support/source-files.js'

const sentences = Object.entries({ ...MUSTS, ...OTHERS }) as [Rule, string][]

it('has every section once', () => {
  const both = Object.keys(MUSTS).filter(rule => Object.hasOwn(OTHERS, rule))
  expect(both).toEqual([])
  const written = filesBelow('src/protocol/rules/sections').flatMap(file =>
    [...read(file).matchAll(/^ {2}'([^']+ (?:§|Appendix )[^']+)':/gm)].map(each => each[1]),
  )
  expect(written.filter((rule, i) => written.indexOf(rule) !== i)).toEqual([])
  expect(new Set(written)).toEqual(new Set(Object.keys({ ...MUSTS, ...OTHERS })))
})

it.each(sentences)('%s is one sentence, for a line or two', (_rule, sentence) => {
  expect(sentence).toMatch(/^[A-Za-z0-9][^\n]*\.$/)
  expect(sentence.length).toBeLessThanOrEqual(130)
})

it.each(sentences.map(([rule]) => rule))('%s is in a document with a title', rule => {
  const { document, section } = splitRule(rule)
  expect(DOCUMENTS[document]?.title).toMatch(/\S/)
  expect(`${document} ${section}`).toBe(rule)
})

it.each(sentences.map(([rule]) => rule).filter(rule => /^(?:RFC|OpenID|draft)/.test(rule)))(
  '%s has an address',
  rule => expect(ruleUri(rule)).toMatch(/^https:\/\//),
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
