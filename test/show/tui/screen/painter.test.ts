import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Line, line, span, type Tone } from '../../../../src/show/render/text/spans.js'
import { linesOf } from '../../../../src/show/tui/screen/key-rows.js'
import { createPainter, paint } from '../../../../src/show/tui/screen/terminal.js'
import { frameOf } from '../../../../src/show/tui/serve/run.js'
import { moved } from '../../../../src/show/tui/serve/state.js'
import { forAll } from '../../../support/for-all.js'
import { contextFor, dashboard } from '../serve/draw.js'
import { shownBy } from './fake-terminal.js'

const size = { columns: 80, rows: 24 }

const tones = fc.constantFrom<Tone>('plain', 'dim', 'now')
const lines: fc.Arbitrary<Line> = fc.array(
  fc.record({ text: fc.string({ maxLength: 6 }).filter(text => /^[ -~│é]*$/.test(text)), tone: tones }),
  { maxLength: 4 },
)
const frames = fc.array(fc.array(lines, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 })

describe('a painter', () => {
  it('shows the last frame, whatever was there before', () =>
    forAll(frames, all => {
      const painter = createPainter(false)
      const written = all.map(frame => painter.paint(frame)).join('')
      const wanted = all.at(-1)!.map(each => paint(each, false).trimEnd())
      expect(shownBy(written).trimEnd()).toBe(wanted.join('\n').trimEnd())
    }))

  it.each<[what: string, before: Line, after: Line, written: string]>([
    ['nothing for the same line', line('a'), [span('a')], ''],
    [
      'a word from its first other letter',
      [span('up '), span('04:12')],
      [span('up '), span('04:13')],
      '1;8H\x1b[K3',
    ],
    ['a line whose tone is another', line('ab'), line('ab', 'now'), '1;1H\x1b[K\x1b[1;36mab\x1b[22;39m'],
    ['the end of a shorter line', line('abc'), line('ab'), '1;3H\x1b[K'],
    [
      'the whole line behind a wide character',
      [span('很'), span('a')],
      [span('很'), span('b')],
      '1;1H\x1b[K很b',
    ],
  ])('writes %s', (_, before, after, written) => {
    const painter = createPainter(true)
    painter.paint([before])
    const whole = written === '' ? '' : `\x1b[?2026h\x1b[${written}\x1b[?2026l`
    expect(painter.paint([after])).toBe(whole)
    painter.forget()
    expect(painter.paint([after])).toContain(paint(after, true))
  })
})

describe('the bytes of the dashboard', () => {
  const state = dashboard()
  const context = contextFor()
  const frame = (of = state, later = 0) => frameOf(of, size, { ...context, now: context.now + later })

  it.each([
    ['none while nothing changes', frame(), 0],
    ['few for a second', frame(state, 1000), 80],
    ['few for a key', frame(moved(state, linesOf(-1, 'line', 10), 10)), 700],
  ])('are %s', (_, next, most) => {
    const painter = createPainter(true)
    const first = Buffer.byteLength(painter.paint(frame()))
    const bytes = Buffer.byteLength(painter.paint(next))
    expect(first).toBeGreaterThan(1000)
    expect(bytes).toBeLessThanOrEqual(most)
  })
})
