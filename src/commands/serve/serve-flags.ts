import type { LabOverrides } from '../../lab/lab-file/overrides.js'

/** Flags of `serve`. */
export interface ServeFlags extends LabOverrides {
  readonly host?: string
  readonly fail?: readonly string[]
  readonly seed?: number
  /** Milliseconds since the epoch. */
  readonly now?: number
  readonly explain?: true
  readonly weakAnywhere?: true
  readonly san?: readonly string[]
  readonly selfSigned?: true
  readonly plain?: true
  readonly screenReader?: true
}
