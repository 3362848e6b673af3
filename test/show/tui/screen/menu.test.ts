import { describe, expect, it, vi } from 'vitest'
import { signsFor } from '../../../../src/show/render/text/signs.js'
import { plainText } from '../../../../src/show/render/text/spans.js'
import { width } from '../../../../src/show/render/text/text.js'
import { clipboardSequence, takesClipboard } from '../../../../src/show/tui/screen/clipboard.js'
import { overlay } from '../../../../src/show/tui/screen/frame.js'
import type { Front } from '../../../../src/show/tui/screen/key-rows.js'
import type { Picking } from '../../../../src/show/tui/screen/list.js'
import type { Menu } from '../../../../src/show/tui/screen/menu.js'
import { menuBox, opened, pressInMenu } from '../../../../src/show/tui/screen/menu.js'
import { createStore } from '../../../../src/show/tui/screen/store.js'

const signs = signsFor({ ascii: false })
const menu: Menu<string> = {
  title: 'Export',
  items: [
    { choice: 'curl', key: 'c', text: 'curl' },
    { choice: 'json', key: 'j', text: 'JSON lines', about: './flow.jsonl' },
    { choice: 'raw', key: 'r', text: 'raw', off: 'this step has no exchange' },
  ],
  note: '',
}

/** Types keys in the open menu; returns the state after them, and what was chosen, quit and suspended. */
function typedInto(keys: readonly string[], begun: Front = { menu: opened('Export', {}) }) {
  const store = createStore(begun)
  const calls = { choose: vi.fn(), quit: vi.fn(), suspend: vi.fn() }
  for (const key of keys) {
    const press = { name: key, text: key.length === 1 ? key : '' }
    const ports = { store, fail: vi.fn(), emit: vi.fn(), ...calls }
    const on = { ...ports, press, key, state: store.get(), size: { columns: 80, rows: 24 } }
    pressInMenu(on, menu, ({ choice }) => calls.choose(choice))
  }
  return { state: store.get(), ...calls }
}
const drawn = (picking: Picking) =>
  menuBox(menu, picking, { columns: 70, rows: 20 }, signs)
    .map(each => plainText(each).trim())
    .join('\n')

describe('a menu', () => {
  it.each<[keys: string[], chosen: string]>([
    [['enter'], 'curl'],
    [['j'], 'json'],
    [['down', 'enter'], 'json'],
    [['down', 'down', 'enter'], 'curl'],
    [['up', 'enter'], 'json'],
    [['G', 'enter'], 'json'],
    [['pagedown', 'g', 'enter'], 'curl'],
    [['/', 'L', 'i', 'n', 'enter', 'enter'], 'json'],
    [['/', 'i', 'n', 'down', 'up', 'enter', 'enter'], 'json'],
    [['/', 'x', 'esc', 'enter'], 'curl'],
  ])('chooses by %j: %s', (keys, chosen) => {
    const { state, choose } = typedInto(keys)
    expect(choose.mock.calls).toEqual([[chosen]])
    expect(state.menu).toBeUndefined()
  })

  it.each([
    [['esc'], undefined, 0],
    [['q'], undefined, 0],
    [['/', 'r', 'enter', 'esc'], { filter: '' }, 0],
    [['/', 'r', 'enter', 'esc', 'esc'], undefined, 0],
    [['ctrl-c'], {}, 1],
    [['z', ''], {}, 0],
  ] as const)('makes of the keys %j the menu %j', (keys, open, quits) => {
    const { state, choose, quit } = typedInto(keys)
    expect(state.menu).toEqual(open)
    expect(choose).not.toHaveBeenCalled()
    expect(quit).toHaveBeenCalledTimes(quits)
  })

  it('hides what does not apply, with its number, until a shows it', () => {
    expect(drawn({})).not.toContain('r  raw')
    expect(drawn({})).toContain('1 hidden that does not apply: a shows')
    expect(drawn(typedInto(['a']).state.menu!)).toMatch(/r {2}raw[\s\S]*a hides what does not apply/)
    expect(drawn({ filter: 'raw' })).toContain('r  raw')
    expect(drawn({ filter: 'nowhere' })).toContain('Nothing has these words')
  })

  it('says why an item cannot be chosen, and stays', () => {
    const { state, choose } = typedInto(['r'])
    expect(choose).not.toHaveBeenCalled()
    expect(state.notice).toEqual({ text: 'raw: this step has no exchange', good: false })
    expect(drawn(state.menu!)).toContain('► r  raw')
  })

  it('lists the choice that was made last first', () => {
    const { state } = typedInto(['down', 'enter'])
    const again = opened('Export', state)
    expect(drawn(again)).toMatch(/► j[\s\S]*c {2}curl/)
    expect(typedInto(['enter'], { menu: again }).choose.mock.calls).toEqual([['json']])
  })

  it.each([
    [96, 20],
    [40, 8],
    [20, 5],
  ])('keeps within %i columns and %i rows, whatever is chosen', (columns, rows) => {
    const many = {
      ...menu,
      items: Array.from({ length: 40 }, (_, i) => ({ ...menu.items[i % 3]!, text: `很长 ${i}` })),
    }
    for (const at of [0, 20, 39]) {
      const box = menuBox(many, { at, all: true }, { columns, rows }, signs)
      expect(box.length).toBeLessThanOrEqual(rows)
      for (const line of box) expect(width(plainText(line))).toBeLessThanOrEqual(columns)
      expect(box.some(line => plainText(line).includes('►'))).toBe(true)
    }
  })

  it('keeps its height, whatever its items have to say', () => {
    const heights = menu.items.map(
      (_, at) => menuBox(menu, { at, all: true }, { columns: 60, rows: 20 }, signs).length,
    )
    expect(new Set(heights).size).toBe(1)
  })
})

it('a box over a frame cuts wide characters at its edges, and moves nothing', () => {
  const frame = [
    [{ text: '日本語日本語', tone: 'plain' as const }],
    [{ text: 'abc', tone: 'plain' as const }],
  ]
  const box = [[{ text: '[x]', tone: 'plain' as const }], [{ text: '[y]', tone: 'plain' as const }]]
  const drawn = overlay(frame, box, { left: 3, top: 0, columns: 12 }).map(plainText)
  expect(drawn).toEqual(['日 [x]日本語', 'abc[y]'])
})

describe('the clipboard of a terminal', () => {
  it('is written by OSC 52, as UTF-8 in base64', () => {
    expect(clipboardSequence('ü')).toBe('\x1b]52;c;w7w=\x07')
    expect(clipboardSequence('x'.repeat(200_000))).toBeUndefined()
  })

  it.each([
    [{ TERM: 'xterm-kitty' }, true],
    [{ TERM_PROGRAM: 'WezTerm', TERM: 'xterm-256color' }, true],
    [{ WT_SESSION: '1' }, true],
    [{ TERM: 'xterm-kitty', TMUX: '/tmp/x' }, false],
    [{ TERM: 'xterm-256color' }, false],
    [{ TERM_PROGRAM: 'Apple_Terminal', TERM: 'xterm-256color' }, false],
    [{ TERM: 'linux' }, false],
    [{}, false],
  ])('is known with %j: %s', (env, expected) => expect(takesClipboard(env)).toBe(expected))
})
