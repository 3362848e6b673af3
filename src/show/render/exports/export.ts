import { curlScript } from '../curl/curl-script.js'
import type { ExportedRecord, ExportOptions } from './export-options.js'
import { harText } from './har.js'
import { htmlPage } from './html.js'
import { markdown } from './markdown.js'
import { mermaid } from './mermaid.js'

/** The forms in which a run can be kept. */
export type ExportFormat = 'har' | 'curl' | 'mermaid' | 'markdown' | 'html'

const exporters: Readonly<
  Record<ExportFormat, (records: readonly ExportedRecord[], o: ExportOptions) => string>
> = { har: harText, curl: curlScript, mermaid, markdown, html: htmlPage }

/** A run in another form: text that ends with a line break. */
export function exportText(
  format: ExportFormat,
  records: readonly ExportedRecord[],
  options: ExportOptions,
): string {
  return exporters[format](records, options)
}
