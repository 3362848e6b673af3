import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { withoutEntities } from '../words.js'

/** Deepest nesting of encodings that is read. */
const MAX_DEPTH = 4

/** Most bytes of what was compressed. */
const MAX_INFLATED = 1024 * 1024

const codePoint = (code: number): string => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '')

/** A text without percent-encoding. What is broken stays. */
export const withoutPercents = (text: string): string =>
  text.replace(/(?:%[\da-f]{2})+/gi, coded => Buffer.from(coded.replaceAll('%', ''), 'hex').toString('utf8'))

/** A text without the escapes of JSON and JavaScript. */
const withoutEscapes = (text: string): string =>
  text.replace(
    /\\(?:u\{?([\da-f]{4,6})\}?|x([\da-f]{2})|(.))/gis,
    (_, long, short, char: string | undefined) =>
      char === undefined
        ? codePoint(Number.parseInt(long ?? short, 16))
        : 'nrtbf'.includes(char)
          ? ' '
          : char,
  )

/** Bytes as text; undefined where they are no text. */
function printable(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8')
  const odd = text.match(/[\0-\x08\x0e-\x1f\ufffd]/g)?.length ?? 0
  return text.length > 3 && odd * 10 <= text.length ? text : undefined
}

function inflated(bytes: Buffer): string | undefined {
  const options = { maxOutputLength: MAX_INFLATED }
  const methods =
    bytes[0] === 0x1f
      ? [gunzipSync]
      : bytes[0] === 0x78
        ? [inflateSync]
        : [inflateRawSync, brotliDecompressSync]
  for (const method of methods) {
    try {
      const text = printable(method(bytes, options))
      if (text !== undefined) return text
    } catch {
      // not compressed by this method
    }
  }
  return undefined
}

/** The texts behind base64 and hexadecimal in a text. Base64 is tried from each of its four first characters, because a longer text may hold it. */
function* decodedPieces(text: string): Generator<string, void, void> {
  for (const [piece] of text.matchAll(/[\w+/-]{8,}/g)) {
    for (let start = 0; start < 4; start++) {
      yield Buffer.from(piece.slice(start), 'base64').toString('utf8')
    }
    const deflated = piece.length >= 12 ? inflated(Buffer.from(piece, 'base64')) : undefined
    if (deflated !== undefined) yield deflated
    if (/^(?:[\da-f]{2}){4,}$/i.test(piece)) yield Buffer.from(piece, 'hex').toString('utf8')
  }
}

/** A text without any of the encodings that keep its letters apart: of addresses, JSON, scripts and pages. */
export function unescaped(text: string): string {
  const plain = /%[\da-f]{2}/i.test(text) ? withoutPercents(text) : text
  const meant = plain.includes('\\') ? withoutEscapes(plain) : plain
  return meant.includes('&') ? withoutEntities(meant) : meant
}

/** The text behind a value that is base64 as a whole; undefined for any other. */
export function decodedWhole(text: string): string | undefined {
  if (text.length < 8 || !/^[\w+/-]+={0,2}$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  return inflated(bytes) ?? printable(bytes)
}

/** The readings of a text in one step: each undoes one encoding. */
function* decodingsOf(text: string): Generator<string, void, void> {
  if (/%[\da-f]{2}/i.test(text)) yield withoutPercents(text)
  if (text.includes('+')) yield text.replaceAll('+', ' ')
  if (text.includes('\\')) yield withoutEscapes(text)
  if (/&(?:#\w|[lgaqn]\w)/i.test(text)) yield withoutEntities(text)
  yield* decodedPieces(text)
}

/** A text, and what it says when the encodings that programs use are undone, alone and within each other. */
export function* readingsOf(
  text: string,
  budget = { left: 32 * text.length + 4096 },
  depth = 0,
): Generator<string, void, void> {
  yield text
  budget.left -= text.length
  if (depth === MAX_DEPTH) return
  for (const each of decodingsOf(text)) {
    if (budget.left < 0) return
    if (each !== text) yield* readingsOf(each, budget, depth + 1)
  }
}
