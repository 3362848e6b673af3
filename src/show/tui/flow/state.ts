import type { LoginPrompt } from '../../../client/login.js'
import type { Outcome, PlannedStep, Step, StepName } from '../../../flows/step.js'
import type { LabEvent } from '../../../protocol/events.js'
import type { ShownWeak } from '../../../protocol/rules/weak-modes.js'
import type { BodyView } from '../../render/steps/body.js'
import type { QrCode } from '../../render/text/qr.js'
import type { Held } from './held.js'

/** The panes of the flow screen, in the order of their numbers. */
export const PANES = ['sequence', 'exchange', 'token', 'server'] as const

export type Pane = (typeof PANES)[number]

/** The panes below the sequence. */
export type LowerPane = Exclude<Pane, 'sequence'>

/** The menus that are drawn over the panes. */
export type MenuName = 'export' | 'tamper' | 'time'

/** The search in a pane. */
export interface Search {
  readonly pane: LowerPane
  readonly text: string
  /** Which of the lines that hold it was gone to, from 0. */
  readonly hit: number
}

/** The login panel, while the flow asks who logs in, or for a one-time code. */
export interface LoginForm {
  readonly prompt: LoginPrompt
  readonly field: 'username' | 'password' | 'code'
  readonly username: string
  readonly password: string
  /** The one-time code, where the prompt asks for one; nothing else is asked for then. */
  readonly code: string
  /** The password came with the suggested user and goes when another name is typed. */
  readonly suggested: boolean
}

/** The address that a person opens on another device, and its code for a camera. */
export interface ShownCode {
  readonly url: string
  /** The user code and the address to type it at, as the server sent them. */
  readonly note: string
  /** Undefined for an address that is too long for a QR code. */
  readonly code: QrCode | undefined
}

/** Everything the flow screen knows; its frame is a function of this, the size and the clock. */
export interface FlowState {
  readonly plan: readonly PlannedStep[]
  /** The finished steps, in order. */
  readonly steps: readonly Step[]
  readonly outcome?: Outcome
  /** A step is under way; no other may start. */
  readonly waiting: boolean
  /** Steps follow one another without Enter. */
  readonly runAll: boolean
  /** Which run of the flow this is; what comes from an earlier one is ignored. */
  readonly run: number
  /** Index of the selected entry. */
  readonly selected: number
  readonly pane: Pane
  /** Which of the lower panes is drawn where there is room for one. */
  readonly lower: LowerPane
  /** Which pane is drawn beside the exchange; `auto`: the token where the step brought one, else the server. */
  readonly beside: 'auto' | 'token' | 'server'
  /** First line shown, by pane. */
  readonly scroll: Readonly<Record<LowerPane, number>>
  /** Lines that the lower panes took from the sequence, or gave to it when negative. */
  readonly grow: number
  readonly body: BodyView
  readonly showSecrets: boolean
  /** The weak modes of the lab; empty for a strict lab and for any other server. */
  readonly weak: readonly ShownWeak[]
  /** Lists the headers of the transport beside those of the message. */
  readonly allHeaders: boolean
  /** Which of the tokens of an entry is shown. */
  readonly token: number
  readonly help: boolean
  /** The code for a camera, while it is drawn over everything. */
  readonly qr?: ShownCode
  readonly menu?: { readonly name: MenuName; readonly at: number }
  /** The text that is typed to search for. */
  readonly finding?: string
  readonly search?: Search
  /** The result of the last key, such as the name of a file; the next key removes it. */
  readonly message?: { readonly text: string; readonly good: boolean }
  /** The request that waits to be sent. */
  readonly held?: Held
  /** Why no answer came, while it is asked whether to send the request again. */
  readonly noAnswer?: string
  /** Breakpoints: holds no request, the next one, or each one. */
  readonly breaks: 'never' | 'once' | 'always'
  /** The wrong move of this run. */
  readonly move?: string
  /** Steps follow one another without Enter until this one is next. */
  readonly until?: StepName
  /** The events of the lab's servers, also those of requests that others sent. */
  readonly serverEvents: readonly LabEvent[]
  /** Index of the step that each request belongs to, by the id of the request. */
  readonly requests: ReadonlyMap<number, number>
  /** How far the lab's clock was set forward, in milliseconds. */
  readonly clockAhead: number
  readonly login?: LoginForm
  /** The panel as it was sent last, for the next try. */
  readonly lastLogin?: LoginForm
  /** The messages of the flow while it waits, such as the URL to open; oldest first. */
  readonly notices: readonly string[]
}

/** Lines that one pane may take from the other. */
export const MOST_GROWTH = 20

/** Every pane at its first line. */
export const TOP: FlowState['scroll'] = { exchange: 0, token: 0, server: 0 }

/** The screen before anything happened. */
export function initialState(
  plan: readonly PlannedStep[],
  showSecrets: boolean,
  weak: readonly ShownWeak[] = [],
): FlowState {
  return {
    plan,
    steps: [],
    waiting: false,
    runAll: false,
    run: 1,
    selected: 0,
    pane: 'exchange',
    lower: 'exchange',
    beside: 'auto',
    scroll: TOP,
    grow: 0,
    body: 'pretty',
    showSecrets,
    weak,
    allHeaders: false,
    token: 0,
    help: false,
    breaks: 'never',
    serverEvents: [],
    requests: new Map(),
    clockAhead: 0,
    notices: [],
  }
}
