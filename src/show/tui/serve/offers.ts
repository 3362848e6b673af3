import type { FileOffers } from '../screen/notices.js'
/** The functions of the dashboard beside showing, or the reason why one is missing, in a sentence. */
export interface DashboardOffers extends FileOffers {
  /** Makes a key that signs from now on. @returns the message for the person */
  readonly rotate: (() => Promise<string>) | { readonly why: string }
  /** Deletes a client that registered itself. @returns the message for the person */
  readonly remove: (clientId: string) => string
  /** Opens an address in the person's browser. @returns the message for the person */
  readonly browse: (url: string) => Promise<string>
  /** Of this program, for the files it writes. */
  readonly version: string
}
