import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { connect } from 'node:net'
import type { Captured } from '../../client/capture/captured.js'
import { archiveLines } from '../../client/capture/har.js'
import {
  NotStarted,
  type RecordedProgram,
  recordedEnvironment,
  startRecorded,
} from '../../client/capture/program.js'
import { openReceiver } from '../../client/capture/receiver.js'
import { type Explanation, maskExplanation, plural } from '../../judge/explain/explanation.js'
import { createRecorder, explainCaptured, type Recorder } from '../../judge/explain/recorder.js'
import { stepOf } from '../../judge/explain/steps.js'
import { fileProblem, NO_FOLDER, UsageError } from '../../protocol/errors.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import { shellWord } from '../../protocol/safe-output/shell.js'
import { programVersion } from '../../protocol/version.js'
import { breakLine, recordedJson, recordedLine } from '../../show/render/explain/explain-lines.js'
import { narrate, narrateJson } from '../output/output.js'
import { writeNewFile } from '../output/screen-offers.js'
import { EXIT, untilSignal } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { type ReadyBrowser, type RecordFlags, readyBrowser } from './record-browser.js'

/** Milliseconds between two attempts. */
const PAUSE = 200

function answers(host: string, port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ host, port })
    const settle = (listens: boolean) => {
      socket.destroy()
      resolve(listens)
    }
    socket.setTimeout(PAUSE * 5, () => settle(false))
    socket.once('connect', () => settle(true))
    socket.once('error', () => settle(false))
  })
}

/**
 * Waits until a server listens at the address: a program that was just started takes a while.
 * @returns false when the time is over, or the signal came first
 */
async function waitForListener(url: string, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const number = Number(port) || (protocol === 'https:' ? 443 : 80)
  const end = Date.now() + timeoutMs
  while (!signal.aborted && Date.now() < end) {
    if (await answers(host, number)) return true
    await new Promise(resolve => setTimeout(resolve, PAUSE))
  }
  return false
}

type Take = (captured: Captured) => void

/** Creates a recorder that reports each exchange on stderr: stdout is the program's. */
function reportingRecorder({ json, showSecrets, ascii }: Globals): Recorder {
  // `play -` knows by the first line what it reads, whatever the program prints on stderr.
  if (json) {
    narrateJson({ type: 'recording.started', at: new Date().toISOString() })
  }
  return createRecorder((message, { side }) => {
    if (json) narrateJson(recordedJson(message, side, showSecrets))
    else narrate(`oauth-lab: ${recordedLine(stepOf(message, 0, []), { showSecrets, ascii })}`)
  })
}

