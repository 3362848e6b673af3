import { LISTENERS } from '../../../../src/lab/listening/listeners.js'
import { signsFor } from '../../../../src/show/render/text/signs.js'
import type { Size } from '../../../../src/show/tui/screen/size.js'
import type { Feed, FrameContext } from '../../../../src/show/tui/serve/panes.js'
import { frameOf } from '../../../../src/show/tui/serve/run.js'
import { type DashboardState, initialState } from '../../../../src/show/tui/serve/state.js'
import { paint } from '../screen/paint.js'
import { NOW, viewOf } from './events.js'

const TITLES = Object.fromEntries(Object.entries(LISTENERS).map(([name, { title }]) => [name, title]))

/** What a drawing is of, beside the state. */
export interface DrawOptions {
  readonly ascii?: boolean
  readonly feed?: Feed
}

export type Change = (state: DashboardState) => DashboardState

/** The dashboard of the recorded afternoon, after some changes. */
export function dashboard(...changes: readonly Change[]): DashboardState {
  return changes.reduce((state, change) => change(state), initialState(viewOf()))
}

export function contextFor({ ascii = false, feed = { command: 'serve', live: true } }: DrawOptions = {}) {
  return { feed, signs: signsFor({ ascii }), now: NOW, titles: TITLES } satisfies FrameContext
}

/** The frame as Ink paints it, without colour. */
export function draw(state: DashboardState, size: Size, options?: DrawOptions): string {
  return paint(frameOf(state, size, contextFor(options)))
}
