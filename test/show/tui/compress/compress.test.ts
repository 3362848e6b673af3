import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { MeasuredCase } from '../../../../src/servers/compression/studies/cases.js'
import { signsFor } from '../../../../src/show/render/text/signs.js'
import type { CompressOffers } from '../../../../src/show/tui/compress/keys.js'
import { frameOf, runCompress } from '../../../../src/show/tui/compress/run.js'
import { type CompressState, initialState, selectedBy } from '../../../../src/show/tui/compress/state.js'
import { hostileText } from '../../render/hostile.js'
import { fakeTerminal } from '../screen/fake-terminal.js'
import { draws, expectFit, sizes, typeKeys } from '../screen/frames.js'
import { paint } from '../screen/paint.js'
import { CASES, hop, MEASURED, measured, PATH, RESULTS, stateWith } from './cases.js'

const NOW = Date.parse('2026-11-21T14:03:11Z')
const server = 'https://localhost:8443'

function draw(state: CompressState, columns: number, rows: number, ascii = false): string {
  return paint(frameOf(state, { columns, rows }, { signs: signsFor({ ascii }), server, now: NOW }))
}

const third = selectedBy(MEASURED, 2)
const failed = stateWith([
  [CASES[0]!, { state: 'failed', message: 'cannot reach https://localhost:8443 (ECONNREFUSED)' }],
  [
    CASES[1]!,
    { state: 'measured', measured: measured(CASES[1]!, [hop('client', 'identity', 65)], { status: 502 }) },
  ],
])

const raw = (which: 'direct' | 'upstream' | 'client') => ({ ...hop(which, 'identity', 204_800), vary: null })
const off = stateWith(
  CASES.map(each => {
    const hops = each.mode === null ? [raw('direct')] : [raw('upstream'), raw('client')]
    return [each, { state: 'measured', measured: measured(each, hops) }]
  }),
)

const drawings: Readonly<Record<string, () => string>> = {
  'force-100x30': () => draw(third, 100, 30),
  'force-100x40': () => draw(third, 100, 40),
  'force-80x24': () => draw(third, 80, 24),
  'force-60x20': () => draw({ ...third, pane: 'why' }, 60, 20),
  'begin-80x24': () => draw(initialState(CASES, PATH), 80, 24),
  'failed-80x24': () => draw(failed, 80, 24),
  'off-80x24': () => draw(off, 80, 24),
  'menu-80x24': () => draw({ ...MEASURED, menu: { at: 1 } }, 80, 24),
  'help-80x24': () => draw({ ...MEASURED, page: 'help' }, 80, 24),
  'ascii-80x24': () => draw(third, 80, 24, true),
  'too-small-48x14': () => draw(MEASURED, 48, 14),
}

describe('the compression lab', () => {
  draws(drawings)

  it('fits every size with any answer of a server, and prints no control character', () => {
    const bytes = fc.nat({ max: 1e12 })
    fc.assert(
      fc.property(
        hostileText,
        bytes,
        bytes,
        sizes,
        fc.nat({ max: 4 }),
        (text, wireBytes, bodyBytes, size, by) => {
          const hops = RESULTS[1]!.hops.map(each => ({ ...each, coding: text, wireBytes }))
          const results = CASES.map(each => {
            const one: MeasuredCase = {
              ...measured(each, hops),
              bodyBytes,
              why: [text, text],
              asked: 'refused',
            }
            return [each, { state: 'measured', measured: one }] as const
          })
          const state = { ...selectedBy(stateWith(results), by), path: PATH, notice: text }
          const context = { signs: signsFor({ ascii: false }), server: text, now: NOW }
          expectFit(frameOf(state, size, context), size)
        },
      ),
      { numRuns: 150 },
    )
  })

  it('draws all bars on one scale, none of them empty', () => {
    const bars = draw(MEASURED, 100, 30)
      .split('\n')
      .map(line => /([█▏▎▍▌▋▊▉]+)/.exec(line)?.[1]?.length ?? 0)
    const longest = Math.max(...bars)
    expect(bars.filter(length => length === longest)).toHaveLength(2)
    expect(bars.filter(length => length === 1)).toHaveLength(7)
  })
})

