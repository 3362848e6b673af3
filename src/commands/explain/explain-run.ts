import { randomBytes } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Explanation, type Judged, maskExplanation } from '../../judge/explain/explanation.js'
import type { Message } from '../../judge/explain/message.js'
import { explainText, MAX_FRAGMENT } from '../../judge/explain/paste/explain-text.js'
import type { Fragment } from '../../judge/explain/paste/fragment.js'
import type { Attached } from '../../judge/explain/read/attachments.js'
import { holdsEvents } from '../../judge/explain/read/explain-lines.js'
import { explainOpened, explainSource } from '../../judge/explain/read/explain-source.js'
import { openRecordingFile, type RecordingFile } from '../../judge/explain/read/recording-file.js'
import { openRecording } from '../../judge/explain/read/source.js'
import { redactedEvents } from '../../judge/explain/redact/redact-events.js'
import { redactedHar } from '../../judge/explain/redact/redact-source.js'
import { recordsOf } from '../../judge/explain/steps.js'
import { UsageError, UserError } from '../../protocol/errors.js'
import { jsonLine } from '../../protocol/safe-output/json-line.js'
import { maskExchange } from '../../protocol/safe-output/mask.js'
import { defined } from '../../protocol/values.js'
import { programVersion } from '../../protocol/version.js'
import { unreadableFile } from '../../session/input/input.js'
import { explainLines, explainMarkdown, explainMermaid } from '../../show/render/explain/explain-lines.js'
import { fragmentJson, fragmentLines } from '../../show/render/explain/fragment-lines.js'
import { lineWriter, type WriteLine } from '../flow/flow-output.js'
import { narrate, terminalColumns, worded } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'

function exchangeLine(flow: number, { kind, recorded }: Message, showSecrets: boolean) {
  const { entry, exchange } = recorded
  const { request, response, at, ms } = showSecrets ? exchange : maskExchange(exchange, 'all')
  const lacks = recorded.lacks.length === 0 ? undefined : recorded.lacks
  return defined({
    type: 'exchange',
    flow,
    name: kind,
    entry,
    at: at || undefined,
    ms,
    request,
    response,
    lacks,
  })
}

function flowLines({ conversation, findings }: Judged, showSecrets: boolean): object[] {
  const { n, kind, clientId, username, issuer, outcome, messages } = conversation
  return [
    defined({ type: 'flow', n, kind, client_id: clientId, username, issuer, outcome }),
    ...messages.map(message => exchangeLine(n, message, showSecrets)),
    ...findings.map(({ name, severity, rule, entry, text, next, cookie, words }) =>
      defined({ type: 'finding', flow: n, name, severity, rule, entry, text, next, cookie, words }),
    ),
  ]
}

/** An explanation as lines of JSON: flows, each with its exchanges and findings, then the outcome. */
function explainJson(explanation: Explanation, showSecrets: boolean): object[] {
  const { facts, flows } = explanation
  const { outcome } = explanation.verdict
  const faults = flows.flatMap(({ findings }) =>
    findings.filter(({ severity }) => severity === 'fault'),
  ).length
  return [
    ...flows.flatMap(flow => flowLines(flow, showSecrets)),
    defined({
      type: 'outcome',
      outcome,
      flows: flows.length,
      faults,
      entries: facts.entries,
      creator: facts.creator,
      gaps: facts.gaps,
    }),
  ]
}

const PASTE = [
  'Paste an address, an error answer, a line of a log, a header, a token, the output of curl -v',
  'Or name a recording:  DevTools > Network > Preserve log, log in, "Export HAR (with sensitive data)"',
]

/** Flags of `explain`. */
interface ExplainFlags {
  readonly export?: 'mermaid' | 'markdown'
  readonly output?: string
  readonly redact?: true
}

/** The recording in a file, or on stdin, which can be read once. @throws UsageError */
async function recordingOf(file: string): Promise<RecordingFile> {
  const wrong = async (error: unknown) =>
    error instanceof UserError ? error : unreadableFile('the recording', file, error)
  if (file === '-') {
    if (process.stdin.isTTY) narrate('Paste a recording and end it with Ctrl-D on a line of its own:')
    return { open: () => process.stdin, attached: async () => undefined, close: async () => {} }
  }
  try {
    const found = await openRecordingFile(file)
    async function* open(): AsyncGenerator<Uint8Array, void, void> {
      try {
        yield* found.open()
      } catch (error) {
        throw await wrong(error)
      }
    }
    return { ...found, open }
  } catch (error) {
    throw await wrong(error)
  }
}

