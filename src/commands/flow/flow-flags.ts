import type { FlowRunOptions } from '../../session/runs/flow-options.js'
import type { ExportFormat } from './export-formats.js'

/** Flags of a flow. */
export interface FlowFlags extends FlowRunOptions {
  readonly plain?: true
  readonly screenReader?: true
  readonly export?: ExportFormat
  readonly output?: string
  /** True when `--timeout` was given, and so holds for the person in the browser too. */
  readonly patient: boolean
}
