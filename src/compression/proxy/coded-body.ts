import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { type HttpResponse, headerValues } from '../../http/message.js'

/** An answer of the upstream that the proxy cannot pass on. */
export class UpstreamError extends Error {
  override name = 'UpstreamError'
}

/** Most body bytes of an answer, before and after decoding. */
export const MAX_DECODED = 64 * 1024 * 1024

type Decoder = (body: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>

const inflateZlib = promisify(inflate)
const inflateBare = promisify(inflateRaw)

// RFC 9110 §8.4.1.2: deflate means the zlib format. Some servers send the deflate data without the zlib header.
const inflateEither: Decoder = (body, options) =>
  (body[0]! & 0x0f) === 8 && ((body[0]! << 8) | body[1]!) % 31 === 0
    ? inflateZlib(body, options)
    : inflateBare(body, options)

const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['br', promisify(brotliDecompress)],
  ['deflate', inflateEither],
])

/** The most codings that one body may have. Real servers use one. */
const MAX_CODINGS = 3

/** Returns the codings of an answer, in lower case and in the order in which they were applied. */
export function codingsOf(answer: HttpResponse): string[] {
  return headerValues(answer, 'content-encoding')
    .flatMap(value => value.split(','))
    .map(name => name.trim().toLowerCase())
    .filter(name => name !== '' && name !== 'identity')
}

/**
 * Decodes the body of an answer. Returns undefined when one of its codings is unknown here: only its receiver can decode it.
 * @throws UpstreamError for a body that contradicts its Content-Encoding, or is larger than `MAX_DECODED`
 */
export async function decodedBody(answer: HttpResponse): Promise<Uint8Array | undefined> {
  const codings = codingsOf(answer)
  if (codings.length > MAX_CODINGS)
    throw new UpstreamError(`the upstream names ${codings.length} content codings, more than ${MAX_CODINGS}`)
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
          : `the upstream says ${coding}, but its body is not valid ${coding}`,
      )
    }
  }
  return body
}
