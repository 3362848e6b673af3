/** The functions of the dashboard beside showing, or the reason why one is missing, in a sentence. */
export interface DashboardOffers {
  /** Makes a key that signs from now on. @returns the message for the person */
  readonly rotate: (() => Promise<string>) | { readonly why: string }
  /** Opens an address in the person's browser. @returns the message for the person */
  readonly browse: (url: string) => Promise<string>
  /** Writes a file of about this name. @returns the name it got; rejects where it cannot be written */
  readonly save: (name: string, text: string) => Promise<string>
  /** Writes what was copied, for terminals that keep no clipboard. @returns the name of the file */
  readonly keepCopy: (text: string) => Promise<string>
  /** True when the terminal is known to keep a clipboard. */
  readonly clipboard: boolean
  /** Of this program, for the files it writes. */
  readonly version: string
}
