import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { mediaType } from '../../../protocol/http/message.js'
import { check } from '../../../protocol/oauth/check.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import { compressible } from '../compress-response.js'
import type { LintCheck, LintResults, Read } from './requests.js'

const MAX_DECODED = 64 * 1024 * 1024
const CODINGS_RULE = 'RFC 9110 §8.4'

/** Returns the content of gzip bytes. Returns undefined for other bytes. */
function gunzipped(body: Uint8Array): Uint8Array | undefined {
  if (body[0] !== 0x1f || body[1] !== 0x8b || body[2] !== 8) return undefined
  try {
    return gunzipSync(body, { maxOutputLength: MAX_DECODED })
  } catch {
    return undefined
  }
}

/** The coding of bytes that decode to `content`. gzip is known by its magic number, whatever it holds. */
function codingOfBytes(body: Uint8Array, content: Uint8Array | undefined): string | undefined {
  if (gunzipped(body) !== undefined) return 'gzip'
  if (content === undefined || body.length === 0 || content.length === 0) return undefined
  const options = { maxOutputLength: content.length }
  for (const [coding, decode] of [
    ['br', brotliDecompressSync],
    ['deflate', inflateSync],
  ] as const) {
    try {
      if (Buffer.compare(decode(body, options), content) === 0) return coding
    } catch {
      // It is in another coding, or in none.
    }
  }
  return undefined
}

/** Returns the coding of a text answer without Content-Encoding that is coded all the same: its client shows the coded bytes. */
export function unlabelledCoding(
  { answer, coding }: Read,
  { bare, compressedFile }: LintResults,
): string | undefined {
  const type = mediaType(answer)
  if (coding !== 'identity' || compressedFile || !(type === '' || compressible(type))) return undefined
  return codingOfBytes(answer.body, bare.answer?.content)
}

/** Returns the reason why a coded body is not valid. Returns undefined for a valid one, and for one that nobody here can check. */
export function codingProblem({ answer, coding }: Read): string | undefined {
  const { body, invalid } = answer
  if (coding === 'deflate' && body.length > 0 && invalid === undefined) {
    const zlib = (body[0]! & 0x0f) === 8 && ((body[0]! << 8) | (body[1] ?? 0)) % 31 === 0
    return zlib ? undefined : 'deflate data without the zlib format, which some clients do not read'
  }
  if (coding === 'zstd' && body.length > 0) {
    const problem = zstdProblem(body) ?? (invalid === undefined ? undefined : 'it cannot be decoded')
    return problem && `the body is not valid zstd: ${problem}`
  }
  return invalid && `the body is not valid ${coding}`
}

/** True when decoding leaves gzip bytes: the body was coded twice, and Content-Encoding names one coding. */
export function isTwiceCoded({ answer, coding }: Read, { compressedFile }: LintResults): boolean {
  return (
    coding !== 'identity' && !compressedFile && gunzipped(answer.content ?? new Uint8Array()) !== undefined
  )
}

/** Makes one check of a list of wrong answers: passed when the list is empty. */
function ofList(
  name: string,
  rule: Citation,
  wrong: readonly Read[],
  right: string,
  text: (read: Read) => string,
): LintCheck {
  const [first] = wrong
  return first === undefined ? check(name, true, rule, right) : check(name, false, rule, text(first))
}

/** Checks the bodies, once decoded. Only the checks that concern the codings in use are returned. */
export function bodyChecks(results: LintResults, reads: readonly Read[]): LintCheck[] {
  const checks: LintCheck[] = []
  const plain = reads.filter(read => read.answer.status !== 406)
  const unlabelled = plain.filter(read => unlabelledCoding(read, results) !== undefined)
  const shown = (read: Read) =>
    `${unlabelledCoding(read, results)} bytes without Content-Encoding to ${read.request.to}: the client shows them as they are`
  checks.push(
    ofList('unlabelled', CODINGS_RULE, unlabelled, 'every coded body has its Content-Encoding', shown),
  )
  const twice = plain.filter(read => isTwiceCoded(read, results))
  const invalid = plain.filter(read => codingProblem(read) !== undefined)
  for (const [coding, rule] of [
    ['deflate', 'RFC 9110 §8.4.1.2'],
    ['zstd', 'RFC 8878 §3.1'],
  ] as const) {
    if (!plain.some(read => read.coding === coding)) continue
    const wrong = invalid.filter(read => read.coding === coding)
    const text = (read: Read) => `${codingProblem(read)} (to ${read.request.to})`
    checks.push(ofList(coding, rule, wrong, `the body is valid ${coding}`, text))
  }
  if (twice.length > 0) {
    const text = ({ coding, request }: Read) =>
      `coded twice, and Content-Encoding says ${coding} once (to ${request.to})`
    checks.push(ofList('double_coded', CODINGS_RULE, twice, '', text))
  }
  const broken = invalid.find(({ coding }) => coding !== 'deflate' && coding !== 'zstd')
  if (broken)
    return [
      ...checks,
      check('body', false, CODINGS_RULE, `${codingProblem(broken)} (to ${broken.request.to})`),
    ]
  const good = plain.filter(read => ![...unlabelled, ...twice, ...invalid].includes(read))
  return [...checks, ...sameChecks(results, good)]
}

