import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fromRest } from '../../../../src/servers/cloudflare/client/events/event.js'
import { attachmentOf } from '../../../../src/servers/cloudflare/client/webhook/post.js'
import type { EventsOffers } from '../../../../src/show/tui/events/keys.js'
import { type EventsListener, frameOf, runEventsScreen } from '../../../../src/show/tui/events/run.js'
import {
  came,
  type EventsState,
  follow,
  initialState,
  moved,
  open,
  type Pane,
  scrolled,
  selected,
  toPane,
  troubled,
} from '../../../../src/show/tui/events/state.js'
import { hostileText } from '../../render/hostile.js'
import { by, set } from '../changes.js'
import { fakeTerminal } from '../screen/fake-terminal.js'
import { draws, expectFit, sizes, typeKeys } from '../screen/frames.js'
import { paint } from '../screen/paint.js'
import { contextFor, EVENTS, NOW, screen } from './events.js'

const wide = { columns: 100, rows: 30 }
const normal = { columns: 80, rows: 24 }
const small = { columns: 60, rows: 20 }

type Change = (state: EventsState) => EventsState
const to = (pane: Pane): Change => by(toPane, pane)
const up = (lines: number): Change => by(moved, -lines, 7)
const typed = set({ typing: { before: '' } })
const newer = EVENTS.slice(0, 3).map((event, i) => ({ ...event, ray_id: `new${i}`, uri: `/new/${i}` }))
const cameNewer: Change = by(came, newer)

const draw = (state: EventsState, size: typeof wide, options?: Parameters<typeof contextFor>[0]): string =>
  paint(frameOf(state, size, contextFor(options)))

const drawings: Readonly<Record<string, () => string>> = {
  'begin-100x30': () => draw(screen(), wide),
  'begin-80x24': () => draw(screen(), normal),
  'begin-60x20': () => draw(screen(), small),
  'none-80x24': () => draw(initialState([]), normal, { asked: 'source waf' }),
  'counts-80x24': () => draw(screen(to('counts'), set({ count: { field: 1, row: 0 } })), normal),
  'filter-80x24': () => draw(screen(set({ filter: 'action:simulate' }), typed), normal),
  'attachment-80x24': () => draw(screen(up(4), to('attachment')), normal),
  'moved-80x24': () => draw(screen(up(4), cameNewer), normal),
  'open-100x30': () => draw(screen(up(3), open), wide),
  'open-60x20': () => draw(scrolled(screen(open), 20, 40), small),
  'trouble-60x20': () => draw(troubled(screen(), 'no answer; asking again in 10s', false), small),
  'export-80x24': () => draw(screen(set({ menu: { at: 1 } })), normal),
  'help-80x24': () => draw(screen(set({ page: 'help' })), normal),
  'ascii-60x20': () => draw(screen(), small, { ascii: true }),
  'ascii-100x30': () => draw(screen(), wide, { ascii: true }),
  'too-small-48x14': () => draw(screen(), { columns: 48, rows: 14 }),
}

