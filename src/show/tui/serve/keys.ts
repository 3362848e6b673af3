import type { LabEvent } from '../../../protocol/events.js'
import {
  eventCurl,
  eventHar,
  eventLines,
  notRepeatable,
  requestUrl,
} from '../../render/events/event-export.js'
import {
  copyText,
  type ExportFile,
  exportMenu,
  type FileOffers,
  notify,
  opensExports,
  pressInExportMenu,
  report,
} from '../screen/exports.js'
import {
  type Distance,
  exitKeys,
  type KeyTable,
  keyRows,
  linesOf,
  moveKeys,
  type Notice,
  type Press,
  paneKeys,
  pressInFilter,
  type ScreenKeys,
  typesFilter,
} from '../screen/key-rows.js'
import type { Menu } from '../screen/menu.js'
import { PANES, type Pane, SHOWN } from './entries.js'
import { pasteLines } from './info.js'
import { type FrameContext, layOut, scrollLimit } from './panes.js'
import { eventsWith } from './single.js'
import {
  back,
  type DashboardState,
  filtered,
  follow,
  grown,
  listed,
  moved,
  openEntry,
  otherEntry,
  scrolled,
  selectedEntry,
  selectedRegistration,
  selectedRequest,
  toggleFollow,
  toPane,
} from './state.js'
import { entries, entryAt } from './view/history.js'

/** The functions of the dashboard beside showing, or the reason why one is missing, in a sentence. */
export interface DashboardOffers extends FileOffers {
  /** Makes a key that signs from now on. @returns the message for the person */
  readonly rotate: (() => Promise<string>) | { readonly why: string }
  /** Deletes a client that registered itself. @returns the message for the person */
  readonly remove: (clientId: string) => string
  /** Opens an address in the person's browser. @returns the notice for the person */
  readonly browse: (url: string) => Promise<Notice>
  /** Of this program, for the files it writes. */
  readonly version: string
  /** The titles of the sites of a lab, by their names. */
  readonly titles: Readonly<Record<string, string>>
}

/** The parts of the dashboard that keys act on. */
export interface DashboardPorts {
  readonly offers: DashboardOffers
  readonly context: () => FrameContext
}

type ServePress = Press<DashboardState, DashboardPorts>

/** The events of the entry that the keys are at, oldest first. */
function ownEvents(state: DashboardState): readonly LabEvent[] {
  const { view, pane } = state
  const n = selectedEntry(state)
  if (n === undefined) return []
  if (pane === 'events') return [entryAt(view.events, n)!]
  const request = selectedRequest(state)
  if (request) return [...request.decisions, request.event]
  return eventsWith(view, SHOWN[pane].at(view, n)?.mentions ?? [])
}

/** All events that are kept, in order of time: a recording that can be played. */
function allEvents({ view }: DashboardState): LabEvent[] {
  const { urls, ca, pid, configured } = view.facts
  const ready = { type: 'lab.ready', pid, ca, urls: Object.fromEntries(urls) } as unknown as LabEvent
  const happened = [...entries(view.events), ...entries(view.requests).map(({ event }) => event)]
  return [
    ready,
    ...(configured ? [configured] : []),
    ...happened.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
  ]
}

/** The selected request as a curl command, or why it has none. */
function curlOf(state: DashboardState): { readonly curl: string } | { readonly why: string } {
  const { facts } = state.view
  const request = selectedRequest(state)
  const why = request === undefined ? 'only a request has one' : notRepeatable(request.event, facts)
  return request === undefined || why !== undefined
    ? { why: why ?? '' }
    : { curl: eventCurl(request.event, facts) }
}

/** The export menu as it stands in this state. */
export function exportsOf(state: DashboardState, now: number): Menu<ExportFile<ServePress>> {
  const { facts, requests } = state.view
  const curl = curlOf(state)
  const listedRequests = () => listed(state, 'requests').numbers.map(n => entryAt(requests, n)!.event)
  const noRequest = selectedRequest(state) === undefined ? 'only requests have one' : undefined
  return exportMenu('serve', now, [
    [
      'c',
      'curl, this request',
      'sh',
      () => ('curl' in curl ? `${curl.curl}\n` : ''),
      'why' in curl ? curl.why : undefined,
    ],
    [
      'h',
      'HAR, the requests listed',
      'har',
      ({ offers }) => eventHar(listedRequests(), facts, offers.version),
      noRequest,
    ],
    ['j', 'JSON lines, this one and its decisions', 'jsonl', () => eventLines(ownEvents(state))],
    ['e', 'JSON lines, everything kept', 'jsonl', () => eventLines(allEvents(state))],
  ])
}

/** Copies the lines to paste, a curl command when the request has one, or the name of the entry. */
function copy(on: ServePress): void {
  const { state } = on
  const { view, pane, page } = state
  const curl = curlOf(state)
  const n = selectedEntry(state)
  const named = n === undefined ? undefined : SHOWN[pane].at(view, n)?.value
  const entry = 'curl' in curl ? curl.curl : named
  const text = page === 'info' ? pasteLines(view).join('\n') : entry
  if (text !== undefined) copyText(on, text, `copied ${text.split('\n')[0]!}`)
}

