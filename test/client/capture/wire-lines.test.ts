import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineSplitter, readWireLine } from '../../../src/client/capture/wire-lines.js'
import { forAll } from '../../support/for-all.js'

const request = {
  type: 'request',
  id: 1,
  side: 'client',
  at: 1_700_000_000_000,
  method: 'POST',
  url: 'https://id.example/token',
  headers: [['content-type', 'application/x-www-form-urlencoded']],
  body: { size: 3, copy: 'YT0x' },
}
const answer = { type: 'answer', id: 1, ms: 2.5, dropped: 0, status: 200, headers: [], body: { size: 0 } }

describe('a line of a hook', () => {
  it.each([request, answer])('of type $type is read as it was written', line => {
    expect(readWireLine(JSON.stringify(line))).toEqual(line)
  })

  it.each([
    { ...request, side: 'browser' },
    { ...request, headers: [['a', 1]] },
    { ...request, headers: 'a' },
    { ...request, at: 'now' },
    { ...request, body: null },
    { ...answer, id: null },
    { type: 'other' },
    [],
    null,
  ])('that is no line of it is left out: %j', line => {
    expect(readWireLine(JSON.stringify(line))).toBeUndefined()
  })

  it('of any text is read or left out, without an error', () =>
    forAll(fc.oneof(fc.string(), fc.json()), text => {
      readWireLine(text)
    }))
})

describe('the splitter', () => {
  it('joins pieces, wherever they were cut', () =>
    forAll(fc.array(fc.stringMatching(/^[a-z]*$/)), fc.array(fc.nat(40)), (lines, cuts) => {
      const whole = lines.map(line => `${line}\n`).join('')
      const got: string[] = []
      const split = lineSplitter(line => got.push(line))
      let at = 0
      for (const cut of cuts) {
        split(whole.slice(at, at + cut))
        at += cut
      }
      split(whole.slice(at))
      expect(got).toEqual(lines)
    }))

  it('drops a line that never ends, and goes on after it', () => {
    const got: string[] = []
    const split = lineSplitter(line => got.push(line))
    for (let i = 0; i < 40; i++) split('x'.repeat(64 * 1024))
    split('end of it\nnext\n')
    expect(got).toEqual(['next'])
  })
})
