import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type JsonNode,
  JsonSyntaxError,
  parseGoJson,
  quote,
} from '../../../src/servers/kubernetes/encoding/go-json.js'
import { forAll } from '../../support/for-all.js'

const parse = (text: string) => parseGoJson(Buffer.from(text))

function plain(node: JsonNode): unknown {
  if (node.kind === 'object')
    return Object.fromEntries(node.members.map(([name, value]) => [name, plain(value)]))
  if (node.kind === 'array') return node.items.map(plain)
  if (node.kind === 'number') return Number(node.text)
  return node.kind === 'null' ? null : node.value
}

describe('JSON as Go reads it', () => {
  it('is what JSON.parse reads', () =>
    forAll(fc.json({ maxDepth: 6 }), text => {
      // -0 is a number of its own to JSON.parse and to Number alike.
      expect(plain(parse(text))).toEqual(JSON.parse(text))
    }))

  it('is refused exactly when JSON.parse refuses it', () => {
    const noise = fc.string({
      unit: fc.constantFrom(...'{}[]",:0123456789.eE+-truefalsn\\u \n'),
      maxLength: 12,
    })
    fc.assert(
      fc.property(noise, text => {
        let expected = true
        try {
          JSON.parse(text)
        } catch {
          expected = false
        }
        let found = true
        try {
          parse(text)
        } catch (error) {
          if (!(error instanceof JsonSyntaxError)) throw error
          found = false
        }
        expect([text, found]).toEqual([text, expected])
      }),
      { numRuns: 5000 },
    )
  })

  // Said by go1.24's encoding/json.
  it.each([
    ['', 'unexpected end of JSON input'],
    ['{', 'unexpected end of JSON input'],
    ['{"a"', 'unexpected end of JSON input'],
    ['{"a":1', 'unexpected end of JSON input'],
    ['"abc', 'unexpected end of JSON input'],
    ['tru', "invalid character ' ' in literal true (expecting 'e')"],
    ['-', "invalid character ' ' in numeric literal"],
    ['1.', "invalid character ' ' after decimal point in numeric literal"],
    ['1e', "invalid character ' ' in exponent of numeric literal"],
    ['"\\', "invalid character ' ' in string escape code"],
    ['x', "invalid character 'x' looking for beginning of value"],
    ['{x', "invalid character 'x' looking for beginning of object key string"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
    ['[1 2]', "invalid character '2' after array element"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['{} {}', "invalid character '{' after top-level value"],
    ['01', "invalid character '1' after top-level value"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['"\n"', "invalid character '\\n' in string literal"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ['é', "invalid character 'Ã' looking for beginning of value"],
    ['nul!', "invalid character '!' in literal null (expecting 'l')"],
  ])('%j: %s', (text, message) => expect(() => parse(text)).toThrow(new JsonSyntaxError(message)))

  it('keeps how numbers were written, and members that came twice', () => {
    expect(parse('{"a":1.0,"a":2}')).toEqual({
      kind: 'object',
      members: [
        ['a', { kind: 'number', text: '1.0' }],
        ['a', { kind: 'number', text: '2' }],
      ],
    })
  })

  it('uses no stack, and is refused below a depth of ten thousand', () => {
    expect(parse('['.repeat(9_999) + ']'.repeat(9_999)).kind).toBe('array')
    expect(() => parse('['.repeat(3_000_000))).toThrow('exceeded max depth')
  })
})

describe('%q', () => {
  it.each([
    ['a"b\\c', '"a\\"b\\\\c"'],
    ['\n\t\u0007\u0000', '"\\n\\t\\a\\x00"'],
    ['é€😀', '"é€😀"'],
    ['\u200b\u202e', '"\\u200b\\u202e"'],
  ])('%j', (text, quoted) => expect(quote(text)).toBe(quoted))
})
