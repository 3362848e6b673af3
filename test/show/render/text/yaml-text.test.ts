import { expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { yamlText } from '../../../../src/show/render/text/list-text.js'

it('quotes what readers of YAML 1.1 would take for something else', () => {
  const value = { at: '2026-11-21T15:55:57Z', y: 'yes', n: '012', text: 'plain' }
  const text = yamlText(value, stringify)
  expect(text).toBe('at: "2026-11-21T15:55:57Z"\n"y": "yes"\n"n": "012"\ntext: plain\n')
  expect(parse(text, { version: '1.1' })).toEqual(value)
})

it('contains no control character of a terminal', () => {
  const value = { 'a\u202e': ['\u001b]0;x\u0007', '\u009b2J', 'two\nlines'] }
  const text = yamlText(value, stringify)
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  expect(parse(text)).toEqual(value)
})