function writeText(
  explanation: Explanation,
  name: string,
  flags: ExplainFlags,
  globals: Globals,
  write: WriteLine,
): void {
  const { showSecrets, ascii } = globals
  const flows = explanation.flows.map(flow => ({ ...flow, records: recordsOf(flow) }))
  const view = { name, showSecrets, version: programVersion() }
  if (flags.export === 'mermaid') write(explainMermaid(flows, view))
  else if (flags.export === 'markdown') write(explainMarkdown(explanation, flows, view))
  else {
    const drawn = flows.map(flow => ({
      ...flow,
      steps: flow.records.filter(record => record.type === 'step'),
    }))
    const columns = flags.output === undefined || flags.redact ? terminalColumns() : undefined
    for (const line of explainLines(explanation, drawn, { name, showSecrets, ascii, columns })) {
      write(worded(line))
    }
  }
}

const exitOf = (outcome: Explanation['verdict']['outcome']): number =>
  outcome === 'fault' || outcome === 'unfinished' ? EXIT.refused : EXIT.done

function writeExplanation(read: Explanation, name: string, flags: ExplainFlags, globals: Globals): number {
  const explanation = globals.showSecrets ? read : maskExplanation(read)
  // A redacted archive has the file of -o to itself.
  const write = lineWriter(flags.redact ? undefined : flags.output)
  if (globals.json) for (const each of explainJson(explanation, globals.showSecrets)) write(jsonLine(each))
  else writeText(explanation, name, flags, globals, write)
  return exitOf(explanation.verdict.outcome)
}

/** Writes the copy of a recording without secrets, and explains the copy: its explanation may be given away too. */
async function explainAndRedact(file: string, name: string, output: string): Promise<Explanation> {
  const kept = file === '-' ? await keepStdin() : await recordingOf(file)
  try {
    await writeRedacted(kept, name, output)
    narrate(`Wrote ${output}. Read it before you give it away: hosts, paths and the names of clients stay.`)
    return await explainSource((await recordingOf(output)).open(), output)
  } finally {
    await kept.close()
  }
}

