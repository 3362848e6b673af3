import type { Pane } from './panes.js'
import type { LabView } from './view/lab-view.js'

/** The actions that change the state of the dashboard. */
export type Action =
  /** Things happened in the lab. */
  | { readonly type: 'view'; readonly view: LabView }
  | { readonly type: 'pane'; readonly pane: Pane }
  | { readonly type: 'nextPane'; readonly by: 1 | -1 }
  /** `rows`: entries that the pane shows at once. */
  | { readonly type: 'move'; readonly by: number; readonly rows: number }
  | { readonly type: 'first' | 'last'; readonly rows: number }
  | { readonly type: 'follow' }
  | { readonly type: 'openEntry' }
  /** The entry before or after the open one. */
  | { readonly type: 'otherEntry'; readonly by: number }
  /** `limit`: the last line that may come first. */
  | { readonly type: 'scroll'; readonly by: number; readonly limit: number }
  | { readonly type: 'startFilter' }
  | { readonly type: 'typed'; readonly text: string }
  | { readonly type: 'endFilter'; readonly keep: boolean }
  | { readonly type: 'overlay'; readonly overlay: 'help' | 'info' }
  | { readonly type: 'menu'; readonly at: number }
  | { readonly type: 'back' }
  | { readonly type: 'grow'; readonly by: number }
  | { readonly type: 'notice'; readonly text: string }
