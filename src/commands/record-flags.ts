/** Flags of `record`. */
export interface RecordFlags {
  readonly output?: string
  readonly plain?: true
}
