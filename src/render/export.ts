import type { FlowRecord } from '../flows/step.js'
import { curlScript } from './curl-script.js'
import type { ExportOptions } from './export-options.js'
import { harText } from './har.js'
import { markdown } from './markdown.js'
import { mermaid } from './mermaid.js'

/** The forms in which a run can be kept. */
export type ExportFormat = 'har' | 'curl' | 'mermaid' | 'markdown'

const exporters: Readonly<
  Record<ExportFormat, (records: readonly FlowRecord[], o: ExportOptions) => string>
> = { har: harText, curl: curlScript, mermaid, markdown }

/** A run in another form: text that ends with a line break. */
export function exportFlow(
  format: ExportFormat,
  records: readonly FlowRecord[],
  options: ExportOptions,
): string {
  return exporters[format](records, options)
}