describe('the keys of the compression lab', () => {
  afterEach(() => {
    process.exitCode = undefined
  })

  async function open(more: Partial<CompressOffers> = {}) {
    const terminal = fakeTerminal()
    const asked: Array<readonly [mode: string | null, offer: string | null, path: string]> = []
    const saved: string[] = []
    const offers: CompressOffers = {
      server,
      cases: CASES,
      paths: [PATH, '/kb/2'],
      offers: ['gzip', null, 'br'],
      modes: ['default', 'force', 'force-gunzip', 'gzip-strip'],
      meanings: { ...({} as CompressOffers['meanings']), force: 'asks for gzip' },
      async measure(setting, path) {
        asked.push([setting.mode, setting.offer, path])
        const known = RESULTS.find(({ name }) => name === setting.name)!
        return { ...known, ...setting, path }
      },
      nginx: mode => `# nginx ${mode}\n`,
      save: async (name, text) => {
        saved.push(`${name}: ${text}`)
        return `./${name}`
      },
      keepCopy: async () => 'lab-copied.txt',
      clipboard: false,
      ...more,
    }
    const ended = runCompress({
      offers,
      now: () => NOW,
      ascii: false,
      stdin: terminal.stdin,
      stdout: terminal.stdout,
    })
    await vi.waitFor(() => expect(terminal.written()).toContain('? help'), 20_000)
    const type = (...keys: readonly string[]) => typeKeys(terminal, keys)
    return { ...terminal, ended, asked, saved, type }
  }

  it('measures five cases, and each change once', async () => {
    const { asked, type, ended } = await open()
    expect(asked).toHaveLength(5)
    await type('l', 'e', 'e', 'e', 'e')
    expect(asked.slice(5)).toEqual([
      ['default', null, PATH],
      ['default', 'br', PATH],
    ])
    // What case C has shown already is known: forcing, nothing offered.
    await type('p')
    expect(asked).toHaveLength(7)
    await type('e')
    expect(asked.at(-1)).toEqual(['force', 'br', PATH])
    await type('b', 'b')
    expect(asked.slice(8).map(([, , path]) => path)).toEqual(Array(5).fill('/kb/2'))
    await type('r')
    expect(asked.slice(13)).toEqual(CASES.map(({ mode, offer }) => [mode, offer, PATH]))
    await type('q')
    expect(await ended).toBeUndefined()
  })

  it('says that case A has no proxy to change', async () => {
    const { asked, written, type, ended } = await open()
    await type('p')
    await vi.waitFor(() => expect(written()).toContain('case A has no proxy'), 20_000)
    expect(asked).toHaveLength(5)
    await type('q')
    await ended
  })

  it('shows a failure, and asks again with the next change', async () => {
    let fails = true
    const { written, type, ended, asked } = await open({
      async measure(setting, path) {
        if (fails) throw new Error('cannot reach the lab')
        return { ...RESULTS[0]!, ...setting, path }
      },
    })
    await vi.waitFor(() => expect(written()).toContain('cannot reach the lab'), 20_000)
    fails = false
    await type('r')
    await vi.waitFor(() => expect(written()).toContain('935 B'), 20_000)
    expect(asked).toEqual([])
    await type('q')
    await ended
  })

  it('exports what is seen, and refuses what is not there', async () => {
    const { saved, written, type, ended } = await open()
    await type('x', 'n')
    await vi.waitFor(() => expect(written()).toContain('this case has no proxy'), 20_000)
    await type('q', 'l', 'l', 'x', 'n', 'x', 'c', 'x', 'j', 'x', 't')
    await type('q')
    await ended
    const [nginx = '', commands = '', json = '', text = ''] = saved
    expect(nginx).toBe('oauth-lab-compress-140311.conf: # nginx force\n')
    expect(commands).toContain('oauth-lab compress proxy --mode force')
    expect(commands).toContain(
      'curl -s --cacert "$(oauth-lab ca path)" https://localhost:8447/kb/200 | wc -c',
    )
    expect(
      json
        .replace(/^.*?: /, '')
        .trimEnd()
        .split('\n')
        .map(each => JSON.parse(each).name),
    ).toEqual([...'ABCDE'])
    expect(text).toMatch(/^ {5}proxy → client {3}gzip +935 B {2}▎ {2}! not asked for$/m)
  })

  it.each([
    ['Q', ['Q'], undefined],
    ['q behind the help', ['?', 'q', 'q'], undefined],
    ['Ctrl-C in the menu', ['x', '\x03'], 130],
  ])('leaves by %s', async (_what, keys, exitCode) => {
    const { ended, written, rawModes, type } = await open()
    await type(...keys)
    await ended
    expect(written()).toContain('\x1b[?1049l')
    expect(rawModes.at(-1)).toBe(false)
    expect(process.exitCode).toBe(exitCode)
  })
})
