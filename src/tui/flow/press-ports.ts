import type { Store } from '../screen/store.js'
import type { Action } from './actions.js'
import type { FrameContext } from './header.js'
import type { Runner } from './runner.js'
import type { FlowState } from './state.js'

/** The objects that keys act on. */
export interface PressPorts {
  readonly store: Store<FlowState, Action>
  readonly runner: Runner
  readonly context: () => FrameContext
  /** Leaves the screen; by Ctrl-C when `interrupted`. */
  readonly quit: (interrupted: boolean) => void
  /** Gives the terminal back to the shell until the program is continued. */
  readonly suspend: () => void
  /** Puts the text of the pane on the clipboard, and says so. */
  readonly copy: () => void
  /** Ends the screen with an error that is nobody's mistake but ours. */
  readonly fail: (error: unknown) => void
}
