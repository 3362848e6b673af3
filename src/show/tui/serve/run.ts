import type { LabEvent } from '../../../protocol/events.js'
import { weakNotice } from '../../../protocol/rules/weak-modes.js'
import { signsFor } from '../../render/text/signs.js'
import type { Line } from '../../render/text/spans.js'
import { filterLine, screenFrame, tableHintLine } from '../screen/frame.js'
import { type ScreenTerminal, showScreen } from '../screen/show-screen.js'
import type { Size } from '../screen/size.js'
import { createStore } from '../screen/store.js'
import type { EndingSignal } from '../screen/terminal.js'
import { infoLines } from './info.js'
import { type DashboardOffers, exportsOf, SERVE_KEYS, serveKeys } from './keys.js'
import { type Feed, type FrameContext, panes } from './panes.js'
import { type DashboardState, initialState } from './state.js'
import { fold } from './view/fold.js'
import { emptyView } from './view/lab-view.js'

/** The last line: the filter that is typed, or hints. */
function bottom(state: DashboardState, size: Size, { signs }: FrameContext): Line {
  if (state.typing) return filterLine(state.filters[state.pane] ?? '', signs)
  return tableHintLine(SERVE_KEYS, state, size, signs)
}

/** The page about the lab. */
function infoPage(
  { view }: DashboardState,
  { columns }: Size,
  { feed, signs, titles }: FrameContext,
): Line[] {
  const notes = [weakNotice(view.facts.weak ?? []), feed.broken].filter(each => each !== undefined)
  return infoLines(view, notes, titles, columns, signs)
}

/** The frame: what the terminal shows of the dashboard. */
export function frameOf(state: DashboardState, size: Size, context: FrameContext): Line[] {
  return screenFrame(state, size, context.signs, {
    keys: SERVE_KEYS,
    notes: ['filters: status:4 client:demo site:resource method:POST !/jwks text'],
    menu: state.menu && exportsOf(state, context.now),
    panes: () =>
      state.page === 'info'
        ? infoPage(state, size, context)
        : [...panes(state, size, context), bottom(state, size, context)],
  })
}

/** The messages of a feed to the dashboard. */
export interface FeedListener {
  readonly event: (event: LabEvent) => void
  /** The state of the feed changed: it has ended, or had broken lines. */
  readonly changed: (feed: Feed) => void
}

/** The content of the dashboard, and its source. */
export interface DashboardOptions extends ScreenTerminal {
  readonly feed: Feed
  /** Starts to report events; returns the function that ends it. */
  readonly listen: (listener: FeedListener) => () => void
  readonly offers: DashboardOffers
  /** The lab's clock, in milliseconds since the epoch. */
  readonly now: () => number
  readonly ascii: boolean
  /** Ends the screen from elsewhere. */
  readonly ended?: AbortSignal
}

/** Does `work` at once, and then at most every `pause` milliseconds, for as long as it is asked for. */
function coalesce(work: () => void, pause: number): { readonly call: () => void; readonly stop: () => void } {
  let timer: NodeJS.Timeout | undefined
  let wanted = false
  const rest = (): void => {
    timer = undefined
    if (!wanted) return
    run()
  }
  const run = (): void => {
    wanted = false
    timer = setTimeout(rest, pause)
    work()
  }
  return {
    call: () => {
      if (timer === undefined) run()
      else wanted = true
    },
    stop: () => {
      clearTimeout(timer)
      timer = undefined
      wanted = false
    },
  }
}

/** Pause between two redraws for what happens in the lab, milliseconds: at most 25 a second. Keys never wait. */
const REDRAW_PAUSE = 40

/**
 * Shows a lab in the alternate screen of the terminal until the person leaves it.
 * @returns the signal that ended it, if any, and how many requests were seen
 */
export async function runDashboard(
  options: DashboardOptions,
): Promise<{ readonly signal: EndingSignal | undefined; readonly requests: number }> {
  const { offers, ended, now } = options
  const { titles } = offers
  const signs = signsFor(options)
  let view = emptyView
  let feed = options.feed
  const store = createStore(initialState(view))
  const contextAt = (time: number): FrameContext => ({ feed, signs, titles, now: time })
  const show = coalesce(() => {
    const shown = view
    store.update(state => ({ ...state, view: shown }))
  }, REDRAW_PAUSE)
  const signal = await showScreen(options, serveKeys, finish => {
    const ignore = options.listen({
      event(event) {
        view = fold(view, event)
        show.call()
      },
      changed(changed) {
        feed = changed
        // A new view object: what feeds it is drawn too.
        view = { ...view }
        show.call()
      },
    })
    const leave = (): void => finish({})
    ended?.addEventListener('abort', leave)
    return {
      store,
      now,
      ports: { offers, context: () => contextAt(now()) },
      frame: (state, size, time) => frameOf(state, size, contextAt(time)),
      ticks: ({ page }) => feed.live && page === undefined,
      close() {
        show.stop()
        ignore()
        ended?.removeEventListener('abort', leave)
      },
    }
  })
  return { signal, requests: view.requests.end }
}