/** Compares content types and decoded bodies of the answers that are valid. */
function sameChecks({ bare, again }: LintResults, reads: readonly Read[]): LintCheck[] {
  const first = reads[0]
  if (first === undefined) return []
  const rest = reads.filter(({ answer }) => answer.status === first.answer.status)
  const types = new Map(rest.map(read => [mediaType(read.answer), read] as const).reverse())
  const [, ...other] = [...types.entries()].reverse()
  const checks: LintCheck[] = [
    other.length === 0
      ? check('content_type', true, CODINGS_RULE, mediaType(first.answer) || 'none')
      : check(
          'content_type',
          false,
          CODINGS_RULE,
          `${mediaType(first.answer) || 'none'} to ${first.request.to}, but ${other[0]![0] || 'none'} to ${other[0]![1].request.to}`,
        ),
  ]
  const [before, after] = [bare.answer?.content, again.answer?.content]
  if (before && after && Buffer.compare(before, after) !== 0) {
    return [
      ...checks,
      check('body', true, CODINGS_RULE, 'it differs each time, so the codings cannot be compared'),
    ]
  }
  const known = rest.filter(({ answer }) => answer.content !== undefined)
  const reference = known[0]?.answer.content
  const differing =
    reference && known.filter(({ answer }) => Buffer.compare(answer.content!, reference) !== 0)
  const text = ({ coding, request }: Read) => `another body in ${coding} to ${request.to}`
  checks.push(ofList('body', CODINGS_RULE, differing ?? [], 'the same in every coding, once decoded', text))
  return checks
}

/** The largest window that a client has to support, in bytes (RFC 9659 §3). */
const MAX_WINDOW = 8 * 1024 * 1024

const MAGIC = 0xfd2fb528
/** Bytes of the fields by their flags (RFC 8878 §3.1.1.1.1). */
const DICTIONARY_ID = [0, 1, 2, 4] as const
const CONTENT_SIZE = [0, 2, 4, 8] as const

/** Returns the end of a frame, or the reason why the frame is not valid. */
function endOfFrame(bytes: DataView, start: number): number | string {
  const flags = bytes.getUint8(start + 4)
  const single = (flags & 0x20) !== 0
  if ((flags & 0x08) !== 0) return 'a reserved bit of its header is set'
  let at = start + 5
  if (!single) {
    const window = bytes.getUint8(at)
    const base = 2 ** (10 + (window >> 3))
    const size = base + (base / 8) * (window & 7)
    if (size > MAX_WINDOW) return `its window is ${size} bytes, more than 8 MiB (RFC 9659 §3)`
    at += 1
  }
  at += DICTIONARY_ID[flags & 3]!
  const sizeFlag = flags >> 6
  const length = sizeFlag === 0 && single ? 1 : CONTENT_SIZE[sizeFlag]!
  if (single && length >= 4 && bytes.getUint32(at, true) > MAX_WINDOW) {
    return 'its window is the whole body, more than 8 MiB (RFC 9659 §3)'
  }
  at += length
  for (;;) {
    const block = bytes.getUint16(at, true) | (bytes.getUint8(at + 2) << 16)
    const kind = (block >> 1) & 3
    if (kind === 3) return 'a block has the reserved type'
    at += 3 + (kind === 1 ? 1 : block >> 3)
    if (at > bytes.byteLength) return 'it ends within a block'
    if ((block & 1) === 1) break
  }
  return at + ((flags & 4) === 0 ? 0 : 4)
}

/**
 * Checks the frames of a zstd body without decoding them (RFC 8878 §3.1). Returns the reason why the body is not valid, as the
 * end of a sentence. Returns undefined for a body whose frames are whole.
 */
export function zstdProblem(body: Uint8Array): string | undefined {
  const bytes = new DataView(body.buffer, body.byteOffset, body.byteLength)
  let at = 0
  try {
    do {
      const magic = bytes.getUint32(at, true)
      if (magic >>> 4 === 0x184d2a5) at += 8 + bytes.getUint32(at + 4, true)
      else if (magic !== MAGIC) return 'it does not begin with the magic number of zstd'
      else {
        const end = endOfFrame(bytes, at)
        if (typeof end === 'string') return end
        at = end
      }
      if (at > body.length) return 'it ends within a frame'
    } while (at < body.length)
    return undefined
  } catch (error) {
    if (error instanceof RangeError) return 'it ends within a header'
    throw error
  }
}
