/** Flags of `connect`. */
export interface ConnectFlags {
  readonly client?: string
  readonly apply?: true
  readonly secret?: true
  readonly output?: string
}
