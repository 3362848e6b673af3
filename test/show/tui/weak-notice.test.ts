import { describe, expect, it } from 'vitest'
import { attacks } from '../../../src/judge/attacks/attacks.js'
import { WEAK_NAMES, type WeakName, weakNotice } from '../../../src/protocol/rules/weak-modes.js'
import { signsFor } from '../../../src/show/render/text/signs.js'
import { plainText } from '../../../src/show/render/text/spans.js'
import { frameOf as attackFrame } from '../../../src/show/tui/attack/run.js'
import { initialState as attackState } from '../../../src/show/tui/attack/state.js'
import { frameOf as flowFrame } from '../../../src/show/tui/flow/frame.js'
import { weakNoticeLines } from '../../../src/show/tui/screen/frame.js'
import { frameOf as dashboardFrame } from '../../../src/show/tui/serve/run.js'
import { initialState } from '../../../src/show/tui/serve/state.js'
import { fold } from '../../../src/show/tui/serve/view/fold.js'
import { emptyView } from '../../../src/show/tui/serve/view/lab-view.js'
import { contextFor as flowContext, stateAfter } from './flow/draw.js'
import { contextFor as dashboardContext } from './serve/draw.js'
import { AFTERNOON, event } from './serve/events.js'

const sizes = [
  { columns: 100, rows: 30 },
  { columns: 80, rows: 24 },
  { columns: 60, rows: 20 },
]

const weak: readonly WeakName[] = ['redirect-any']
const NOTICE = ' WEAK on purpose: accepts any redirect address'

const dashboardOf = (names: readonly string[]) => {
  const events = [...AFTERNOON, event('14:03:40', 'lab.ready', { urls: {}, weak: names })]
  return initialState(events.reduce(fold, emptyView))
}

describe.each(sizes)('a screen of $columns columns and $rows rows', size => {
  it('has the sentence of a weak lab below its header, and a line less for its panes', () => {
    const frames = [
      dashboardFrame(dashboardOf(weak), size, dashboardContext()),
      flowFrame({ ...stateAfter(5), weak }, size, flowContext()),
    ]
    for (const frame of frames) {
      expect(plainText(frame[1] ?? [])).toBe(NOTICE)
      expect(frame).toHaveLength(size.rows - 1)
      expect(plainText(frame.at(-1) ?? [])).toContain('quit')
    }
  })

  it('has it on the screen of every attack, whose weak lab is always shown', () => {
    for (const attack of attacks) {
      const frame = attackFrame(attackState(attack, attack.weak, 'weak'), size, signsFor({ ascii: false }))
      expect(plainText(frame[1] ?? [])).toMatch(/^ WEAK on purpose: /)
      expect(frame).toHaveLength(size.rows - 1)
    }
  })

  it('has no other line than before for a strict lab', () => {
    expect(dashboardFrame(dashboardOf([]), size, dashboardContext()).map(plainText)).not.toContain(NOTICE)
    expect(flowFrame(stateAfter(5), size, flowContext()).map(plainText)[1]).not.toContain('WEAK')
  })

  it('shows no text of a recording as a mode', () => {
    const frame = dashboardFrame(dashboardOf(['\x1b[2J', 'framable ']), size, dashboardContext())
    expect(frame.map(plainText).join('\n')).not.toContain('WEAK')
  })
})

describe('the notice', () => {
  it.each(WEAK_NAMES)('has the whole sentence of %s in two lines of 60 columns', name => {
    const lines = weakNoticeLines([name], 60).map(plainText)
    expect(lines.length).toBeLessThanOrEqual(2)
    expect(lines.map(each => each.trim()).join(' ')).toBe(weakNotice([name]))
  })

  it.each([60, 80, 100])(
    'of many modes takes two lines of %i columns, and counts the sentences left out',
    columns => {
      const lines = weakNoticeLines(WEAK_NAMES, columns).map(plainText)
      expect(lines).toHaveLength(2)
      const text = lines.join(' ')
      const [, left] = /; and (\d+) more$/.exec(text) ?? []
      expect(text.split(';')).toHaveLength(WEAK_NAMES.length - Number(left) + 1)
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns)
    },
  )
})
