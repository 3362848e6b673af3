import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadRules } from '../../../src/commands/rules.js'
import { splitRule } from '../../../src/protocol/rules/documents.js'
import { ruleBook, type Table } from '../../../src/protocol/rules/entry.js'
import { findRules, knownWords } from '../../../src/protocol/rules/find.js'
import { WEAK_MODES } from '../../../src/protocol/rules/weak-modes.js'
import { forAll } from '../../support/for-all.js'

const book = await loadRules()
const { documents, entries } = book
const found = (question: string) => findRules(book, question).map(({ rule }) => rule)

describe('rules by a question', () => {
  it.each(['6750', 'RFC 6750', 'rfc6750', ' rfc  6750 '])('%j is a document', question => {
    expect(found(question)).toEqual(entries.map(({ rule }) => rule).filter(rule => /^RFC 6750 /.test(rule)))
  })

  it('a section is itself and those below it, in every document or in one', () => {
    expect(found('RFC 6749 §4.1.2')).toEqual(['RFC 6749 §4.1.2', 'RFC 6749 §4.1.2.1'])
    expect(found('6749 §4.1.2')).toEqual(['RFC 6749 §4.1.2', 'RFC 6749 §4.1.2.1'])
    expect(found('§4.1.2')).toEqual(['RFC 6749 §4.1.2', 'RFC 6749 §4.1.2.1', 'RFC 9700 §4.1.2'])
    expect(found('rfc6749 Appendix B')).toEqual(['RFC 6749 Appendix B'])
    expect(found('openid connect core §16')).toContain('OpenID Connect Core §16.22')
    expect(found('§99')).toEqual([])
  })

  it('words are searched in sentences and names, all of them', () => {
    expect(found('invalid_dpop_proof')).toContain('RFC 9449 §4.3')
    expect(found('reuse-code')).toContain('RFC 6749 §4.1.2')
    expect(found('REFRESH rotated')).toContain('RFC 9700 §2.2.2')
    expect(found('refresh no-such-word')).toEqual([])
  })

  it('every rule is found by its own name, and every document by its number', () => {
    for (const { rule } of entries) expect(found(rule)).toContain(rule)
    for (const name of Object.keys(documents)) expect(found(name).length).toBeGreaterThan(0)
  })

  it('any text is a question', () =>
    forAll(fc.string(), text => findRules(book, text).length <= entries.length))

  it('suggestions are words that find something', () => {
    for (const word of knownWords(book)) expect(found(word), word).not.toEqual([])
  })
})

describe('where a rule lives', () => {
  const entry = (rule: string, from = entries) => from.find(each => each.rule === rule)
  const made = (index: string, tables: readonly Table[]) => ruleBook(documents, index, tables).entries

  it('follows from the index and the tables', () => {
    const moves = ['a', 'b'].map(name => ({ name, rule: 'RFC 6749 §6' as const }))
    const index = 'RFC 6749 §6 | authorization server: invalid_grant, invalid_scope | in lab: a\n'
    const from = made(index, [['tried', 'flow --tamper', moves]])
    expect(entry('RFC 6749 §6', from)).toMatchObject({
      must: true,
      covered: true,
      places: [
        { does: 'enforced', by: 'the authorization server', names: ['invalid_grant', 'invalid_scope'] },
        { does: 'followed', by: 'the lab', names: ['a'] },
        { does: 'tried', by: 'flow --tamper', names: ['a', 'b'] },
      ],
    })
  })

  it('is nowhere for a MUST that only comments name, or nothing', () => {
    const from = made('RFC 6749 §6 | in lab: a\n', [])
    expect(entry('RFC 6749 §6', from)?.covered).toBe(false)
    expect(entry('RFC 9470 §9', from)).toMatchObject({ places: [], covered: false })
    // No MUST, or a document that is here in part.
    expect(entry('RFC 9700 §4.14', from)?.covered).toBe(true)
    expect(entry('RFC 7519 §2', from)?.covered).toBe(true)
  })

  it('is also where a section demands the same', () => {
    const from = made('RFC 6749 §4.1.3 | authorization server: invalid_grant\n', [])
    expect(entry('RFC 6749 §10.6', from)).toMatchObject({
      places: [],
      repeats: 'RFC 6749 §4.1.3',
      covered: true,
    })
    expect(entry('RFC 6749 §10.5', from)).toMatchObject({ repeats: 'RFC 6749 §4.1.2', covered: false })
    // The section that another one repeats has places of its own.
    for (const { repeats } of entries) if (repeats) expect(entry(repeats)?.places, repeats).not.toEqual([])
  })

  it('has every kind of place', () => {
    const places = entries.flatMap(each => each.places)
    expect(new Set(places.map(({ does }) => does))).toEqual(
      new Set(['enforced', 'checked', 'followed', 'tried', 'examined', 'broken', 'attacked', 'taught']),
    )
    expect(entry('RFC 6749 §4.1.2')?.places).toContainEqual(
      expect.objectContaining({
        does: 'enforced',
        names: expect.arrayContaining(['code.replayed', 'invalid_grant']),
      }),
    )
    expect(entry('RFC 6749 §10.12')?.places).toContainEqual(
      expect.objectContaining({
        does: 'checked',
        names: expect.arrayContaining(['state', 'state_mismatch']),
      }),
    )
    for (const { name, rule } of WEAK_MODES) {
      expect(entry(rule)?.places).toContainEqual(
        expect.objectContaining({ does: 'broken', names: expect.arrayContaining([name]) }),
      )
    }
  })

  it('is in the order of documents and numbers', () => {
    const core = entries
      .map(({ rule }) => splitRule(rule))
      .filter(each => each.document === 'OpenID Connect Core')
    const sections = core.map(each => each.section)
    expect(sections.indexOf('§3.2.2.9')).toBeLessThan(sections.indexOf('§3.2.2.10'))
    expect(entries[0]?.rule).toBe('RFC 6749 §1.1')
  })
})
