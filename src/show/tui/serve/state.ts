import type { LowerPane, Pane } from './panes.js'
import type { LabView } from './view/lab-view.js'

/** The position of the keys in a pane. */
export interface Cursor {
  /** Number of the entry; absent: the newest request, or the first line of another pane, whichever that is. */
  readonly at?: number
  /**
   * Lines above it on the screen, as far as there is room, so that new entries do not move the selected one.
   */
  readonly row: number
}

/** Everything the dashboard knows; its frame is a function of this, the size and the clock. */
export interface DashboardState {
  readonly view: LabView
  readonly pane: Pane
  /** Which lower pane is drawn where there is room for one. */
  readonly lower: LowerPane
  readonly cursors: Readonly<Partial<Record<Pane, Cursor>>>
  readonly filters: Readonly<Partial<Record<Pane, string>>>
  /** The filter as it was, while another one is typed. */
  readonly typing?: { readonly before: string }
  /** The entry that is open. */
  readonly open?: { readonly pane: Pane; readonly n: number; readonly scroll: number }
  readonly overlay?: 'help' | 'info'
  /** The export menu: which item enter would choose. */
  readonly menu?: number
  /** The result of the last key; the next key removes it. */
  readonly notice?: string
  /** Lines that the lower panes took from the requests. */
  readonly grow: number
}

/** The dashboard of a lab that was just started. */
export function initialState(view: LabView): DashboardState {
  return { view, pane: 'requests', lower: 'codes', cursors: {}, filters: {}, grow: 0 }
}
