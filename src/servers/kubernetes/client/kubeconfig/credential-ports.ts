/** The ports for reading credentials. */
export interface CredentialPorts {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** The most milliseconds that a credential plugin may take. */
  readonly timeoutMs: number
  readonly env: Readonly<Record<string, string | undefined>>
  /** True when a person can answer questions of a plugin. */
  readonly interactive: boolean
}
