import { afterEach, describe, expect, it, vi } from 'vitest'
import { signsFor } from '../../../src/show/render/text/signs.js'
import { foreign, type Line, line, plainText, span } from '../../../src/show/render/text/spans.js'
import { framed, listRoom, screenFrame, tableHintLine } from '../../../src/show/tui/screen/frame.js'
import {
  exitKeys,
  type KeyTable,
  keyRows,
  linesOf,
  moveKeys,
  type Press,
} from '../../../src/show/tui/screen/key-rows.js'
import { clamp, groupedRows } from '../../../src/show/tui/screen/list.js'
import { showScreen } from '../../../src/show/tui/screen/show-screen.js'
import type { Size } from '../../../src/show/tui/screen/size.js'
import { createStore } from '../../../src/show/tui/screen/store.js'
import { fakeTerminal } from './screen/fake-terminal.js'
import { expectFit, typeKeys } from './screen/frames.js'

/** A screen as CONTRIBUTING.md describes one: its state, its keys and its frame. */
interface VoucherState {
  readonly vouchers: readonly string[]
  readonly at: number
  readonly page?: 'help'
  readonly notice?: string
}
type VoucherPress = Press<VoucherState, { readonly redeem: (voucher: string) => void }>

const DETAILS = { wide: 3, normal: 3, small: 2, tooSmall: 1 } as const
const row = keyRows<VoucherState, VoucherPress>
const keys: KeyTable<VoucherState, VoucherPress> = [
  ...row('Vouchers', [
    [
      'enter',
      'redeem the voucher',
      { does: ({ state, redeem }) => redeem(state.vouchers[state.at]!) },
      ['enter redeem', 9],
      ({ page }) => page === undefined,
    ],
  ]),
  ...moveKeys<VoucherState, VoucherPress>(
    ({ store, size }, by, distance) =>
      store.update(state => {
        const to = state.at + linesOf(by, distance, listRoom(size, DETAILS).rows)
        return { ...state, at: clamp(to, 0, state.vouchers.length - 1) }
      }),
    { meaning: 'move', hint: ['j k move', 6], when: ({ page }) => page === undefined },
  ),
  ...exitKeys<VoucherState, VoucherPress>(
    state => state,
    () => false,
    'back',
  ),
]

const signs = signsFor({ ascii: false })
const frameOf = (state: VoucherState, size: Size): Line[] =>
  screenFrame(state, size, signs, {
    keys,
    notes: ['one table makes the keys, the hint line and this page'],
    panes() {
      const room = listRoom(size, DETAILS)
      const { shown } = groupedRows(
        state.vouchers.map(() => undefined),
        state.at,
        room.rows,
      )
      const lines = shown.map(i =>
        line(foreign(state.vouchers[Number(i)]!, signs), i === state.at ? 'strong' : 'plain'),
      )
      const list = { title: [span('Vouchers', 'title')], aside: [], lines }
      const detail = { title: [span('Voucher')], aside: [], lines: [line(`${state.at + 1}`)] }
      return [
        line(' vouchers', 'title'),
        ...framed(room.arrangement, list, room.columns, room.rows, signs),
        ...framed(room.arrangement, detail, room.columns, room.details, signs),
        tableHintLine(keys, state, room, signs),
      ]
    },
  })

const begun: VoucherState = { vouchers: Array.from({ length: 40 }, (_, i) => `voucher ${i + 1}`), at: 0 }

describe('a new screen', () => {
  afterEach(() => {
    process.exitCode = undefined
  })

  it.each([
    [100, 30],
    [80, 24],
    [60, 20],
    [20, 5],
  ])('fits a terminal of %i columns and %i rows, with its keys on the last line', (columns, rows) => {
    const hostile = { ...begun, vouchers: ['\u001b[31mred', '\u202egnp', ...begun.vouchers] }
    for (const state of [begun, { ...begun, at: 39 }, hostile, { ...begun, page: 'help' as const }])
      expectFit(frameOf(state, { columns, rows }), { columns, rows })
    if (rows >= 20) expect(plainText(frameOf(begun, { columns, rows }).at(-1)!)).toContain('enter redeem')
  })

  it('lists its keys on the help page', () => {
    const help = frameOf({ ...begun, page: 'help' }, { columns: 80, rows: 40 })
      .map(plainText)
      .join('\n')
    expect(help).toMatch(/enter +redeem the voucher/)
  })

  it.each([
    ['enter redeems', ['\r', 'q'], ['voucher 1']],
    ['j moves, G goes to the end', ['j', '\r', 'G', '\r', 'q'], ['voucher 2', 'voucher 40']],
    ['the help keeps the keys to itself', ['?', 'G', 'q', 'q'], []],
    [
      'the help runs the key that is chosen in it',
      ['j', '?', '/', 'voucher', '\r', '\r', 'q'],
      ['voucher 2'],
    ],
    ['a key that does nothing here is not run', ['?', '/', 'nothing', '\r', '\r', 'q', 'q', 'q'], []],
  ])('is driven by its table: %s', async (_what, typed, expected) => {
    const terminal = fakeTerminal()
    const redeemed: string[] = []
    const { stdin, stdout } = terminal
    const ended = showScreen({ stdin, stdout }, { keys }, () => ({
      store: createStore(begun),
      ports: { redeem: (voucher: string) => redeemed.push(voucher) },
      frame: frameOf,
    }))
    await vi.waitFor(() => expect(terminal.written()).toContain('enter redeem'), 20_000)
    await typeKeys(terminal, typed)
    expect(await ended).toBeUndefined()
    expect(redeemed).toEqual(expected)
    expect(terminal.rawModes.at(-1)).toBe(false)
  })
})
