import { renderToString } from 'ink'
import type { FlowRecord } from '../../../../src/flows/step.js'
import { signsFor } from '../../../../src/show/render/text/signs.js'
import type { Action } from '../../../../src/show/tui/flow/actions.js'
import { frameOf } from '../../../../src/show/tui/flow/frame.js'
import { NO_OFFERS } from '../../../../src/show/tui/flow/offers.js'
import { reduce } from '../../../../src/show/tui/flow/reducer.js'
import type { FlowState } from '../../../../src/show/tui/flow/state.js'
import { initialState } from '../../../../src/show/tui/flow/state.js'
import { FrameView } from '../../../../src/show/tui/screen/frame-view.js'
import type { Size } from '../../../../src/show/tui/screen/size.js'
import { ISSUER, NOW, PLAN, STEPS } from '../steps.js'

/** The state after some actions. */
export function acted(state: FlowState, ...actions: readonly Action[]): FlowState {
  return actions.reduce(reduce, state)
}

/** The state after the first `count` steps of the recorded run, and further records. */
export function stateAfter(count: number, ...more: readonly FlowRecord[]): FlowState {
  const records = [...STEPS.slice(0, count), ...more]
  return acted(
    initialState(PLAN, false),
    ...records.map((record): Action => ({ type: 'record', run: 1, record })),
  )
}

export function contextFor(options: { readonly ascii: boolean } = { ascii: false }) {
  return {
    command: 'flow code',
    clientId: 'demo',
    issuer: ISSUER,
    signs: signsFor(options),
    now: NOW,
    offers: NO_OFFERS,
  }
}

/** The frame as Ink paints it, without colour. */
export function draw(state: FlowState, size: Size, options?: { readonly ascii: boolean }): string {
  const lines = frameOf(state, size, contextFor(options))
  const painted = renderToString(<FrameView lines={lines} />, { columns: size.columns })
  const plain = painted.replace(/\x1b\[[\d;]*m/g, '')
  return plain
    .split('\n')
    .map(line => line.trimEnd())
    .join('\n')
}
