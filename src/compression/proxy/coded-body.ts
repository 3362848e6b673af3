import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { type HttpResponse, headerValues } from '../../http/message.js'

/** An upstream whose answer cannot be passed on. */
export class UpstreamError extends Error {
  override name = 'UpstreamError'
}

/** Most bytes an answer may have after decoding. */
export const MAX_DECODED = 64 * 1024 * 1024

type Decoder = (body: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>

const inflateZlib = promisify(inflate)
const inflateBare = promisify(inflateRaw)

// RFC 9110 §8.4.1.2: deflate is the zlib format; some servers send it without its envelope.
const inflateEither: Decoder = (body, options) =>
  body.length > 1 && (body[0]! & 0x0f) === 8 && ((body[0]! << 8) | body[1]!) % 31 === 0
    ? inflateZlib(body, options)
    : inflateBare(body, options)

const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['br', promisify(brotliDecompress)],
  ['deflate', inflateEither],
])

/** More codings on one body than anybody uses. */
const MAX_CODINGS = 3

/** The codings of an answer in lower case, in the order in which they were applied. */
export function codingsOf(answer: HttpResponse): string[] {
  return headerValues(answer, 'content-encoding')
    .flatMap(value => value.split(','))
    .map(name => name.trim().toLowerCase())
    .filter(name => name !== '' && name !== 'identity')
}

/**
 * The body with its codings undone; undefined where one of them is not known here, and the body is its receiver's affair.
 * @throws UpstreamError for a body that is not what its Content-Encoding says, or too large when decoded
 */
export async function decodedBody(answer: HttpResponse): Promise<Uint8Array | undefined> {
  const codings = codingsOf(answer)
  if (codings.length > MAX_CODINGS) throw new UpstreamError(`the upstream names ${codings.length} codings`)
  let body = answer.body
  for (const coding of codings.reverse()) {
    const decode = decoders.get(coding)
    if (decode === undefined) return undefined
    try {
      body = await decode(body, { maxOutputLength: MAX_DECODED })
    } catch (error) {
      throw new UpstreamError(
        error instanceof RangeError
          ? `the upstream's answer is larger than ${MAX_DECODED / 1048576} MiB when it is decoded`
          : `the upstream says ${coding}, and sent something else`,
      )
    }
  }
  return body
}
