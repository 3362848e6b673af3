import { jsonLine } from '../../../protocol/safe-output/json-line.js'
import { parsedObject } from '../../../protocol/values.js'
import { jsonLines } from './json-lines.js'
import { isZip } from './zip.js'

/** A line of the network part of a Playwright trace, which holds an entry of an archive. */
const SNAPSHOT = 'resource-snapshot'

/** True for the beginning of the network part of a trace of Playwright. */
const isTrace = (beginning: string): boolean => new RegExp(`^\\s*\\{"type":"${SNAPSHOT}"`).test(beginning)

/** The network part of a Playwright trace as an archive (HAR 1.2). */
async function* harOfTrace(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from('{"log":{"version":"1.2","creator":{"name":"Playwright trace"},"entries":[')
  let separator = ''
  for await (const { value } of jsonLines(source)) {
    if (value?.type !== SNAPSHOT || value.snapshot === undefined) continue
    yield Buffer.from(separator + jsonLine(value.snapshot as object))
    separator = ',\n'
  }
  yield Buffer.from(']}}')
}

/** The kinds of recordings. */
export type SourceKind = 'har' | 'lines'

/** A recording as UTF-8 without byte order mark. */
export interface OpenedSource {
  /** Undefined for bytes that are no JSON. */
  readonly kind: SourceKind | undefined
  /** True where the beginning is that of an archive or of lines of events: other JSON may be a message by itself. */
  readonly isArchive: boolean
  /** A sentence about bytes of a known kind that this program does not read. */
  readonly hint?: string
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Bytes of the beginning that decide the kind. */
const PEEKED = 64 * 1024

async function* joined(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  if (first.length > 0) yield first
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

/** UTF-16 as UTF-8: PowerShell writes it with `>`. */
async function* fromUtf16(
  source: AsyncIterable<Uint8Array>,
  label: string,
): AsyncGenerator<Uint8Array, void, void> {
  const decoder = new TextDecoder(label)
  for await (const chunk of source) yield Buffer.from(decoder.decode(chunk, { stream: true }))
}

/** Lines of the beginning that are tried: a recording may begin in the middle of a line, or with a warning. */
const TRIED = 20

/** True for a line that is an object with a type: a step of a run, or an event. */
function isRecordedLine(line: string): boolean {
  if (!/^\s*\{/.test(line)) return false
  const value = parsedObject(line)
  // A line longer than the beginning is one of a run that begins with a whole exchange.
  if (value === undefined) return /^\{"type":"/.test(line)
  // The file of a service account has a type too.
  return typeof value.type === 'string' && !('private_key' in value)
}

function kindOf(beginning: string): SourceKind | undefined {
  const text = beginning.trimStart()
  if (text.split('\n', TRIED).some(isRecordedLine)) return 'lines'
  return text.startsWith('{') ? 'har' : undefined
}

const isArchive = (kind: SourceKind | undefined, beginning: string): boolean =>
  kind === 'lines' || (kind === 'har' && /"(?:log|entries)"\s*:/.test(beginning))

function hintFor(first: Uint8Array): string | undefined {
  if (first[0] === 0x1f && first[1] === 0x8b) return 'It is compressed:  gunzip -c FILE | oauth-lab explain -'
  if (isZip(Buffer.from(first.subarray(0, 4)))) return 'It is a zip archive: name its file, in place of -'
  if (/^\s*<[a-z!?]/i.test(Buffer.from(first.subarray(0, 100)).toString('latin1'))) {
    return 'It looks like XML or HTML: export the recording as HAR (HTTP Archive)'
  }
  return undefined
}

/** Finds out the kind of a recording by its first bytes. */
export async function openRecording(source: AsyncIterable<Uint8Array>): Promise<OpenedSource> {
  const iterator = source[Symbol.asyncIterator]()
  let first = new Uint8Array()
  while (first.length < PEEKED) {
    const next = await iterator.next()
    if (next.done) break
    first = Buffer.concat([first, next.value])
  }
  const [a, b, c] = first
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) {
    const label = a === 0xff ? 'utf-16le' : 'utf-16be'
    const beginning = new TextDecoder(label).decode(first)
    const kind = kindOf(beginning)
    return { kind, isArchive: isArchive(kind, beginning), bytes: fromUtf16(joined(first, iterator), label) }
  }
  const marked = a === 0xef && b === 0xbb && c === 0xbf
  const start = marked ? first.subarray(3) : first
  const beginning = Buffer.from(start).toString('utf8')
  const bytes = joined(start, iterator)
  if (isTrace(beginning)) return { kind: 'har', isArchive: true, bytes: harOfTrace(bytes) }
  const kind = kindOf(beginning)
  const hint = kind === undefined ? hintFor(first) : undefined
  const archive = isArchive(kind, Buffer.from(start).toString('latin1'))
  return hint === undefined ? { kind, isArchive: archive, bytes } : { kind, isArchive: archive, hint, bytes }
}
