/** Flags of `doctor`. */
export interface DoctorFlags {
  readonly client: string
  readonly clientId?: string
  readonly clientSecretFile?: string
  readonly clientSecretStdin?: true
  readonly user?: string
  readonly passwordStdin?: true
  readonly redirectUri?: string
  readonly scope?: string
  readonly resource?: string
}
