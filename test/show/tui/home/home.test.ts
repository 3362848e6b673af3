import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { MenuEntry } from '../../../../src/show/render/spoken/spoken-item.js'
import { signsFor } from '../../../../src/show/render/text/signs.js'
import { frameOf, runHome } from '../../../../src/show/tui/home/run.js'
import {
  filtered,
  type HomeState,
  initialState,
  moved,
  selectedEntry,
} from '../../../../src/show/tui/home/state.js'
import { hostileText } from '../../render/hostile.js'
import { fakeTerminal } from '../screen/fake-terminal.js'
import { draws, expectFit, sizes, typeKeys } from '../screen/frames.js'
import { paint } from '../screen/paint.js'

const entry = (group: string, name: string, about: string, options = '', ...more: string[]): MenuEntry => {
  return { group, name, about, line: `oauth-lab ${name}${options}`, more }
}

const ENTRIES: readonly MenuEntry[] = [
  entry(
    'Flows',
    'flow code',
    'the authorization code grant (RFC 6749 §4.1)',
    ' --client demo',
    'oauth-lab flow code --client demo-spa --browser',
    'oauth-lab flow code --tamper reuse-code                    see a wrong move refused',
  ),
  entry('Flows', 'flow implicit', 'the implicit grant, and why not to use it (RFC 6749 §4.2)'),
  entry('Flows', 'flow client-credentials', 'the client credentials grant (RFC 6749 §4.4)'),
  entry(
    'Flows',
    'flow refresh',
    'a refresh token: used, rotated, and its reuse caught (RFC 6749 §6, RFC 9700 §4.14)',
    ' --client demo',
  ),
  entry('Labs', 'serve', 'the whole lab, and its dashboard'),
  ...Array.from({ length: 14 }, (_, i) => entry('Labs', `lab ${i + 1}`, `what lab ${i + 1} is about`)),
  entry('Tools', 'ca show', 'the certificate authority that clients have to trust'),
]

const begun = initialState(ENTRIES)
const typed = (filter: string): HomeState => ({ ...filtered(begun, filter), typing: { before: '' } })
const draw = (state: HomeState, columns: number, rows: number, ascii = false): string =>
  paint(frameOf(state, { columns, rows }, signsFor({ ascii })))

const drawings: Readonly<Record<string, () => string>> = {
  'begin-100x30': () => draw(begun, 100, 30),
  'begin-80x24': () => draw(begun, 80, 24),
  'begin-60x20': () => draw(begun, 60, 20),
  'refresh-80x24': () => draw(moved(begun, 3), 80, 24),
  'last-80x24': () => draw(moved(begun, 99), 80, 24),
  'filter-80x24': () => draw(typed('flow 4.'), 80, 24),
  'nothing-60x20': () => draw(typed('nonsense'), 60, 20),
  'help-80x24': () => draw({ ...begun, page: 'help' }, 80, 24),
  'ascii-60x20': () => draw(moved(begun, 1), 60, 20, true),
  'too-small-48x14': () => draw(begun, 48, 14),
}

describe('the menu', () => {
  draws(drawings)

  it('fits every size with hostile text, and prints no control character', () => {
    const made = fc.record({ group: hostileText, name: hostileText, about: hostileText, line: hostileText })
    fc.assert(
      fc.property(fc.array(made, { maxLength: 12 }), hostileText, sizes, (found, filter, size) => {
        const entries = found.map(each => ({ ...each, more: [each.about] }))
        for (const state of [initialState(entries), { ...initialState(entries), filter, notice: filter }]) {
          expectFit(frameOf(state, size, signsFor({ ascii: false })), size)
        }
      }),
      { numRuns: 150 },
    )
  })

  it('keeps the selection while it matches the filter, and else selects the first', () => {
    const fourth = moved(begun, 3)
    expect(selectedEntry(filtered(fourth, 'flow'))?.name).toBe('flow refresh')
    const other = filtered(fourth, 'serve')
    expect(selectedEntry(other)?.name).toBe('serve')
    expect(selectedEntry(filtered(other, ''))?.name).toBe('flow refresh')
  })
})

describe('the keys of the menu', () => {
  afterEach(() => {
    process.exitCode = undefined
  })

  async function typing(...keys: readonly string[]) {
    const terminal = fakeTerminal()
    const ended = runHome({
      state: initialState(ENTRIES),
      clipboard: false,
      ascii: false,
      stdin: terminal.stdin,
      stdout: terminal.stdout,
    })
    await vi.waitFor(() => expect(terminal.written()).toContain('enter run'), 20_000)
    await typeKeys(terminal, keys)
    return { ...(await ended), written: terminal.written(), rawModes: terminal.rawModes }
  }

  it.each([
    ['enter runs the first', ['\r'], 'flow code'],
    ['j moves', ['jj', '\r'], 'flow client-credentials'],
    ['G and k', ['G', 'k', '\r'], 'lab 14'],
    ['a filter, kept, then run', ['/', 'serve', '\r', '\r'], 'serve'],
    ['a filter that was left again', ['/', 'serve', '\x1b', '\r'], 'flow code'],
    ['unknown keys and mouse reports do nothing', ['z', '\x1b[<0;10;10M', '\x1b[25~', '\r'], 'flow code'],
    ['pasted text is not obeyed', ['\x1b[200~jjq\r\x1b[201~', '\r'], 'flow code'],
  ])('%s', async (_what, keys, expected) => {
    const { chosen, written, rawModes, signal } = await typing(...keys)
    expect(chosen?.name).toBe(expected)
    expect(signal).toBeUndefined()
    expect(written).toContain('\x1b[?1049l')
    expect(rawModes.at(-1)).toBe(false)
  })

  it('q quits, also behind the help; Ctrl-C interrupts', async () => {
    expect(await typing('?', 'q', 'q')).not.toHaveProperty('chosen')
    expect(process.exitCode).toBeUndefined()
    expect(await typing('\x03')).toMatchObject({ signal: 'SIGINT' })
    expect(process.exitCode).toBe(130)
  })

  it('y puts the command line on the clipboard', async () => {
    const { written } = await typing('y', 'q')
    const base64 = Buffer.from('oauth-lab flow code --client demo').toString('base64')
    expect(written).toContain(`\x1b]52;c;${base64}\x07`)
  })
})
