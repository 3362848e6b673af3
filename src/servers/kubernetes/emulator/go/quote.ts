const NAMED: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
}

function escaped(char: string): string {
  const named = NAMED[char]
  if (named !== undefined) return named
  const code = char.codePointAt(0)!
  const hex = code.toString(16)
  if (code < 0x80) return `\\x${hex.padStart(2, '0')}`
  return code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`
}

/** Text in double quotes as Go's `%q` writes it, with invisible characters escaped. */
export function quote(text: string): string {
  return `"${text.replace(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, char => (char === '"' ? '\\"' : escaped(char)))}"`
}

/** A list of texts as Go's `%q` writes it: `["a" "b"]`. */
export function quoteList(texts: readonly string[]): string {
  return `[${texts.map(quote).join(' ')}]`
}

/** One byte in single quotes, as the errors of Go's JSON parser name it. */
export function quoteByte(char: string): string {
  if (char === "'") return "'\\''"
  return char === '"' ? `'"'` : `'${quote(char).slice(1, -1)}'`
}
