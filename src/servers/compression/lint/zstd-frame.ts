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
