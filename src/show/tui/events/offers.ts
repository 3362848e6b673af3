import type { ListedEvent } from '../../../servers/cloudflare/client/events/event.js'
import type { FileOffers } from '../screen/notices.js'
import type { ExportForm } from './exports.js'

/** The functions of the screen beside showing. */
export interface EventsOffers extends FileOffers {
  /** Events in a form, as the text of a file. */
  readonly written: (form: ExportForm, events: readonly ListedEvent[]) => string
}
