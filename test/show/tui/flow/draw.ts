import type { FlowRecord } from '../../../../src/flows/step.js'
import { signsFor } from '../../../../src/show/render/text/signs.js'
import { receive } from '../../../../src/show/tui/flow/changes.js'
import { frameOf } from '../../../../src/show/tui/flow/frame.js'
import { NO_OFFERS } from '../../../../src/show/tui/flow/offers.js'
import { type FlowState, initialState } from '../../../../src/show/tui/flow/state.js'
import type { Size } from '../../../../src/show/tui/screen/size.js'
import { paint } from '../screen/paint.js'
import { ISSUER, NOW, PLAN, STEPS } from '../steps.js'

export type Change = (state: FlowState) => FlowState

/** The state after some changes. */
export function acted(state: FlowState, ...changes: readonly Change[]): FlowState {
  return changes.reduce((before, change) => change(before), state)
}

/** The state after the first `count` steps of the recorded run, and further records. */
export function stateAfter(count: number, ...more: readonly FlowRecord[]): FlowState {
  return [...STEPS.slice(0, count), ...more].reduce(receive, initialState(PLAN, false))
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
  return paint(frameOf(state, size, contextFor(options)))
}
