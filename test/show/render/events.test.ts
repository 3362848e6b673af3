import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeSafe } from '../../../src/protocol/safe-output/safe.js'
import { fromRest } from '../../../src/servers/cloudflare/client/events/event.js'
import {
  actionsText,
  countBy,
  EVENT_COLUMNS,
  eventTable,
  loggedLines,
  spanText,
  timelineOf,
  USUAL_FIELDS,
} from '../../../src/show/render/events/events-list.js'
import { groupLines, timelineText, topLines } from '../../../src/show/render/events/events-top.js'
import { listText } from '../../../src/show/render/text/list-text.js'
import { signsFor } from '../../../src/show/render/text/signs.js'
import { sparkline } from '../../../src/show/render/text/text.js'
import { forAll } from '../../support/for-all.js'
import { hostileText } from './hostile.js'

const signs = signsFor({ ascii: false })
const at = (second: number) => new Date(Date.UTC(2026, 5, 15, 12, 0, second)).toISOString()
const events = [
  fromRest({ action: 'drop', country: 'BR', host: 'a.example.com', occurred_at: at(0) }),
  fromRest({ action: 'drop', country: 'DE', host: 'a.example.com', occurred_at: at(29) }),
  fromRest({ action: 'simulate', country: 'BR', host: 'b.example.com', occurred_at: at(30) }),
  fromRest({ action: 'drop', country: 'BR', host: '', occurred_at: 'nonsense' }),
]

describe('counts of events', () => {
  it('are in the order of their number, then of their values', () => {
    expect(countBy(events, ['action', 'country'])).toEqual([
      { values: ['drop', 'BR'], count: 2, loggedOnly: 0 },
      { values: ['drop', 'DE'], count: 1, loggedOnly: 0 },
      { values: ['simulate', 'BR'], count: 1, loggedOnly: 1 },
    ])
  })

  it('over time leave out events without a time or outside the period', () => {
    const from = Date.UTC(2026, 5, 15, 12)
    expect(timelineOf(events, { from, to: from + 60_000 }, 4).counts).toEqual([1, 1, 1, 0])
    expect(timelineOf(events, { from: from + 10_000, to: from + 29_500 }, 1).counts).toEqual([1])
    expect(timelineText({ from, to: from + 3_600_000, counts: [0, 1, 8] }, signs)).toBe('12:00  ▁█ 13:00 UTC')
    expect(timelineText({ from, to: from + 86_400_000, counts: [1] }, signs)).toMatch(/^06-15 12:00 █ 06-16/)
  })

  it('as bars: the largest is full, the smallest is visible', () => {
    expect(sparkline([0, 1, 100])).toBe(' ▁█')
    expect(sparkline([0, 0])).toBe('  ')
    expect(sparkline([1, 2], { ascii: true })).toBe('=@')
    expect(topLines(events, ['action'], { top: 5, columns: 40, signs })).toEqual([
      'ACTION',
      'drop      3 ████████',
      'simulate  1 ██▋',
    ])
    const narrow = topLines(events, ['action', 'country'], { top: 1, columns: 26, signs })
    expect(narrow).toEqual(['ACTION', 'drop    3 ████████', '', 'COUNTRY', 'BR       3 ████████'])
    expect(groupLines(['host'], countBy(events, ['host']), signs)).toEqual([
      'COUNT  HOST           LOGGED ONLY',
      '    2  a.example.com  –            ████████████',
      '    1  –              –            ██████',
      '    1  b.example.com  all          ██████',
    ])
  })

  it('as text', () => {
    expect(actionsText(events, makeSafe)).toBe('3 drop, 1 simulate')
    expect(loggedLines(events, signs)).toEqual([
      '* 1 of 4 logged only (simulate), 1 of them on b.example.com: nothing was enforced',
    ])
    expect(loggedLines(events.slice(0, 2), signs)).toEqual([])
    expect([0, 999, 5400e3, 90_061e3, 172_800e3].map(spanText)).toEqual(['0s', '1s', '1h30m', '1d1h', '2d'])
  })
})

describe('text of attackers', () => {
  const formulas = fc.constantFrom('=HYPERLINK("x")', '+1', '-1', '@SUM(A1)', '\t=1', '＝1')
  const text = fc.oneof(hostileText, formulas)
  const made = fc.record({
    action: fc.constantFrom('drop', 'log'),
    uri: text,
    ua: text,
    host: text,
    country: text,
    ip: text,
    source: text,
    colo: text,
    rule_id: text,
    ray_id: text,
    method: text,
  })
  const given = fc.array(made, { minLength: 1, maxLength: 6 }).map(all => all.map(fromRest))

  it('controls no terminal: in tables, bars, groups and texts', () =>
    forAll(given, fc.boolean(), fc.option(fc.integer({ min: 1, max: 120 })), (all, ascii, columns) => {
      const drawn = signsFor({ ascii })
      const table = { signs: drawn, without: new Set<string>(), dates: false, ...(columns && { columns }) }
      const { heading, rows } = eventTable(table, all, { moreToCome: false })
      const lines = [
        ...[heading, ...rows(all)],
        ...topLines(all, USUAL_FIELDS, { top: 3, columns: 100, signs: drawn }),
        ...groupLines(['uri', 'ua'], countBy(all, ['uri', 'ua']), drawn),
        ...loggedLines(all, drawn),
        actionsText(all, makeSafe),
      ]
      for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u)
    }))

  it('is no formula in a spreadsheet, and a row stays a row', () =>
    forAll(given, all => {
      const [heading, ...rows] = listText('csv', all, EVENT_COLUMNS).split('\r\n')
      expect(rows.pop()).toBe('')
      expect(rows).toHaveLength(all.length)
      for (const row of rows) {
        const cells = row.match(/("(?:[^"]|"")*"|[^",]*)(,|$)/g)!.slice(0, heading!.split(',').length)
        expect(cells.join('')).toBe(row)
        for (const cell of cells) expect(cell).not.toMatch(/^"?[=+\-@\t\r＝＋－＠]/)
        expect(row).not.toMatch(/[\p{Cc}]/u)
      }
    }))
})
