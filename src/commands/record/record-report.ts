import type { Captured } from '../../client/capture/captured.js'
import { archiveLines } from '../../client/capture/har.js'
import { breakOf, type Explanation } from '../../judge/explain/explanation.js'
import { plural } from '../../judge/explain/plural.js'
import { explainCaptured } from '../../judge/explain/recorder.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import { shellWord } from '../../protocol/safe-output/shell.js'
import { programVersion } from '../../protocol/version.js'
import { breakLine } from '../../show/render/explain/explain-lines.js'
import { jsonLine } from '../../show/render/text/json-line.js'
import { narrate } from '../output/output.js'
import type { Globals } from '../program/globals.js'
import type { RecordFile } from './record-file.js'

/** Prints the last line: the break, or that there is none, and the command that shows more. */
function reportFindings(explanation: Explanation, file: string, { json, ascii }: Globals): void {
  const { flows, facts } = explanation
  if (json) {
    const findings = flows.flatMap(each => each.findings)
    const faults = findings.filter(({ severity }) => severity === 'fault').map(({ name }) => name)
    const line = { type: 'recorded', file, exchanges: facts.entries, flows: flows.length, faults }
    process.stderr.write(`${jsonLine(line)}\n`)
    return
  }
  const said = makeSafe(breakLine(explanation, breakOf(explanation)), { ascii })
  narrate(`oauth-lab: ${said} Next:  oauth-lab explain ${shellWord(file)}`)
}

/**
 * Writes what was recorded, and reports it.
 * @param lost exchanges that are missing
 */
export async function finishRecording(
  all: readonly Captured[],
  lost: number,
  file: RecordFile,
  globals: Globals,
): Promise<void> {
  if (lost > 0) narrate(`oauth-lab: ${plural(lost, 'exchange')} did not fit into the recording.`)
  if (all.length === 0) {
    file.discard()
    narrate('oauth-lab: no exchange of OAuth, OpenID Connect or SAML was seen, so nothing was written.')
    return
  }
  const name = await file.write(archiveLines(all, programVersion()))
  if (!globals.json) {
    narrate(
      `oauth-lab: wrote ${plural(all.length, 'exchange')} into ${name}. It holds codes, tokens and secrets, and only you can read it.`,
    )
  }
  reportFindings(await explainCaptured(all), name, globals)
}
