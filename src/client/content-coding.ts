import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { decodeZstd, hasZstd } from '../protocol/http/codings.js'
import type { HeaderList } from '../protocol/http/message.js'
import { headerValues } from '../protocol/http/message.js'

/** A coded body that cannot be read. Its code is EMSGSIZE, EBADMSG or ENOTSUP. */
export class CodingError extends Error {
  override name = 'CodingError'
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

/** Removes one coding. Throws a RangeError for a body larger than `maxOutputLength`, and another error for one that is not valid. */
export type Decoder = (body: Uint8Array, options: { maxOutputLength: number }) => Uint8Array

// RFC 9110 §8.4.1.2: deflate means the zlib format. Some servers send the deflate data without the zlib header.
const inflateEither: Decoder = (body, options) =>
  body.length > 1 && (body[0]! & 0x0f) === 8 && ((body[0]! << 8) | body[1]!) % 31 === 0
    ? inflateSync(body, options)
    : inflateRawSync(body, options)

const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['br', brotliDecompressSync],
  ['deflate', inflateEither],
  ...(hasZstd ? [['zstd', decodeZstd] as const] : []),
])

/** The most codings that one body may have. Real servers use one. */
const MAX_CODINGS = 3

/**
 * Removes the content codings of a body, the last one first (RFC 9110 §8.4).
 * @param limit the largest body after each coding, in bytes
 * @param more decoders of other codings, by their name in lower case
 * @throws CodingError, with the code ENOTSUP for a coding that this Node.js does not have
 */
export function decodeBody(
  headers: HeaderList,
  body: Uint8Array,
  limit: number,
  more?: ReadonlyMap<string, Decoder>,
): Uint8Array {
  const codings = headerValues({ headers }, 'content-encoding')
    .flatMap(value => value.split(','))
    .map(coding => coding.trim().toLowerCase())
    .filter(coding => coding !== '' && coding !== 'identity')
  if (codings.length === 0 || body.length === 0) return body
  if (codings.length > MAX_CODINGS) {
    throw new CodingError('ENOTSUP', `has ${codings.length} content codings`)
  }
  return codings.reduceRight((coded, coding) => {
    const decode = decoders.get(coding) ?? more?.get(coding)
    if (!decode) throw new CodingError('ENOTSUP', `has the unknown content coding ${coding.slice(0, 40)}`)
    try {
      return decode(coded, { maxOutputLength: limit })
    } catch (error) {
      if (error instanceof RangeError) throw new CodingError('EMSGSIZE', `is larger than ${size(limit)}`)
      throw new CodingError('EBADMSG', `is not valid ${coding}`)
    }
  }, body)
}

/** Formats a number of bytes for a message. */
export function size(bytes: number): string {
  return bytes % 1048576 === 0 ? `${bytes / 1048576} MiB` : `${bytes} bytes`
}
