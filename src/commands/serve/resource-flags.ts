/** Flags of `resource`. */
export interface ResourceFlags {
  readonly issuer: string
  readonly audience?: readonly string[]
  readonly port: number
  readonly host?: string
  readonly key?: string
  readonly secretStdin?: true
  readonly mtls?: true
  readonly plain?: true
}
