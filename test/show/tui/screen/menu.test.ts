import { describe, expect, it, vi } from 'vitest'
import { signsFor } from '../../../../src/show/render/text/signs.js'
import { plainText } from '../../../../src/show/render/text/spans.js'
import { width } from '../../../../src/show/render/text/text.js'
import { clipboardSequence, takesClipboard } from '../../../../src/show/tui/screen/clipboard.js'
import { overlay } from '../../../../src/show/tui/screen/frame.js'
import type { Menu } from '../../../../src/show/tui/screen/menu.js'
import { menuBox, pressInMenu } from '../../../../src/show/tui/screen/menu.js'

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

describe('a menu', () => {
  it.each<[key: string, called: string, given: unknown[]]>([
    ['j', 'choose', [menu.items[1], 1]],
    ['k', 'go', [2]],
    ['down', 'go', [1]],
    ['enter', 'choose', [menu.items[0], 0]],
    ['esc', 'close', []],
    ['ctrl-c', 'quit', [true]],
    ['z', '', []],
    ['', '', []],
  ])('makes of the key %s %s: the letters of its items come first', (key, called, given) => {
    const ports = { go: vi.fn(), choose: vi.fn(), close: vi.fn(), quit: vi.fn(), suspend: vi.fn() }
    pressInMenu(key, { ...ports, menu, at: 0 }, ports)
    const calls = Object.entries(ports).flatMap(([name, port]) => port.mock.calls.map(args => [name, args]))
    expect(calls).toEqual(called === '' ? [] : [[called, given]])
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
      const box = menuBox(many, at, { columns, rows }, signs)
      expect(box.length).toBeLessThanOrEqual(rows)
      for (const line of box) expect(width(plainText(line))).toBeLessThanOrEqual(columns)
      expect(box.some(line => plainText(line).includes('►'))).toBe(true)
    }
  })

  it('keeps its height, whatever its items have to say', () => {
    const heights = menu.items.map((_, at) => menuBox(menu, at, { columns: 60, rows: 20 }, signs).length)
    expect(new Set(heights).size).toBe(1)
  })
})

describe('a box over a frame', () => {
  it('cuts wide characters at its edges, and moves nothing', () => {
    const frame = [
      [{ text: '日本語日本語', tone: 'plain' as const }],
      [{ text: 'abc', tone: 'plain' as const }],
    ]
    const box = [[{ text: '[x]', tone: 'plain' as const }], [{ text: '[y]', tone: 'plain' as const }]]
    const drawn = overlay(frame, box, { left: 3, top: 0, columns: 12 }).map(plainText)
    expect(drawn).toEqual(['日 [x]日本語', 'abc[y]'])
  })
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
