import { renderToString } from 'ink'
import { signsFor } from '../../../../src/show/render/text/signs.js'
import { FrameView } from '../../../../src/show/tui/screen/frame-view.js'
import type { Size } from '../../../../src/show/tui/screen/size.js'
import type { Action } from '../../../../src/show/tui/serve/actions.js'
import type { FrameContext } from '../../../../src/show/tui/serve/frame.js'
import { frameOf } from '../../../../src/show/tui/serve/frame.js'
import type { Feed } from '../../../../src/show/tui/serve/header.js'
import { reduce } from '../../../../src/show/tui/serve/reducer.js'
import type { DashboardState } from '../../../../src/show/tui/serve/state.js'
import { initialState } from '../../../../src/show/tui/serve/state.js'
import { NOW, viewOf } from './events.js'

/** What a drawing is of, beside the state. */
export interface DrawOptions {
  readonly ascii?: boolean
  readonly feed?: Feed
}

/** The dashboard of the recorded afternoon, after some actions. */
export function dashboard(...actions: readonly Action[]): DashboardState {
  return actions.reduce(reduce, initialState(viewOf()))
}

export function contextFor({ ascii = false, feed = { command: 'serve', live: true } }: DrawOptions = {}) {
  return { feed, signs: signsFor({ ascii }), now: NOW } satisfies FrameContext
}

/** The frame as Ink paints it, without colour. */
export function draw(state: DashboardState, size: Size, options?: DrawOptions): string {
  const painted = renderToString(<FrameView lines={frameOf(state, size, contextFor(options))} />, {
    columns: size.columns,
  })
  return painted
    .replace(/\x1b\[[\d;]*m/g, '')
    .split('\n')
    .map(line => line.trimEnd())
    .join('\n')
}
