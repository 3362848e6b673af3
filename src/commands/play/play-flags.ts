import type { ExportFormat } from '../flow/export-formats.js'

/** Options of `play`. */
export interface PlayFlags {
  readonly plain?: true
  readonly screenReader?: true
  readonly export?: ExportFormat
  readonly output?: string
}
