import { type Header, type HeaderList, headerValues } from '../../../protocol/http/message.js'

/** An answer as it travelled, with the size of each part in bytes before TLS. */
export interface WireAnswer {
  readonly httpVersion: string
  readonly status: number
  readonly headers: HeaderList
  /** Without its transfer coding, still in its content coding. */
  readonly body: Uint8Array
  readonly bytes: {
    /** Status line and header fields with the empty line, those of interim answers too. */
    readonly head: number
    readonly body: number
    /** Chunk sizes, their line ends, and trailers. */
    readonly framing: number
  }
}

/** An answer that is malformed, cut, or larger than its limit. */
export class AnswerError extends Error {
  override name = 'AnswerError'
}

/** Reads one answer from the bytes of a connection. */
export interface AnswerReader {
  /** Reads more bytes. Returns the answer once it is complete. @throws AnswerError */
  feed(chunk: Uint8Array): WireAnswer | undefined
  /** Ends the bytes. Returns an answer that the end of the connection completes. @throws AnswerError for a cut answer */
  end(): WireAnswer
}

const MAX_HEAD = 64 * 1024
const MAX_LINE = 16 * 1024

/** The part of an answer before its body. */
export interface Head extends Pick<WireAnswer, 'httpVersion' | 'status' | 'headers'> {}

/** Takes an answer while it is read. */
export interface AnswerSink {
  readonly head: (head: Head) => void
  readonly piece: (piece: Uint8Array) => void
}

function readHead(text: string): Head {
  const [first = '', ...lines] = text.split(/\r?\n/)
  const line = /^HTTP\/(\d\.\d) (\d{3})(?: |$)/.exec(first)
  if (!line) throw new AnswerError('it is not an answer in HTTP/1')
  const headers = lines
    .filter(each => each !== '')
    .map((each): Header => {
      const mark = each.indexOf(':')
      if (mark <= 0) throw new AnswerError('a header line has no name')
      return [each.slice(0, mark), each.slice(mark + 1).trim()]
    })
  return { httpVersion: line[1]!, status: Number(line[2]), headers }
}

/** The rule that ends a body (RFC 9112 §6.3). */
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
  if (more.some(each => each !== length))
    throw new AnswerError('it has two different values of Content-Length')
  if (!/^\d{1,15}$/.test(length)) throw new AnswerError('its Content-Length is not a number of bytes')
  return { kind: 'length', length: Number(length) }
}

type Part = 'head' | 'body' | 'size' | 'chunk' | 'chunk-end' | 'trailer' | 'done'

/**
 * Makes the reader of the answer to one request.
 * @param method method of the request, because an answer to HEAD has no body
 * @param limit most body bytes
 * @param sink takes the body piece by piece; the whole answer has an empty body then
 */
export function createAnswerReader({
  method,
  limit,
  sink,
}: {
  method: string
  limit: number
  sink?: AnswerSink
}): AnswerReader {
  let rest: Buffer = Buffer.alloc(0)
  let part: Part = 'head'
  let head: Head | undefined
  let framing: Framing = { kind: 'none' }
  /** Bytes that are missing of the body or of this chunk. */
  let left = 0
  const pieces: Buffer[] = []
  const bytes = { head: 0, body: 0, framing: 0 }

  function answer(): WireAnswer {
    return { ...head!, body: Buffer.concat(pieces), bytes: { ...bytes } }
  }

  function take(length: number): Buffer {
    const taken = rest.subarray(0, length)
    rest = rest.subarray(length)
    return taken
  }

  /** Takes a line and its end. Returns undefined until the line is complete. */
  function takeLine(): string | undefined {
    const end = rest.indexOf('\n')
    if (end < 0 && rest.length > MAX_LINE)
      throw new AnswerError(`a line of it is longer than ${MAX_LINE} bytes`)
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
    // The final answer follows an interim one (RFC 9110 §15.2).
    if (read.status < 200) return true
    head = read
    framing = framingOf(read, method)
    left =
      framing.kind === 'length' ? framing.length : framing.kind === 'close' ? Number.POSITIVE_INFINITY : 0
    part = framing.kind === 'chunked' ? 'size' : left === 0 ? 'done' : 'body'
    if (left !== Number.POSITIVE_INFINITY && left > limit) throw tooLarge()
    sink?.head(read)
    return true
  }

  const tooLarge = (): AnswerError => new AnswerError(`its body is larger than ${limit} bytes`)

  /** Moves bytes into the body. Returns false when none are there. */
  function fill(next: Part): boolean {
    if (rest.length === 0) return false
    const piece = take(Math.min(left, rest.length))
    if (sink) sink.piece(piece)
    else pieces.push(piece)
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

  /** Reads the next part. Returns false when it needs more bytes. */
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
        part === 'head' ? 'the connection was closed before its headers ended' : 'it was cut in the middle',
      )
    },
  }
}
