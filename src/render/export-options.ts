/** What an export needs to know beside the records. */
export interface ExportOptions {
  /** In words: `authorization code`. */
  readonly flow: string
  readonly clientId: string
  /** Of this program. */
  readonly version: string
  readonly showSecrets: boolean
  /** CA certificates that the servers need, PEM. */
  readonly caPem?: string
}
