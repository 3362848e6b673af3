const QUOTE = 0x22
const BACKSLASH = 0x5c
const LETTER_U = 0x75

/** Stands at the end of a string that was shortened. No program writes this text into a recording. */
export const SHORTENED = '\uE000shortened by oauth-lab\uE000'

const mark = Buffer.from(SHORTENED)

/** Shortens long strings of a JSON text that comes in pieces. */
export interface Shortener {
  /** Returns the piece, without what its strings have beyond the limit. */
  readonly add: (piece: Uint8Array) => Uint8Array
}

/**
 * Creates a shortener. Bodies are strings in a recording, so this bounds the memory that an entry takes before it is parsed. The
 * text stays valid JSON: no escape and no character of UTF-8 is cut.
 * @param limit the most bytes of a string that are kept
 */
export function createShortener(limit: number): Shortener {
  let inString = false
  /** Characters of the present escape that are still to come; -1 right after its backslash. */
  let pending = 0
  let length = 0
  let cutting = false

  function add(piece: Uint8Array): Uint8Array {
    const kept: Uint8Array[] = []
    let from = cutting ? -1 : 0
    for (let i = 0; i < piece.length; i++) {
      const byte = piece[i]!
      if (!inString) {
        if (byte !== QUOTE) continue
        inString = true
        length = 0
        continue
      }
      if (pending === 0 && byte === QUOTE) {
        inString = false
        if (cutting) from = i
        cutting = false
        continue
      }
      const between = pending === 0 && (byte & 0xc0) !== 0x80
      if (length >= limit && between && !cutting) {
        cutting = true
        kept.push(piece.subarray(from, i), mark)
        from = -1
      }
      length += 1
      if (pending < 0) pending = byte === LETTER_U ? 4 : 0
      else if (pending > 0) pending -= 1
      else if (byte === BACKSLASH) pending = -1
    }
    if (kept.length === 0 && from === 0) return piece
    if (from >= 0) kept.push(piece.subarray(from))
    return Buffer.concat(kept)
  }
  return { add }
}
