import type { Exits } from '../screen/press.js'
import type { Store } from '../screen/store.js'
import type { Action } from './actions.js'
import type { FrameContext } from './header.js'
import type { Runner } from './runner.js'
import type { FlowState } from './state.js'

/** The parts of the stepper that keys act on. */
export interface PressPorts extends Exits {
  readonly store: Store<FlowState, Action>
  readonly runner: Runner
  readonly context: () => FrameContext
  /** Puts the text of the pane on the clipboard, and says so. */
  readonly copy: () => void
  /** Ends the screen with an error that is nobody's mistake but ours. */
  readonly fail: (error: unknown) => void
}
