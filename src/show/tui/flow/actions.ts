import type { LoginPrompt } from '../../../client/login.js'
import type { HeldRequest } from '../../../flows/middleware/gate.js'
import type { FlowRecord, PlannedStep, StepName } from '../../../flows/step.js'
import type { LabEvent } from '../../../protocol/events.js'
import type { HeldChange } from './held.js'
import type { SuggestedUser } from './login-form.js'
import type { LowerPane, MenuName, Pane, ShownCode } from './state.js'

/** The actions that change the state of the flow screen. */
export type Action =
  /** A step was started; `quiet` when only the outcome is awaited, which moves nothing. */
  | { readonly type: 'waiting'; readonly quiet: boolean }
  /** The flow yielded; `run` says which run of it. */
  | { readonly type: 'record'; readonly run: number; readonly record: FlowRecord }
  /** The flow returned without an outcome. */
  | { readonly type: 'stopped'; readonly run: number }
  | { readonly type: 'notice'; readonly run: number; readonly text: string }
  | { readonly type: 'ask'; readonly prompt: LoginPrompt; readonly suggested: SuggestedUser | undefined }
  | { readonly type: 'answered' }
  /** A new run; with another plan where a wrong move is in it, or is no more. */
  | {
      readonly type: 'restart'
      readonly with?: {
        readonly plan: readonly PlannedStep[]
        readonly move?: string
        readonly until?: StepName
      }
    }
  /** The run that went on by itself is where it was to be. */
  | { readonly type: 'arrived' }
  | { readonly type: 'runAll'; readonly on: boolean }
  | { readonly type: 'select'; readonly by: number }
  | { readonly type: 'pane'; readonly pane: Pane }
  | { readonly type: 'nextPane'; readonly by: 1 | -1 }
  /** `limit` is the last line that may come first. */
  | { readonly type: 'scroll'; readonly by: number; readonly limit: number }
  | { readonly type: 'grow'; readonly by: number }
  | { readonly type: 'body' }
  | { readonly type: 'secrets' }
  | { readonly type: 'headers' }
  | { readonly type: 'nextToken' }
  | { readonly type: 'help'; readonly open: boolean }
  /** The code for a camera; undefined: it is drawn no more. */
  | { readonly type: 'qr'; readonly qr: ShownCode | undefined }
  /** `at`: the item to begin at; default 0. */
  | { readonly type: 'menu'; readonly name?: MenuName; readonly at?: number }
  | { readonly type: 'menuMove'; readonly by: number; readonly count: number }
  | { readonly type: 'breaks'; readonly breaks: 'never' | 'once' | 'always' }
  | { readonly type: 'held'; readonly request: HeldRequest }
  | { readonly type: 'changeHeld'; readonly change: HeldChange }
  | { readonly type: 'released' }
  /** No answer came; without a reason: it was decided what to do about that. */
  | { readonly type: 'noAnswer'; readonly why?: string }
  | { readonly type: 'server'; readonly event: LabEvent }
  /** The run sent the request of this id to the lab, for the step under way. */
  | { readonly type: 'sent'; readonly run: number; readonly request: number }
  | { readonly type: 'clock'; readonly ahead: number }
  | { readonly type: 'message'; readonly text: string; readonly good: boolean }
  | { readonly type: 'clearMessage' }
  /** The text that is typed to search for; undefined: no search any more. */
  | { readonly type: 'finding'; readonly text: string | undefined }
  /** Goes to a line of a pane that holds what is searched for. */
  | {
      readonly type: 'found'
      readonly pane: LowerPane
      readonly text: string
      readonly hit: number
      readonly line: number
    }
  | { readonly type: 'forget' }
  | { readonly type: 'typed'; readonly text: string }
  | { readonly type: 'erase' }
  | { readonly type: 'clearField' }
  | { readonly type: 'otherField' }