/** Records a browser until its window is closed, or the signal comes. */
async function recordBrowser(browser: ReadyBrowser, take: Take, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const opened = await browser.open(take)
  narrate(`oauth-lab: records the browser at ${makeSafe(browser.url)} until its window is closed or Ctrl-C.`)
  const stopped = new Promise<void>(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await Promise.race([opened.closed, stopped])
  await opened.close()
}

/** Records the browser while the program runs. The one that ends first ends the other. */
async function recordBoth(
  program: RecordedProgram,
  browser: ReadyBrowser,
  take: Take,
  timeoutMs: number,
): Promise<number> {
  const over = new AbortController()
  const ended = program.ended.finally(() => over.abort())
  if (!(await waitForListener(browser.url, timeoutMs, over.signal)) && !over.signal.aborted) {
    narrate(
      `oauth-lab: nothing listens at ${makeSafe(browser.url)} yet; reload the page once the program is ready.`,
    )
  }
  try {
    await recordBrowser(browser, take, over.signal)
  } finally {
    if (!over.signal.aborted) program.stop()
  }
  const closedFirst = !over.signal.aborted
  const code = await ended
  return closedFirst ? EXIT.done : code
}

/** Records a program, with a browser where one is wanted. */
async function recordProgram(
  words: readonly string[],
  browser: ReadyBrowser | undefined,
  take: Take,
  timeoutMs: number,
): Promise<{ readonly code: number; readonly dropped: number }> {
  const receiver = await openReceiver(take)
  let code: number
  try {
    const program = await startRecorded(words, recordedEnvironment(process.env, receiver.address))
    code = await (browser === undefined ? program.ended : recordBoth(program, browser, take, timeoutMs))
  } finally {
    await receiver.close()
  }
  return { code, dropped: receiver.dropped() }
}

/** Records a browser alone. Ctrl-C is a way to end it. */
async function recordWindow(browser: ReadyBrowser, take: Take) {
  const work = async (signal: AbortSignal) => {
    await recordBrowser(browser, take, signal)
    return EXIT.done
  }
  return { code: await untilSignal(work), dropped: 0 }
}

/**
 * `oauth-lab record`: runs a program, a browser or both, and records the logins.
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
  const browser = await readyBrowser(flags, globals)
  if (words.length === 0 && browser === undefined) {
    throw new UsageError('record needs a program or a browser', [
      'oauth-lab record -- node app.js',
      'oauth-lab record --browser http://localhost:3000',
    ])
  }
  const file = recordFile(flags.output)
  // A program whose stderr nobody reads is recorded all the same.
  process.stderr.on('error', () => {})
  const recorder = reportingRecorder(globals)
  try {
    const { code, dropped } =
      words.length === 0 && browser
        ? await recordWindow(browser, recorder.add)
        : await recordProgram(words, browser, recorder.add, globals.timeoutMs)
    await finishRecording(recorder.end(), recorder.left() + dropped, file, globals)
    return code
  } catch (error) {
    file.discard()
    if (!(error instanceof NotStarted)) throw error
    narrate(`oauth-lab: ${makeSafe(error.message)}`)
    narrate('  Check its name and PATH, or give its path:  oauth-lab record -- ./program')
    return error.exitCode
  }
}

/** Prints the last line: the break, or that there is none, and the command that shows more. */
function reportFindings(explanation: Explanation, file: string, { json, ascii }: Globals): void {
  const { flows, facts } = explanation
  if (json) {
    const findings = flows.flatMap(each => each.findings)
    const faults = findings.filter(({ severity }) => severity === 'fault').map(({ name }) => name)
    const line = { type: 'recorded', file, exchanges: facts.entries, flows: flows.length, faults }
    narrateJson(line)
    return
  }
  const said = makeSafe(breakLine(explanation), { ascii })
  narrate(`oauth-lab: ${said} Next:  oauth-lab explain ${shellWord(file)}`)
}

/**
 * Writes what was recorded, and reports it.
 * @param lost exchanges that are missing
 */
async function finishRecording(
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
  reportFindings(maskExplanation(await explainCaptured(all)), name, globals)
}

/** The name of a recording for which no name was given. */
const DEFAULT_NAME = 'login.har'

/** The file of a recording, checked before anything is recorded. */
interface RecordFile {
  /** Writes the recording, for its owner alone, and returns its name. */
  readonly write: (lines: Iterable<string>) => Promise<string>
  /** Nothing was recorded: leaves no empty file behind. */
  readonly discard: () => void
}

const cannot = (file: string, error: unknown): UsageError =>
  new UsageError(`cannot write ${file}: ${fileProblem(error, NO_FOLDER)}`)

/** Checks that a recording can be written. @throws UsageError */
function recordFile(output: string | undefined): RecordFile {
  return output === undefined ? newFile() : namedFile(output)
}

function newFile(): RecordFile {
  try {
    accessSync('.', constants.W_OK)
  } catch (error) {
    throw cannot(`./${DEFAULT_NAME}`, error)
  }
  return { write: lines => writeNewFile(DEFAULT_NAME, `${[...lines].join('\n')}\n`), discard: () => {} }
}

function namedFile(file: string): RecordFile {
  const existed = existsSync(file)
  try {
    closeSync(openSync(file, 'a', 0o600))
  } catch (error) {
    throw cannot(file, error)
  }
  return {
    async write(lines) {
      const descriptor = openSync(file, 'w', 0o600)
      try {
        // A file that was there before may be readable for others.
        if (fstatSync(descriptor).isFile()) fchmodSync(descriptor, 0o600)
        for (const line of lines) writeSync(descriptor, `${line}\n`)
      } finally {
        closeSync(descriptor)
      }
      return file
    },
    discard() {
      if (!existed) rmSync(file, { force: true })
    },
  }
}