describe('the events screen', () => {
  draws(drawings)

  it('fits every size with hostile text, and prints no control character', () => {
    const given = fc.record({
      action: fc.constantFrom('drop', 'simulate', 'x'),
      ip: hostileText,
      ua: hostileText,
      uri: hostileText,
      host: hostileText,
      country: hostileText,
      source: hostileText,
      colo: hostileText,
      occurred_at: fc.constantFrom('2026-11-21T14:29:00Z', '', 'x'),
    })
    const changes = fc.constantFrom<Change>(state => state, open, to('counts'), to('attachment'), typed)
    fc.assert(
      fc.property(
        fc.array(given, { maxLength: 9 }),
        hostileText,
        sizes,
        changes,
        (events, text, size, change) => {
          const state = change(initialState(events.map(fromRest)))
          for (const each of [state, { ...state, trouble: text }, { ...state, filter: text }]) {
            expectFit(frameOf(each, size, contextFor({ asked: text })), size)
          }
        },
      ),
      { numRuns: 120 },
    )
  })

  it('keeps its place when new events come, and shows new events when it follows', () => {
    const looked = screen(up(4))
    expect(selected(cameNewer(looked))).toBe(selected(looked))
    expect(selected(screen(cameNewer))).toBe(newer[2])
    expect(selected(screen(up(4), cameNewer, follow))).toBe(newer[2])
    expect(selected(screen(open, cameNewer))).toBe(EVENTS.at(-1))
  })

  it('drops the oldest, and keeps the selection', () => {
    const many = Array.from({ length: 10_050 }, (_, i) => ({ ...EVENTS[0]!, ray_id: `n${i}` }))
    const state = came(screen(up(3)), many)
    expect(state.events).toHaveLength(10_000)
    expect(state.first).toBe(EVENTS.length + 50)
    // It is gone: the nearest takes its place.
    expect(selected(state)?.ray_id).toBe('n50')
    const later = came(up(10)(came(screen(), many.slice(0, 9_000))), many.slice(9_000))
    expect(selected(later)?.ray_id).toBe('n8989')
  })
})

describe('the keys of the events screen', () => {
  afterEach(() => {
    process.exitCode = undefined
  })

  async function typing(...keys: readonly string[]) {
    const terminal = fakeTerminal()
    const saved: [name: string, text: string][] = []
    let listener: EventsListener | undefined
    let left = false
    const offers: EventsOffers = {
      written: (form, events) => `${form} ${events.length}`,
      save: async (name, text) => {
        saved.push([name, text])
        return `./${name}`
      },
      keepCopy: async () => 'kept.txt',
      clipboard: true,
    }
    const ended = runEventsScreen({
      place: contextFor().place,
      events: EVENTS,
      since: NOW - 3_600_000,
      preview: attachmentOf,
      offers,
      listen: hear => {
        listener = hear
        return () => {
          left = true
        }
      },
      now: () => NOW,
      ascii: false,
      stdin: terminal.stdin,
      stdout: terminal.stdout,
    })
    await vi.waitFor(() => expect(terminal.written()).toContain('enter open'), 20_000)
    listener?.came(newer)
    await typeKeys(terminal, keys)
    return { ...(await ended), written: terminal.written(), saved, left: () => left }
  }

  it('q goes back from help and from an open event, then quits and stops the source', async () => {
    const { signal, events, left } = await typing('?', 'q', '\r', 'q', 'q')
    expect(signal).toBeUndefined()
    expect(events).toBe(EVENTS.length + 3)
    expect(left()).toBe(true)
    expect(await typing('\x03')).toMatchObject({ signal: 'SIGINT' })
    expect(process.exitCode).toBe(130)
  })

  it('a value of the counts becomes the filter', async () => {
    const { written } = await typing('1', 'l', 'j', '\r', 'Q')
    expect(written).toMatch(/filter source:firewallRules/)
  })

  it.each([
    ['x then j writes what is listed', ['/', 'waf', '\r', 'x', 'j', 'Q'], 'jsonl 9'],
    ['x then p writes one chat post', ['k', 'x', 'p', 'Q'], 'post 1'],
    ['x and enter on the second', ['x', 'j', 'Q'], `jsonl ${EVENTS.length + 3}`],
  ])('%s', async (_, keys, wanted) => {
    const { saved } = await typing(...keys)
    expect(saved.map(([, text]) => text)).toEqual([wanted])
    expect(saved[0]![0]).toMatch(/^oauth-lab-events-143000\.(jsonl|json)$/)
  })

  it('y puts the event on the clipboard as JSON', async () => {
    const { written } = await typing('g', 'y', 'Q')
    const [, base64 = ''] = /\x1b\]52;c;([^\x07]+)\x07/.exec(written) ?? []
    expect(JSON.parse(Buffer.from(base64, 'base64').toString())).toEqual(EVENTS[0])
  })
})
