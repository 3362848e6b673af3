import type { McpRunOptions } from '../../session/runs/mcp-options.js'
import type { NetworkOptions } from '../../session/targets/network-options.js'
import type { ExportFormat } from './export-formats.js'

/** Flags of `flow mcp`. */
export interface McpFlags extends McpRunOptions, NetworkOptions {
  readonly tamper?: string
  readonly plain?: true
  readonly screenReader?: true
  readonly export?: ExportFormat
  readonly output?: string
}
