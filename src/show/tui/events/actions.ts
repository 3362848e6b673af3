import type { ListedEvent } from '../../../servers/cloudflare/client/events/event.js'
import type { Pane } from './state.js'

/** The actions that change the state of the events screen. */
export type Action =
  /** New events, oldest first. */
  | { readonly type: 'came'; readonly events: readonly ListedEvent[] }
  /** Why there is nothing new; undefined: all is well again. */
  | { readonly type: 'trouble'; readonly text: string | undefined; readonly ended: boolean }
  | { readonly type: 'pane'; readonly pane: Pane }
  | { readonly type: 'nextPane'; readonly by: 1 | -1 }
  /** `rows`: events that the list shows at once. */
  | { readonly type: 'move'; readonly by: number; readonly rows: number }
  | { readonly type: 'follow' }
  /** `rows` and `fields`: how many there are to be at. */
  | { readonly type: 'field'; readonly by: number; readonly fields: number }
  | { readonly type: 'value'; readonly by: number; readonly rows: number }
  /** `limit`: the last line that may come first. */
  | { readonly type: 'scroll'; readonly by: number; readonly limit: number }
  | { readonly type: 'open' }
  | { readonly type: 'filter'; readonly text: string }
  | { readonly type: 'startFilter' }
  | { readonly type: 'endFilter'; readonly keep: boolean }
  | { readonly type: 'help' }
  | { readonly type: 'menu'; readonly at: number }
  | { readonly type: 'back' }
  | { readonly type: 'notice'; readonly text: string }
