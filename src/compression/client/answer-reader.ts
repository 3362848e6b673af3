import { type Header, type HeaderList, headerValues } from '../../http/message.js'

/** An answer as it came over the wire, and what each part of it weighed, in bytes before TLS. */
export interface WireAnswer {
  readonly httpVersion: string
  readonly status: number
  readonly headers: HeaderList
  /** Content coding still applied, transfer coding undone. */
  readonly body: Uint8Array
  readonly bytes: {
    /** Status line and header fields, the empty line included. */
    readonly head: number
    readonly body: number
    /** Chunk sizes, their line ends, and trailers. */
    readonly framing: number
  }
}

/** Bytes that are no HTTP answer, or one that is larger than it may be. */
export class AnswerError extends Error {
  override name = 'AnswerError'
}

/** Reads one answer from the bytes of a connection. */
export interface AnswerReader {
  /** Takes what came; the answer once it is complete. @throws AnswerError */
  feed(chunk: Uint8Array): WireAnswer | undefined
  /** The other side has closed: the answer, where closing is what ends it. @throws AnswerError where it was cut */
  end(): WireAnswer
}

const MAX_HEAD = 64 * 1024
const MAX_LINE = 16 * 1024

interface Head extends Pick<WireAnswer, 'httpVersion' | 'status' | 'headers'> {}

function readHead(text: string): Head {
  const [first = '', ...lines] = text.split(/\r?\n/)
  const line = /^HTTP\/(\d\.\d) (\d{3})(?: |$)/.exec(first)
  if (!line) throw new AnswerError('it is no answer in HTTP/1')
  const headers = lines
    .filter(each => each !== '')
    .map((each): Header => {
      const mark = each.indexOf(':')
      if (mark <= 0) throw new AnswerError('a header line has no name')
      return [each.slice(0, mark), each.slice(mark + 1).trim()]
    })
  return { httpVersion: line[1]!, status: Number(line[2]), headers }
}

/** How the end of a body is known (RFC 9112 §6.3). */
type Framing = { readonly kind: 'none' | 'chunked' | 'close' } | { readonly kind: 'length'; length: number }

function framingOf({ status, headers }: Head, method: string): Framing {
  if (method === 'HEAD' || status === 204 || status === 304) return { kind: 'none' }
  const transfer = headerValues({ headers }, 'transfer-encoding').join(',').trim().toLowerCase()
  if (transfer !== '') {
    if (transfer !== 'chunked') throw new AnswerError(`the transfer coding ${transfer} is unknown`)
    return { kind: 'chunked' }
  }
  const [length, ...more] = headerValues({ headers }, 'content-length')
  if (length === undefined) return { kind: 'close' }
  if (more.some(each => each !== length)) throw new AnswerError('it has several lengths')
  if (!/^\d{1,15}$/.test(length)) throw new AnswerError('its Content-Length is no number')
  return { kind: 'length', length: Number(length) }
}

type Part = 'head' | 'body' | 'size' | 'chunk' | 'chunk-end' | 'trailer' | 'done'

/**
 * Reads the answer to one request.
 * @param method of the request: HEAD has an answer without a body
 * @param limit most bytes of the body
 */
export function createAnswerReader({ method, limit }: { method: string; limit: number }): AnswerReader {
  let rest: Buffer = Buffer.alloc(0)
  let part: Part = 'head'
  let head: Head | undefined
  let framing: Framing = { kind: 'none' }
  /** Bytes that are left of the body or of this chunk. */
  let left = 0
  const pieces: Buffer[] = []
  const bytes = { head: 0, body: 0, framing: 0 }

  function answer(): WireAnswer {
    return { ...head!, body: Buffer.concat(pieces, bytes.body), bytes: { ...bytes } }
  }

  function take(length: number): Buffer {
    const taken = rest.subarray(0, length)
    rest = rest.subarray(length)
    return taken
  }

  /** A line with its end; undefined until it is whole. */
  function takeLine(): string | undefined {
    const end = rest.indexOf('\n')
    if (end < 0 && rest.length > MAX_LINE) throw new AnswerError('a line of it never ends')
    if (end < 0) return undefined
    const line = take(end + 1)
    bytes.framing += line.length
    return line.toString('latin1').trim()
  }

  function begin(): boolean {
    const end = /\r?\n\r?\n/.exec(rest.toString('latin1'))
    if (!end && rest.length > MAX_HEAD) throw new AnswerError('its headers are larger than 64 kB')
    if (!end) return false
    const text = take(end.index + end[0].length)
    bytes.head += text.length
    const read = readHead(text.toString('latin1'))
    // An interim answer; the final one follows (RFC 9110 §15.2).
    if (read.status < 200) return true
    head = read
    framing = framingOf(read, method)
    left =
      framing.kind === 'length' ? framing.length : framing.kind === 'close' ? Number.POSITIVE_INFINITY : 0
    part = framing.kind === 'chunked' ? 'size' : left === 0 ? 'done' : 'body'
    if (left !== Number.POSITIVE_INFINITY && left > limit) throw tooLarge()
    return true
  }

  const tooLarge = (): AnswerError => new AnswerError(`its body is larger than ${limit} bytes`)

  /** Moves what is there into the body; false where that is nothing. */
  function fill(next: Part): boolean {
    if (rest.length === 0) return false
    const piece = take(Math.min(left, rest.length))
    pieces.push(piece)
    bytes.body += piece.length
    left -= piece.length
    if (bytes.body > limit) throw tooLarge()
    if (left === 0) part = next
    return true
  }

  function nextChunk(): boolean {
    const line = takeLine()
    if (line === undefined) return false
    const size = /^([0-9a-f]{1,12})(?:\s*;.*)?$/i.exec(line)?.[1]
    if (size === undefined) throw new AnswerError('a chunk has no size')
    left = Number.parseInt(size, 16)
    part = left === 0 ? 'trailer' : 'chunk'
    return true
  }

  /** Reads on; false where more bytes are needed. */
  function advance(): boolean {
    if (part === 'head') return begin()
    if (part === 'body') return fill('done')
    if (part === 'size') return nextChunk()
    if (part === 'chunk') return fill('chunk-end')
    const line = part === 'done' ? undefined : takeLine()
    if (line === undefined) return false
    if (part === 'chunk-end') {
      if (line !== '') throw new AnswerError('a chunk is longer than its size says')
      part = 'size'
    } else if (line === '') part = 'done'
    return true
  }

  return {
    feed(chunk) {
      rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk])
      while (advance());
      return part === 'done' ? answer() : undefined
    },
    end() {
      if (part === 'done' || (part === 'body' && framing.kind === 'close')) return answer()
      throw new AnswerError(
        part === 'head' ? 'the connection was closed without one' : 'it was cut in the middle',
      )
    },
  }
}
