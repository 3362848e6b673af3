/** The facts that an export needs beside the records. */
export interface ExportOptions {
  /** The name for people: `authorization code`. */
  readonly flow: string
  readonly clientId: string
  /** Of this program. */
  readonly version: string
  readonly showSecrets: boolean
  /** CA certificates that the servers need, PEM. */
  readonly caPem?: string
}
