/** Flags of `client-document`. */
export interface ClientDocumentFlags {
  readonly redirectUri: readonly string[]
  readonly name: string
  readonly clientId?: string
  readonly jwks?: string
  readonly serve?: true
  readonly port: number
  readonly path: string
  readonly host?: string
}
