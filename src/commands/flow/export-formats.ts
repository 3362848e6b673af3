import type { ExportFormat } from '../../show/render/exports/export.js'

export type { ExportFormat }

/** The forms a run can be written in, apart from the code that writes them: help has to start fast. */
export const EXPORT_FORMATS: readonly ExportFormat[] = ['har', 'curl', 'mermaid', 'markdown']
