import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fenced, markdown, markdownText } from '../../../../src/show/render/exports/markdown.js'
import { forAll } from '../../../support/for-all.js'
import { REFUSED, REPLAYED, RUN, STEPS } from '../../tui/steps.js'
import { exportOptions, hostileRun, hostileText } from '../hostile.js'

describe('markdown', () => {
  it('writes a run for a reader', async () => {
    await expect(markdown(RUN, exportOptions)).toMatchFileSnapshot('./run.md')
  })

  it('names what was refused and by which rule', () => {
    const text = markdown([...STEPS.slice(0, 4), REPLAYED, REFUSED], exportOptions)
    expect(text).toMatch(
      /\*\*refused\*\*: invalid\\_grant\. .*\(\[RFC 6749 §4\.1\.2\]\(https:\/\/www\.rfc-editor\.org/,
    )
  })

  it('masks secrets unless they are to be shown', () => {
    expect(markdown(RUN, exportOptions)).not.toMatch(/wonderland|s3cretvalue|eyJ[\w-]{40}|k3V9wTz/)
    expect(markdown(RUN, { ...exportOptions, showSecrets: true })).toMatch(/wonderland/)
  })

  it.each([
    ['a|b', 'a\\|b'],
    ['[x](y)', '\\[x\\](y)'],
    ['<b>&amp;', '\\<b\\>&amp;amp;'],
    ['- item', '\\- item'],
    ['1. item', '1\\. item'],
    ['https://x', 'https\\://x'],
    ['two\nlines', 'two␊lines'],
  ])('%j is written %s', (text, written) => expect(markdownText(text)).toBe(written))

  it('closes a block only at its own fence', () =>
    forAll(hostileText, text => {
      const [open = '', ...lines] = fenced(text, 'http')
      const fence = /^`+/.exec(open)![0]
      expect(lines.at(-1)).toBe(fence)
      expect(lines.slice(0, -1).some(line => line.includes(fence))).toBe(false)
    }))

  it('keeps text from outside out of tables, headings, HTML and the terminal', () => {
    fc.assert(
      fc.property(hostileText, text => {
        const written = markdown(hostileRun(text), exportOptions)
        expect(written).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/)
        let fence: string | undefined
        let headings = 0
        for (const line of written.split('\n')) {
          const found = /^`{3,}/.exec(line)?.[0]
          if (fence === undefined && found) fence = found
          else if (fence !== undefined) {
            if (line === fence) fence = undefined
          } else {
            if (/^#/.test(line)) headings++
            expect(line).not.toMatch(/(^|[^\\])(<script|`|\]\(javascript)/)
            if (line.startsWith('|')) expect(line.split(/(?<!\\)\|/).length).toBeOneOf([5, 6])
          }
        }
        expect([fence, headings]).toEqual([undefined, 1 + RUN.length])
      }),
      { numRuns: 60 },
    )
  })
})
