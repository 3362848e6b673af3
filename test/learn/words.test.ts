import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findWord, readWords, wordForms } from '../../src/commands/learn/word.js'
import { builtInLessons } from '../../src/learn/lesson-list.js'
import type { Lesson } from '../../src/learn/model.js'
import { forAll } from '../support/for-all.js'

const lessons = await builtInLessons()
const WORDS = await readWords()

/** The texts of a lesson that a learner reads, without the lines of the solutions. */
function readBy({ opening, prediction, tasks, explanation, remember, stretch }: Lesson): string {
  const options = prediction.options.flatMap(({ text, reply }) => [text, reply])
  const told = tasks.flatMap(({ say, hints }) => [...say, hints.question, hints.place])
  return [...opening, prediction.question, ...options, ...told, ...explanation, ...remember, ...stretch].join(
    '\n',
  )
}

/** True when a text has the term as words of its own: not as a part of a longer term, an address or an option. */
function uses(whole: string, term: string): boolean {
  const longer = WORDS.filter(each => each.term !== term && each.term.includes(term))
  const text = longer.reduce((left, each) => left.replaceAll(each.term, ''), whole)
  const quoted = term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s+')
  return new RegExp(`(?<![\\w/=-])${quoted}s?(?![\\w=-])`).test(text)
}

describe('the words of the trade', () => {
  it('are about 60', () => {
    expect(WORDS.length).toBeGreaterThanOrEqual(60)
    expect(WORDS.length).toBeLessThanOrEqual(90)
  })

  it.each(WORDS)('$term is explained in two sentences', ({ explanation, lesson }) => {
    expect(explanation).toHaveLength(2)
    for (const sentence of explanation) expect(sentence).toMatch(/^[A-Z][^\n]*[^.]\.$/)
    expect(explanation.join(' ').length).toBeLessThanOrEqual(260)
    expect(lesson).toBeGreaterThanOrEqual(0)
    expect(lesson).toBeLessThanOrEqual(28)
  })

  it('are not used before their lesson', () => {
    const early = lessons.flatMap(lesson => {
      const text = readBy(lesson)
      return WORDS.filter(word => word.lesson > Number(lesson.name.slice(0, 2)) && uses(text, word.term)).map(
        ({ term }) => `${lesson.name}: ${term}`,
      )
    })
    expect(early).toEqual([])
  })

  it('are used in lesson 1 as its text stands, so that the test above can fail', () => {
    const first = lessons.find(({ name }) => name.startsWith('01'))!
    expect(uses(readBy(first), 'resource owner')).toBe(true)
    expect(uses(readBy(first), 'mix-up')).toBe(false)
  })
})

describe('findWord', () => {
  it('finds a word by each of its forms, however they are spelt', () => {
    for (const word of WORDS) expect(findWord(WORDS, word.term), word.term).toBe(word)
    for (const form of wordForms(WORDS)) {
      expect(findWord(WORDS, form)).toBeDefined()
      expect(findWord(WORDS, ` ${form.toUpperCase().replaceAll('_', '-')} `)).toBe(findWord(WORDS, form))
    }
    expect(findWord(WORDS, 'Resource  Owner')?.term).toBe('resource owner')
    expect(findWord(WORDS, 'redirect uri')?.term).toBe('redirect_uri')
    expect(findWord(WORDS, 'openid')?.term).toBe('OpenID Connect')
  })

  it('has each form once', () => {
    const forms = wordForms(WORDS).map(form => form.toLowerCase())
    expect(forms.filter((form, i) => forms.indexOf(form) !== i)).toEqual([])
  })

  it('finds nothing for other texts', async () => {
    expect(findWord(WORDS, '')).toBeUndefined()
    expect(findWord(WORDS, 'ownr')).toBeUndefined()
    await forAll(fc.string(), text => {
      const word = findWord(WORDS, text)
      return word === undefined || WORDS.includes(word)
    })
  })
})