/** The address to open: the request's own, where it can be asked for again; else the lab's. */
function addressOf(state: DashboardState): string | undefined {
  const { facts } = state.view
  const request = selectedRequest(state)
  const own =
    request?.method === 'GET' && !request.path.includes('…') ? requestUrl(request.event, facts) : undefined
  return own ?? facts.urls.find(([name]) => name === 'authorization')?.[1] ?? facts.urls[0]?.[1]
}

/** Moves in the list of the pane, or in the entry that is open. */
function move({ state, size, store, context }: ServePress, by: 1 | -1, distance: Distance): void {
  const { requests, lower, single, arrangement } = layOut(state, size)
  const { open, pane } = state
  if (open !== undefined) {
    const limit = scrollLimit(state, size, context())
    store.update(now => scrolled(now, linesOf(by, distance, single.rows), limit))
    return
  }
  const tall = arrangement === 'wide' && pane !== 'events' ? 2 : 1
  const rows = Math.max(1, pane === 'requests' ? requests.rows : Math.floor(lower.rows / tall))
  const newest = pane === 'requests' && by > 0 && distance === 'end'
  store.update(now => (newest ? follow(now) : moved(now, linesOf(by, distance, rows), rows)))
}

const listing = (state: DashboardState): boolean => state.open === undefined && !state.page
const opened = (state: DashboardState): boolean => state.open !== undefined && !state.page
const something = (state: DashboardState): boolean => selectedEntry(state) !== undefined
const row = keyRows<DashboardState, ServePress>

/** The keys of the dashboard, in the order of the hint line. */
export const SERVE_KEYS: KeyTable<DashboardState, ServePress> = [
  ...row('Serve', [
    ['enter', 'open: what was decided', { change: openEntry }, ['enter open', 9, something], listing],
    [
      'left h',
      ['← → h l', 'open the one before, after'],
      { change: state => otherEntry(state, -1) },
      ['←→ others', 8],
      opened,
    ],
    ['right l', undefined, { change: state => otherEntry(state, 1) }, undefined, opened],
  ]),
  ...paneKeys<Pane, DashboardState, ServePress>({
    panes: PANES,
    to: toPane,
    keep: 8,
    help: ['1 … 9', 'go to that pane'],
    when: listing,
  }),
  ...moveKeys<DashboardState, ServePress>(move, {
    hint: ['j k move', 4, listing],
    otherHint: ['j k scroll', 4, opened],
    when: ({ page }) => !page,
  }),
  ...row('Serve', [
    [
      '/',
      'filter: status:400 /token',
      typesFilter(({ filters, pane }) => filters[pane]),
      ['/ filter', 7],
      listing,
    ],
    [
      'F',
      'follow new requests',
      { change: toggleFollow },
      ['F follow', 5],
      state => listing(state) && state.pane === 'requests',
    ],
    [
      'i',
      'addresses, lines to paste',
      { change: state => ({ ...state, page: 'info' }) },
      ['i info', 6],
      listing,
    ],
  ]),
  ...row('Everywhere', [
    ['x', 'export: curl, HAR, JSON', opensExports, ['x export', 3], state => !state.page && something(state)],
    [
      'y',
      'copy',
      { does: copy },
      ['y copy', 2],
      state => state.page === 'info' || (!state.page && something(state)),
    ],
  ]),
  ...row('Serve', [
    [
      'o',
      'open in the browser',
      {
        does(on) {
          const url = addressOf(on.state)
          if (url !== undefined) report(on, on.offers.browse(url), `opening ${url}`)
        },
      },
      ['o browser', 1],
      state => state.page !== 'help' && state.view.facts.urls.length > 0,
    ],
    [
      'K',
      'sign with a new key',
      {
        does(on) {
          const { rotate } = on.offers
          if (typeof rotate === 'function') report(on, rotate(), 'making a key')
          else notify(on, { text: rotate.why, good: false })
        },
      },
      undefined,
      listing,
    ],
    [
      'D',
      'delete a registered client',
      { does: on => notify(on, on.offers.remove(selectedRegistration(on.state)!)) },
      ['D delete', 9],
      state => listing(state) && selectedRegistration(state) !== undefined,
    ],
  ]),
  ...row('Everywhere', [
    ['+ =', ['= -', 'grow, shrink pane'], { change: state => grown(state, 1) }, undefined, listing],
    ['_ -', undefined, { change: state => grown(state, -1) }, undefined, listing],
  ]),
  ...exitKeys<DashboardState, ServePress>(back, ({ open }) => open !== undefined, 'back, clear the filter'),
]

/** The keys of the dashboard, and the filter or the menu in front. */
export const serveKeys: ScreenKeys<DashboardState, DashboardPorts> = {
  keys: SERVE_KEYS,
  inFront(on) {
    const { typing, menu, filters, pane } = on.state
    if (typing) pressInFilter(on, filters[pane] ?? '', filtered)
    else if (menu !== undefined) pressInExportMenu(on, exportsOf(on.state, on.context().now))
    return typing !== undefined || menu !== undefined
  },
}
