import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'

const replaced = (text: string, pattern: RegExp, read: (match: string) => string) =>
  text.replace(pattern, match => {
    try {
      return read(match)
    } catch {
      return match
    }
  })

/** A text in all its readings, three deep. */
function* readingsOf(text: string, depth = 0): Generator<string> {
  yield text
  if (depth === 3 || text.length > 400_000) return
  const plain = [
    replaced(text, /(?:%[\da-f]{2})+/gi, each => Buffer.from(each.replaceAll('%', ''), 'hex').toString()),
    text.replaceAll('+', ' '),
    replaced(text, /\\(?:u[\da-f]{4}|["\\/bfnrt])/gi, each => JSON.parse(`"${each}"`) as string),
    text.replace(/&#(x?)([\da-f]+);/gi, (_, x: string, code: string) =>
      String.fromCodePoint(Math.min(0xffff, Number.parseInt(code, x ? 16 : 10) || 0)),
    ),
  ]
  for (const each of plain) if (each !== text) yield* readingsOf(each, depth + 1)
  const pieces = [...new Set(text.match(/[\w+/-]{8,}/g) ?? [])]
  const inside = pieces.flatMap(piece => [
    ...[0, 1, 2, 3].map(i => Buffer.from(piece.slice(i), 'base64').toString()),
    ...(/^[\da-f]+$/i.test(piece) ? [Buffer.from(piece, 'hex').toString()] : []),
    ...[gunzipSync, inflateSync, inflateRawSync].flatMap(inflate => {
      try {
        return [inflate(Buffer.from(piece, 'base64')).toString()]
      } catch {
        return []
      }
    }),
  ])
  if (inside.length > 0) yield* readingsOf(inside.join('\n'), depth + 1)
}

/** The values that a copy has in any reading, each with the text around it. */
export function leaks(copy: string, values: readonly string[]): string[] {
  const found = new Map<string, string>()
  for (const reading of readingsOf(copy)) {
    const text = reading.toLowerCase()
    for (const value of values) {
      const start = text.indexOf(value.toLowerCase())
      if (start >= 0) found.set(value, `${value} in ${text.slice(Math.max(0, start - 60)).slice(0, 140)}`)
    }
  }
  return [...found.values()]
}
