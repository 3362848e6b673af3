import type { ListedEvent } from '../../cloudflare/client/events/event.js'
import type { ExportForm } from './exports.js'

/** The functions of the screen beside showing. */
export interface EventsOffers {
  /** Events in a form, as the text of a file. */
  readonly written: (form: ExportForm, events: readonly ListedEvent[]) => string
  /** Writes a file of about this name. @returns the name it got; rejects where it cannot be written */
  readonly save: (name: string, text: string) => Promise<string>
  /** Writes what was copied, for terminals that keep no clipboard. @returns the name of the file */
  readonly keepCopy: (text: string) => Promise<string>
  /** True when the terminal is known to keep a clipboard. */
  readonly clipboard: boolean
}
