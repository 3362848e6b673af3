/** Flags of `record`. */
export interface RecordFlags {
  readonly browser?: string
  readonly headless?: true
  readonly output?: string
  readonly plain?: true
}
