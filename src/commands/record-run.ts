import { UsageError } from '../errors.js'
import { breakOf, type Explanation } from '../explain/explanation.js'
import { stepOf } from '../explain/steps.js'
import type { Captured } from '../record/captured.js'
import { archiveLines } from '../record/har.js'
import { NotStarted, recordedEnvironment, startRecorded } from '../record/program.js'
import { openReceiver } from '../record/receiver.js'
import { createRecorder, explainCaptured, type Recorder } from '../record/recorder.js'
import { breakLine } from '../render/explain/explain-lines.js'
import { recordedJson, recordedLine } from '../render/explain/recorded-lines.js'
import { jsonLine } from '../render/json-line.js'
import { makeSafe } from '../render/safe.js'
import { shellWord } from '../render/shell.js'
import { programVersion } from '../version.js'
import type { Globals } from './globals.js'
import { narrate } from './output.js'
import { type RecordFile, recordFile } from './record-file.js'
import type { RecordFlags } from './record-flags.js'

/** Creates a recorder that reports each exchange on stderr: stdout is the program's. */
function reportingRecorder({ json, showSecrets, ascii }: Globals): Recorder {
  return createRecorder((message, { side }) => {
    if (json) process.stderr.write(`${jsonLine(recordedJson(message, side, showSecrets))}\n`)
    else narrate(`oauth-lab: ${recordedLine(stepOf(message, 0, []), { showSecrets, ascii })}`)
  })
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

/** The last line for people: the break, or that there is none, and the command that shows more. */
function reportFindings(explanation: Explanation, file: string, globals: Globals): void {
  const broken = breakOf(explanation)
  if (globals.json) {
    const faults = explanation.flows.flatMap(({ findings }) =>
      findings.filter(each => each.severity === 'fault'),
    )
    const { entries } = explanation.facts
    const names = faults.map(({ name }) => name)
    process.stderr.write(
      `${jsonLine({ type: 'recorded', file, exchanges: entries, flows: explanation.flows.length, faults: names })}\n`,
    )
    return
  }
  const said = makeSafe(breakLine(explanation, broken), { ascii: globals.ascii })
  narrate(`oauth-lab: ${said} Next:  oauth-lab explain ${shellWord(file)}`)
}

/** Writes what was recorded, and reports it. */
async function finish(
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
  reportFindings(explainCaptured(all), name, globals)
}

/**
 * `oauth-lab record`: runs a program and records its logins.
 * @returns the exit code of the program
 */
export async function runRecord(
  words: readonly string[],
  flags: RecordFlags,
  globals: Globals,
): Promise<number> {
  if (flags.plain && globals.json) {
    throw new UsageError('--json and --plain are two forms of the same lines', ['Leave one out'])
  }
  if (words.length === 0) {
    throw new UsageError('record needs a program', ['oauth-lab record -- node app.js'])
  }
  const file = recordFile(flags.output)
  // A program whose stderr nobody reads is recorded all the same.
  process.stderr.on('error', () => {})
  const recorder = reportingRecorder(globals)
  const receiver = await openReceiver(recorder.add)
  let code: number
  try {
    const program = await startRecorded(words, recordedEnvironment(process.env, receiver.address))
    code = await program.ended
  } catch (error) {
    if (!(error instanceof NotStarted)) throw error
    file.discard()
    narrate(`oauth-lab: ${makeSafe(error.message)}`)
    return error.exitCode
  } finally {
    await receiver.close()
  }
  await finish(recorder.end(), recorder.left() + receiver.dropped(), file, globals)
  return code
}
