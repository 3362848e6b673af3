import { describe } from 'vitest'
import type { Pane } from '../../../../src/show/tui/serve/entries.js'
import {
  filtered,
  grown,
  initialState,
  moved,
  openEntry,
  toPane,
} from '../../../../src/show/tui/serve/state.js'
import { emptyView } from '../../../../src/show/tui/serve/view/lab-view.js'
import { by, set } from '../changes.js'
import { draws } from '../screen/frames.js'
import { type Change, dashboard, draw } from './draw.js'
import { AFTERNOON, viewOf } from './events.js'

const wide = { columns: 100, rows: 30 }
const normal = { columns: 80, rows: 24 }
const small = { columns: 60, rows: 20 }

const to = (pane: Pane): Change => by(toPane, pane)
const up = (lines: number): Change => by(moved, -lines, 8)
const filter = (text: string): Change => by(filtered, text)
const typed = set({ typing: { before: '' } })
const open = openEntry

/** A lab that was just started. */
const begun = initialState(viewOf(AFTERNOON.slice(0, 2)))
/** A file that ended, without what a lab says of itself, and with lines that are no events. */
const recorded = initialState(viewOf(AFTERNOON.slice(3)))
const feed = { command: 'play run.jsonl', live: false, broken: '2 broken lines (3, 17)' }

const drawings: Readonly<Record<string, () => string>> = {
  'begin-100x30': () => draw(begun, wide),
  'begin-60x20': () => draw(begun, small),
  'waiting-80x24': () => draw(initialState(emptyView), normal),
  'requests-100x30': () => draw(dashboard(), wide),
  'requests-80x24': () => draw(dashboard(), normal),
  'requests-60x20': () => draw(dashboard(), small),
  'tokens-80x24': () => draw(dashboard(to('tokens')), normal),
  'keys-100x30': () => draw(dashboard(to('keys')), wide),
  'events-100x30': () => draw(dashboard(to('events'), up(-3)), wide),
  'filter-80x24': () => draw(dashboard(filter('status:400'), typed), normal),
  'filter-none-60x20': () => draw(dashboard(filter('nowhere')), small),
  'refused-80x24': () => draw(dashboard(up(3), open), normal),
  'cluster-token-100x30': () => draw(dashboard(to('tokens'), open), wide),
  'client-60x20': () => draw(dashboard(to('clients'), open), small),
  'grown-80x24': () => draw(grown(dashboard(to('events')), 5), normal),
  'export-80x24': () => draw(dashboard(up(3), set({ menu: {} })), normal),
  'help-80x24': () => draw(dashboard(set({ page: 'help' })), normal),
  'info-80x24': () => draw(dashboard(set({ page: 'info' })), normal),
  'recorded-80x24': () => draw(recorded, normal, { feed }),
  'ascii-100x30': () => draw(dashboard(), wide, { ascii: true }),
  'ascii-60x20': () => draw(dashboard(), small, { ascii: true }),
  'too-small-48x14': () => draw(dashboard(), { columns: 48, rows: 14 }),
}

describe('the dashboard', () => {
  draws(drawings)
})
