import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import type { LabEvent } from '../../../../src/protocol/events.js'
import { plainText } from '../../../../src/show/render/text/spans.js'
import { filterOf } from '../../../../src/show/tui/screen/list.js'
import { PANES } from '../../../../src/show/tui/serve/entries.js'
import { shortPath } from '../../../../src/show/tui/serve/request-table.js'
import { frameOf } from '../../../../src/show/tui/serve/run.js'
import {
  back,
  filtered,
  follow,
  grown,
  initialState,
  listed,
  moved,
  openEntry,
  otherEntry,
  toPane,
} from '../../../../src/show/tui/serve/state.js'
import { fold } from '../../../../src/show/tui/serve/view/fold.js'
import { entries } from '../../../../src/show/tui/serve/view/history.js'
import { emptyView } from '../../../../src/show/tui/serve/view/lab-view.js'
import { hostileText } from '../../render/hostile.js'
import { by, set } from '../changes.js'
import { expectFit } from '../screen/frames.js'
import { type Change, contextFor } from './draw.js'
import { AFTERNOON, answered, event } from './events.js'

/** Events as the afternoon's, with texts that nobody should obey. */
const hostileEvent = fc
  .tuple(fc.constantFrom(...AFTERNOON), hostileText, hostileText)
  .map(([event, a, b]): LabEvent => {
    const changed = Object.entries(event).map(([name, value], i) => [
      name,
      typeof value !== 'string' || name === 'type' || name === 'at' ? value : i % 2 === 0 ? a : b,
    ])
    return Object.fromEntries(changed) as LabEvent
  })

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.constantFrom(...PANES).map(pane => by(toPane, pane)),
  fc.integer({ min: -3, max: 3 }).map(lines => by(moved, lines, 5)),
  fc.integer({ min: -9, max: 9 }).map(lines => by(grown, lines)),
  hostileText.map(text => by(filtered, text)),
  hostileText.map((notice): Change => set({ notice })),
  fc.constantFrom<Change>(openEntry, by(otherEntry, 1), back, follow),
  fc.constantFrom<Change>(set({ typing: { before: '' } }), set({ menu: { at: 1 } }), set({ page: 'info' })),
)

const sizes = fc.constantFrom(
  { columns: 100, rows: 30 },
  { columns: 80, rows: 24 },
  { columns: 60, rows: 20 },
  { columns: 220, rows: 60 },
  { columns: 101, rows: 28 },
  { columns: 20, rows: 5 },
)

describe('a frame of the dashboard', () => {
  it('fits the terminal and makes hostile text safe, after any events and keys', () => {
    fc.assert(
      fc.property(
        fc.array(hostileEvent, { maxLength: 12 }),
        fc.array(change, { maxLength: 8 }),
        sizes,
        fc.boolean(),
        (events, changes, size, ascii) => {
          const begun = initialState(events.reduce(fold, emptyView))
          const state = changes.reduce((before, each) => each(before), begun)
          expectFit(frameOf(state, size, contextFor({ ascii })), size, ascii)
        },
      ),
      { numRuns: 150 },
    )
  })

  it('says on its last line how to get help and how to leave, at every width', () => {
    for (let columns = 60; columns <= 130; columns++) {
      const frame = frameOf(initialState(emptyView), { columns, rows: 30 }, contextFor())
      expect(plainText(frame.at(-1)!)).toMatch(/\? help +q quit$/)
    }
  })
})

it.each([
  ['/token', 30, '/token'],
  ['/.well-known/openid-configuration', 24, '…/openid-configuration'],
  ['/api/v1/namespaces/lab/serviceaccounts/builder/token', 32, '…/serviceaccounts/builder/token'],
  ['/client/v4/zones/1ab0/security/events?since=2026-11-21', 32, '…/security/events?since=2026-11…'],
  ['/authorization?response_type=code&client_id=demo', 30, '/authorization?response_type=…'],
  ['/averyverylongpathwithoutanyend', 13, '/avery…anyend'],
])('a path: %s in %i columns', (path, columns, expected) => {
  const short = shortPath(path, columns, '…')
  expect(stringWidth(short)).toBeLessThanOrEqual(columns)
  expect(short).toBe(expected)
})

describe('a filter', () => {
  const names = new Set(['status', 'client', 'site', 'path'])
  const item = {
    fields: { status: '404', client: 'Demo', site: 'resource', path: '/resource' },
    text: '404 Demo resource /resource',
  }
  it.each([
    ['', true],
    ['status:404', true],
    ['status:4', true],
    ['status:4xx', true],
    ['status:40', true],
    ['status:2', false],
    ['client:demo', true],
    ['/RESOURCE', true],
    ['/token', false],
    ['!/token', true],
    ['!status:4', false],
    ['status:4 client:demo', true],
    ['status:4 client:other', false],
    ['nofield:4', false],
    ['!', false],
  ])('%j: %s', (filter, fits) => expect(filterOf(filter, names)(item)).toBe(fits))
})

describe('requests', () => {
  const view = fold(
    fold(emptyView, { ...event('14:00:00', 'login.failed', { username: 'alice' }), request: 1 }),
    { ...answered('14:00:00', 'POST /authorization 200', { remoteAddress: '192.0.2.7' }), request: 1 },
  )
  it.each([
    ['address:192.0.2.7', true],
    ['address:192.0.2.8', false],
    ['user:alice', true],
    ['user:bob', false],
  ])('are filtered by the user and the address: %s', (filter, fits) => {
    const state = filtered(initialState(view), filter)
    expect(listed(state, 'requests').numbers.length > 0).toBe(fits)
  })
})

describe('the requests of a doctor', () => {
  const of = (n: number, status: number, run?: string) =>
    answered('14:00:00', `POST /token ${status}`, { request: n, ...(run && { run }) })
  const view = [
    of(1, 400, 'doctor 1a2b3c4d'),
    of(2, 200),
    of(3, 400, 'doctor 1a2b3c4d'),
    of(4, 200, 'doctor 1a2b3c4d'),
    of(5, 400, 'tamper 00000000'),
  ].reduce(fold, emptyView)

  it('are one line, between those of others', () => {
    const frame = frameOf(initialState(view), { columns: 100, rows: 30 }, contextFor())
      .map(plainText)
      .join('\n')
    expect(frame).toContain('doctor: 3 requests, 2 refused')
    expect(frame).toContain('tamper: 1 request, 1 refused')
    expect(entries(view.requests)).toHaveLength(3)
  })

  it('are lines of their own in an attack', () => {
    const attacked = [1, 2].map(n => of(n, 200, 'attack 1a2b3c4d')).reduce(fold, emptyView)
    expect(entries(attacked.requests)).toHaveLength(2)
  })

  it('count one by one for the site', () => {
    expect(entries(view.sites)).toMatchObject([{ requests: 5, refused: 3 }])
  })
})
