// Character strings as zone files write them (RFC 1035 §5.1).

/** One word or one quoted string, with its escapes decoded. */
export interface Word {
  readonly text: string
  readonly quoted: boolean
}

const word = /\s*(?:"((?:[^"\\]|\\.)*)"|((?:[^\s"\\]|\\.)+))/sy

/** Decodes bytes as UTF-8, or as Latin-1 when they are not UTF-8. */
function decoded(bytes: readonly number[]): string {
  const buffer = Buffer.from(bytes)
  const text = buffer.toString('utf8')
  return text.includes('\ufffd') ? buffer.toString('latin1') : text
}

/** Replaces the escapes `\"`, `\\` and `\065` with the characters that they stand for. */
export function unescaped(text: string): string {
  return text.replace(
    /((?:\\(?:[01]\d\d|2[0-4]\d|25[0-5]))+)|\\(.)/gs,
    (_, numbers?: string, char?: string) =>
      numbers === undefined ? (char ?? '') : decoded(numbers.slice(1).split('\\').map(Number)),
  )
}

/**
 * The words and quoted strings of a record's content.
 * @returns undefined where a quote or an escape has no end
 */
export function words(content: string): Word[] | undefined {
  const found: Word[] = []
  const text = content.trim()
  word.lastIndex = 0
  for (let at = 0; at < text.length; at = word.lastIndex) {
    word.lastIndex = at
    const match = word.exec(text)
    if (!match) return undefined
    const [, quoted, plain] = match
    found.push({ text: unescaped(quoted ?? plain ?? ''), quoted: quoted !== undefined })
  }
  return found
}

/** A character string in quotes. Control characters and bytes beyond ASCII are written by their number. */
export function quoted(text: string): string {
  const safe = text
    .replace(/["\\]/g, '\\$&')
    .replace(/[^\x20-\x7e]/gu, char =>
      [...Buffer.from(char, 'utf8')].map(byte => `\\${String(byte).padStart(3, '0')}`).join(''),
    )
  return `"${safe}"`
}

/** Longest character string, in bytes (RFC 1035 §3.3). */
const MAX_STRING = 255

/** Text as quoted character strings of at most 255 bytes, cut between characters. */
export function quotedStrings(text: string): string {
  const parts: string[] = ['']
  let size = 0
  for (const char of text) {
    const bytes = Buffer.byteLength(char)
    if (size + bytes > MAX_STRING) {
      parts.push('')
      size = 0
    }
    parts[parts.length - 1] += char
    size += bytes
  }
  return parts.map(quoted).join(' ')
}

/** The strings of a TXT record: those in quotes, else the content itself. */
export function textStrings(content: string): string[] {
  if (!content.trimStart().startsWith('"')) return [content]
  const found = words(content)
  return found?.every(each => each.quoted) ? found.map(each => each.text) : [content]
}

/** The text of a TXT record: its strings joined. */
export const textValue = (content: string): string => textStrings(content).join('')