/** A text that fits into memory, from its bytes; undefined for a longer one. */
async function shortText(bytes: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes) {
    chunks.push(chunk)
    length += chunk.length
    if (length > MAX_FRAGMENT) return undefined
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Writes pieces of a pasted text, each with the conversations in it. */
function writeFragments(fragments: readonly Fragment[], flags: ExplainFlags, globals: Globals): number {
  const { showSecrets, ascii, json } = globals
  const all = fragments.flatMap(({ explanation }) => (explanation?.flows.length ? explanation : []))
  if (flags.export !== undefined && all.length === 0) {
    throw new UsageError(`--export ${flags.export} draws conversations, and this text has none`, [
      'Leave --export out, or give a recording',
    ])
  }
  const write = lineWriter(flags.output)
  const faults = fragments.flatMap(({ findings }) =>
    findings.filter(({ severity }) => severity === 'fault'),
  ).length
  const outcome = faults > 0 ? 'fault' : (all[0]?.verdict.outcome ?? 'nothing')
  const columns = flags.output === undefined ? terminalColumns() : undefined
  const last: object[] = []
  for (const [i, fragment] of fragments.entries()) {
    const { title } = fragment
    const explanation =
      fragment.explanation && (showSecrets ? fragment.explanation : maskExplanation(fragment.explanation))
    if (json) {
      const lines = explanation ? explainJson(explanation, showSecrets) : []
      for (const line of [...fragmentJson(fragment, showSecrets), ...lines.slice(0, -1)])
        write(jsonLine(line))
      last.push(...lines.slice(-1))
    } else if (flags.export === undefined) {
      if (i > 0) write('')
      for (const line of fragmentLines(fragment, { showSecrets, ascii, columns })) write(worded(line))
      if (explanation?.flows.length) write('')
    }
    if (!json && explanation?.flows.length) writeText(explanation, title, flags, globals, write)
  }
  if (json) write(jsonLine({ flows: 0, faults, ...last[0], type: 'outcome', outcome }))
  return exitOf(outcome)
}

const piecesOf = ({ more = [], ...fragment }: Fragment): readonly Fragment[] => [fragment, ...more]

/** True for an argument that is a text, and not the name of a file: no such file, and no name that a recording has. */
async function isPasted(argument: string): Promise<boolean> {
  if (argument === '-' || /^[^\s=?#&]{1,200}\.(?:har|jsonl?|ndjson|log|txt|zip|gz)$/i.test(argument))
    return false
  const found = await stat(argument).catch((error: NodeJS.ErrnoException) => error.code)
  return (
    found === 'ENOENT' || found === 'ENAMETOOLONG' || found === 'ENOTDIR' || found === 'ERR_INVALID_ARG_VALUE'
  )
}

/** `oauth-lab explain`: explains a recording, or a text that was pasted. Nothing is sent. */
export async function explainRecording(file: string, flags: ExplainFlags, globals: Globals): Promise<number> {
  if (flags.export !== undefined && globals.json) {
    throw new UsageError(`--json and --export ${flags.export} are two forms of the same result`, [
      'Leave one out',
    ])
  }
  const name = file === '-' ? 'stdin' : file
  if (flags.redact) {
    const output = checkRedaction(file, flags.output)
    return writeExplanation(await explainAndRedact(file, name, output), output, flags, globals)
  }
  if (await isPasted(file)) {
    const fragment = await explainText(file)
    if (fragment) return writeFragments(piecesOf(fragment), flags, globals)
    throw new UsageError('there is no such file, and this is no message, token, key or error of OAuth', PASTE)
  }
  const recording = await recordingOf(file)
  try {
    return await explainFile(recording, name, flags, globals)
  } finally {
    await recording.close()
  }
}

async function explainFile(
  { open: read, attached }: RecordingFile,
  name: string,
  flags: ExplainFlags,
  globals: Globals,
): Promise<number> {
  const opened = await openRecording(read())
  if (opened.isArchive)
    return writeExplanation(await explainOpened(opened, name, attached), name, flags, globals)
  const text = await shortText(opened.bytes)
  const fragment = text === undefined || opened.hint ? undefined : await explainText(text)
  if (fragment) return writeFragments(piecesOf(fragment), flags, globals)
  throw new UsageError(
    `${name} is not a recording: ${opened.kind === 'har' ? 'it has no entries (log.entries of HAR 1.2)' : 'it is not JSON'}, and nothing else that explain knows`,
    opened.hint === undefined ? PASTE : [opened.hint],
  )
}

/** Bytes that are read at once. */
const PIECE = 256 * 1024

/**
 * Keeps stdin in a file, because redaction reads a recording twice. The file loses its name before the first byte is written, so
 * that it ends with this program, however that ends.
 */
async function keepStdin(): Promise<RecordingFile> {
  const folder = await mkdtemp(join(tmpdir(), 'oauth-lab-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const file = await open(join(folder, 'recording'), 'wx+', 0o600)
  // Windows may keep the name of an open file until it is closed.
  await remove().catch(() => {})
  const close = async () => {
    await file.close()
    await remove()
  }
  try {
    for await (const chunk of process.stdin) await file.write(chunk as Uint8Array)
  } catch (error) {
    await close()
    throw error
  }
  return {
    open: () => file.createReadStream({ start: 0, autoClose: false, highWaterMark: PIECE }),
    attached: async () => undefined,
    close,
  }
}

const real = (path: string): string | undefined => {
  try {
    return realpathSync(path)
  } catch {
    // A file that is not there yet is no other file.
    return undefined
  }
}

/** Checks that a recording can be redacted into a file. @throws UsageError */
function checkRedaction(file: string, output: string | undefined): string {
  if (output === undefined) {
    throw new UsageError('--redact needs a file to write', [
      'oauth-lab explain login.har --redact -o clean.har',
    ])
  }
  if (file !== '-' && real(file) !== undefined && real(file) === real(output)) {
    throw new UsageError(`${output} is the recording itself`, ['Name another file: -o clean.har'])
  }
  return output
}

/**
 * Writes a recording without its secrets: a HAR as a HAR, the events of a lab as events.
 * @throws UsageError for a run of `flow --json`
 */
async function writeRedacted(
  { open: read, attached }: RecordingFile,
  name: string,
  output: string,
): Promise<void> {
  const { kind } = await openRecording(read())
  const key = randomBytes(32)
  if (kind !== 'har' && !(await holdsEvents(read()))) {
    throw new UsageError(`${name} is no HAR, and cannot be redacted`, [
      'A run of this lab is written without secrets by:  oauth-lab flow code --export har',
    ])
  }
  const write = lineWriter(output)
  // A copy is given away, and the recording of a stranger may name any file of its folder: only bodies by the names of Playwright go in.
  const bodies: Attached = async body => (/^[\da-f]{40}\.\w+$/.test(body) ? attached(body) : undefined)
  const pieces = kind === 'har' ? redactedHar(read, key, programVersion(), bodies) : redactedEvents(read, key)
  for await (const piece of pieces) write(piece)
}
