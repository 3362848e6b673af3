import type { ExportFormat } from '../../show/render/exports/export.js'

/** Options of `play`. */
export interface PlayFlags {
  readonly plain?: true
  readonly screenReader?: true
  readonly export?: ExportFormat
  readonly output?: string
}
