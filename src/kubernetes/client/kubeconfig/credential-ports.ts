/** The functions that reading credentials needs from outside. */
export interface CredentialPorts {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Milliseconds a credential plugin may take. */
  readonly timeoutMs: number
  readonly env: Readonly<Record<string, string | undefined>>
  /** True when a person can answer a question of a plugin. */
  readonly interactive: boolean
}
