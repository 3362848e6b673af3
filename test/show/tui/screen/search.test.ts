import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { line, plainText, span } from '../../../../src/show/render/text/spans.js'
import { hitsOf, marked } from '../../../../src/show/tui/screen/search.js'
import { forAll } from '../../../support/for-all.js'

describe('searching in a pane', () => {
  it('finds lines by any piece of them, upper and lower case alike', () => {
    const lines = [line('alg RS256'), [span('ex', 'name'), span('p 15:03')], line('EXP')]
    expect(hitsOf(lines, 'exp')).toEqual([1, 2])
    expect(hitsOf(lines, '')).toEqual([])
  })

  it('marks every place, across pieces too', () => {
    const drawn = marked([span('aex', 'name'), span('p exp')], 'EXP')
    expect(drawn.map(({ text, tone }) => `${tone}:${text}`)).toEqual([
      'name:a',
      'hit:ex',
      'hit:p',
      'plain: ',
      'hit:exp',
    ])
  })

  it('changes no text', () =>
    forAll(fc.array(fc.string({ unit: 'binary' })), fc.string({ unit: 'binary' }), (texts, wanted) => {
      const before = texts.map(text => span(text))
      expect(plainText(marked(before, wanted))).toBe(plainText(before))
    }))
})
