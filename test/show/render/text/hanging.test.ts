import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hanging } from '../../../../src/show/render/text/text.js'
import { forAll } from '../../../support/for-all.js'

it('goes on below where the text began', () => {
  const text = 'bound to this pod: dies with it'
  const lines = ['  pod  bound to this pod:', '       dies with it']
  expect(hanging('  pod  ', text, { columns: 30 })).toEqual(lines)
  expect(hanging('  pod  ', text, {})).toEqual([`  pod  ${text}`])
  expect(hanging('x'.repeat(20), text, { columns: 30 })).toEqual(['x'.repeat(20) + text])
})

it('loses no word, and is no wider than the terminal unless a word is', async () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,15}$/), { minLength: 1 })
  await forAll(words, fc.integer({ min: 30, max: 100 }), (given, columns) => {
    const lines = hanging('name  ', given.join(' '), { columns })
    expect(lines.map(line => line.slice(6)).join(' ')).toBe(given.join(' '))
    for (const line of lines) expect(line.length).toBeLessThan(columns)
  })
})
