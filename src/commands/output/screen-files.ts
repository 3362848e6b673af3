import { programVersion } from '../../protocol/version.js'
import { curlCommand } from '../../show/render/curl/curl.js'
import { exportText } from '../../show/render/exports/export.js'
import type { ExportOptions } from '../../show/render/exports/export-options.js'
import { rawExchange } from '../../show/render/exports/raw.js'
import { flowJson } from '../../show/render/text/json.js'
import type { FlowOffers, KeepFormat, Kept } from '../../show/tui/flow/offers.js'
import { keepCopy, writeNewFile } from './screen-offers.js'

/** The names of a flow in its exports. */
export type KeptFlow = Pick<ExportOptions, 'flow' | 'clientId' | 'caPem'>

function written(format: KeepFormat, { records, step, showSecrets }: Kept, flow: KeptFlow): string {
  switch (format) {
    case 'jsonl':
      return `${records.map(record => flowJson(record, { showSecrets })).join('\n')}\n`
    case 'curl':
      return step.exchange ? `${curlCommand(step.exchange, { showSecrets })}\n` : ''
    case 'raw':
      return step.exchange ? rawExchange(step.exchange, { showSecrets }) : ''
    default:
      return exportText(format, records, { ...flow, showSecrets, version: programVersion() })
  }
}

/** The files that a screen writes: runs in the current folder, copied text in the state folder. */
export function screenFiles(flow: KeptFlow, home: string): Pick<FlowOffers, 'keep' | 'keepCopy'> {
  return {
    keep: { offer: (name, format, what) => writeNewFile(name, written(format, what, flow)) },
    keepCopy: { offer: text => keepCopy(home, text) },
  }
}
