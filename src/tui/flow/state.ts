import type { LoginPrompt } from '../../client/login.js'
import type { Outcome, PlannedStep, Step } from '../../flows/step.js'
import type { BodyView } from '../../render/body.js'

/** The panes of the flow screen, in the order of their numbers. */
export const PANES = ['sequence', 'exchange', 'token'] as const

export type Pane = (typeof PANES)[number]

/** The login panel, while the flow asks who logs in. */
export interface LoginForm {
  readonly prompt: LoginPrompt
  readonly field: 'username' | 'password'
  readonly username: string
  readonly password: string
  /** The password came with the suggested user and goes when another name is typed. */
  readonly suggested: boolean
}

/** Everything the flow screen knows; its frame is a function of this, the size and the clock. */
export interface FlowState {
  readonly plan: readonly PlannedStep[]
  /** What happened, in order. */
  readonly steps: readonly Step[]
  readonly outcome?: Outcome
  /** A step is under way; no other may start. */
  readonly waiting: boolean
  /** Steps follow one another without Enter. */
  readonly runAll: boolean
  /** Which run of the flow this is; what comes from an earlier one is ignored. */
  readonly run: number
  /** Index of the entry that is looked at. */
  readonly selected: number
  readonly pane: Pane
  /** Which of the two lower panes is drawn where there is room for one. */
  readonly lower: Exclude<Pane, 'sequence'>
  /** First line shown, by pane. */
  readonly scroll: { readonly exchange: number; readonly token: number }
  /** Lines that the lower panes took from the sequence, or gave to it when negative. */
  readonly grow: number
  readonly body: BodyView
  readonly showSecrets: boolean
  /** Which of the tokens of an entry is shown. */
  readonly token: number
  readonly help: boolean
  readonly login?: LoginForm
  /** The panel as it was sent last, for the next try. */
  readonly lastLogin?: LoginForm
  /** What the flow says while it waits, such as the URL to open; oldest first. */
  readonly notices: readonly string[]
}

/** The screen before anything happened. */
export function initialState(plan: readonly PlannedStep[], showSecrets: boolean): FlowState {
  return {
    plan,
    steps: [],
    waiting: false,
    runAll: false,
    run: 1,
    selected: 0,
    pane: 'exchange',
    lower: 'exchange',
    scroll: { exchange: 0, token: 0 },
    grow: 0,
    body: 'pretty',
    showSecrets,
    token: 0,
    help: false,
    notices: [],
  }
}
