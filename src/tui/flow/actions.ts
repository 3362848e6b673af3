import type { LoginPrompt } from '../../client/login.js'
import type { FlowRecord } from '../../flows/step.js'
import type { SuggestedUser } from './login-form.js'
import type { Pane } from './state.js'

/** What changes the state of the flow screen. */
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
  | { readonly type: 'restart' }
  | { readonly type: 'runAll'; readonly on: boolean }
  | { readonly type: 'select'; readonly by: number }
  | { readonly type: 'pane'; readonly pane: Pane }
  | { readonly type: 'nextPane'; readonly by: 1 | -1 }
  /** `limit` is the last line that may come first. */
  | { readonly type: 'scroll'; readonly by: number; readonly limit: number }
  | { readonly type: 'grow'; readonly by: number }
  | { readonly type: 'body' }
  | { readonly type: 'secrets' }
  | { readonly type: 'nextToken' }
  | { readonly type: 'help'; readonly open: boolean }
  | { readonly type: 'typed'; readonly text: string }
  | { readonly type: 'erase' }
  | { readonly type: 'clearField' }
  | { readonly type: 'otherField' }
