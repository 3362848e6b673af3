import { jsonLine } from '../../../protocol/safe-output/json-line.js'
import type { ProxyMode } from '../../../servers/compression/proxy/modes.js'
import type { CaseSetting, MeasuredCase } from '../../../servers/compression/studies/cases.js'
import { caseCommands, caseReport } from '../../render/compression/case-lines.js'
import {
  copyText,
  type ExportFile,
  exportMenu,
  type FileOffers,
  notify,
  opensExports,
  pressInExportMenu,
} from '../screen/exports.js'
import {
  type Distance,
  exitKeys,
  type KeyTable,
  keyRows,
  linesOf,
  moveKeys,
  type Press,
  paneKeys,
  type ScreenKeys,
} from '../screen/key-rows.js'
import { clamp } from '../screen/list.js'
import type { Menu } from '../screen/menu.js'
import { type FrameContext, layOut, scrollLimit } from './panes.js'
import {
  type CompressState,
  PANES,
  type Pane,
  resultOf,
  selectedBy,
  selectedCase,
  withCase,
} from './state.js'

/** The functions of the compression lab behind its keys. */
export interface CompressOffers extends FileOffers {
  /** Base URL of the server. */
  readonly server: string
  readonly cases: readonly CaseSetting[]
  /** Paths that are asked for, the first one first. */
  readonly paths: readonly string[]
  /** Accept-Encoding of clients; null: none. */
  readonly offers: readonly (string | null)[]
  readonly modes: readonly ProxyMode[]
  /** The meaning of each mode, in short. */
  readonly meanings: Readonly<Record<ProxyMode, string>>
  /** Asks for `path` on the way of a case; rejects with a message for people. */
  readonly measure: (setting: CaseSetting, path: string) => Promise<MeasuredCase>
  /** The equal nginx configuration. */
  readonly nginx: (mode: ProxyMode) => string
}

/** The parts of the compression lab that keys act on. */
export interface CompressPorts {
  readonly offers: CompressOffers
  readonly context: () => FrameContext
  /** Measures what is not known yet. */
  readonly measure: () => void
  /** Forgets what is being measured. */
  readonly forget: () => void
}

type CompressPress = Press<CompressState, CompressPorts>

/** The command lines of the selected case. */
const commandsOf = (state: CompressState, server: string): string =>
  caseCommands(selectedCase(state), state.path, server).join('\n')

/** The export menu as it stands in this state. */
export function exportsOf(state: CompressState, now: number): Menu<ExportFile<CompressPress>> {
  const { name, mode, title } = selectedCase(state)
  const results = state.cases.map(each => [each, resultOf(state, each)] as const)
  return exportMenu('compress', now, [
    [
      'c',
      `commands, case ${name}`,
      'sh',
      ({ offers }) => `# case ${name}: ${title}\n${commandsOf(state, offers.server)}\n`,
    ],
    [
      'n',
      `nginx configuration, case ${name}`,
      'conf',
      ({ offers }) => (mode === null ? '' : offers.nginx(mode)),
      mode === null ? 'this case has no proxy' : undefined,
    ],
    [
      'j',
      'JSON lines, all cases',
      'jsonl',
      () =>
        results
          .flatMap(([, { state, ...of }]) => ('measured' in of ? [`${jsonLine(of.measured)}\n`] : []))
          .join(''),
    ],
    [
      't',
      'text, all cases',
      'txt',
      ({ context }) => `${caseReport(state.path, results, { ascii: context().signs.ascii }).join('\n')}\n`,
    ],
  ])
}

/** The next item, wrapping to the first. Returns the first item when `here` is not in the list. */
function after<T>(all: readonly T[], here: T): T {
  return all[(all.indexOf(here) + 1) % all.length]!
}

function changeMode(on: CompressPress): void {
  const { offers, state, store, measure } = on
  const setting = selectedCase(state)
  if (setting.mode === null) {
    notify(on, { text: `case ${setting.name} has no proxy: another case with → first`, good: false })
    return
  }
  const mode = after(offers.modes, setting.mode)
  const known = offers.cases.find(each => each.name === setting.name && each.mode === mode)
  const title = known?.title ?? `proxy --mode ${mode}`
  store.update(now => withCase(now, { ...setting, mode, title }))
  notify(on, `${mode}: ${offers.meanings[mode]}`)
  measure()
}

/** Selects another case, or scrolls the reasons. */
function move({ state, size, store, context }: CompressPress, by: 1 | -1, distance: Distance): void {
  if (state.pane === 'hops') {
    store.update(now => selectedBy(now, distance === 'line' ? by : linesOf(by, 'end', 1)))
    return
  }
  const lines = linesOf(by, distance, layOut(state, size).why.rows)
  const limit = Math.max(0, scrollLimit(state, size, context()))
  store.update(now => ({ ...now, scroll: clamp(now.scroll + lines, 0, limit) }))
}

const row = keyRows<CompressState, CompressPress>

/** The keys of the compression lab, in the order of the hint line. */
export const COMPRESS_KEYS: KeyTable<CompressState, CompressPress> = [
  ...row('Compression', [
    ['right l', ['← → h l', 'another case'], { change: state => selectedBy(state, 1) }, ['←→ case', 9]],
    ['left h', undefined, { change: state => selectedBy(state, -1) }],
    [
      'b',
      'next body size',
      {
        change: (state, { offers }) => ({ ...state, path: after(offers.paths, state.path), scroll: 0 }),
        does: ({ measure }) => measure(),
      },
      ['b body size', 8],
    ],
    [
      'e',
      'next Accept-Encoding',
      {
        change(state, { offers }) {
          const setting = selectedCase(state)
          return withCase(state, { ...setting, offer: after(offers.offers, setting.offer) })
        },
        does: ({ measure }) => measure(),
      },
      ['e Accept-Encoding', 7],
    ],
    ['p', 'next proxy behaviour', { does: changeMode }, ['p proxy', 6]],
    [
      'r',
      'A to E again, measured again',
      {
        does({ store, offers: { cases, paths }, forget, measure }) {
          forget()
          store.update(state => ({ ...state, cases, path: paths[0] ?? state.path, results: {}, scroll: 0 }))
          measure()
        },
      },
    ],
  ]),
  ...paneKeys<Pane, CompressState, CompressPress>({
    panes: PANES,
    to: (state, pane) => ({ ...state, pane }),
    keep: 4,
    help: ['1 2', 'go to that pane'],
  }),
  ...moveKeys<CompressState, CompressPress>(move),
  ...row('Everywhere', [
    ['x', 'export: nginx, JSON, text', opensExports, ['x export', 5]],
    [
      'y',
      'copy the equal commands',
      { does: on => copyText(on, commandsOf(on.state, on.offers.server), 'copied the equal commands') },
    ],
  ]),
  ...exitKeys<CompressState, CompressPress>(
    state => state,
    () => false,
  ),
]

/** The keys of the compression lab, and the menu in front. */
export const compressKeys: ScreenKeys<CompressState, CompressPorts> = {
  keys: COMPRESS_KEYS,
  inFront(on) {
    const { menu } = on.state
    if (menu === undefined) return false
    pressInExportMenu(on, exportsOf(on.state, on.context().now))
    return true
  },
}
