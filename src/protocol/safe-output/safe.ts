// Apart from text.ts, whose package for widths takes longer to load than a small command runs.
const printable = /^[\x20-\x7e]*$/
// Controls, format and direction characters, line separators, lone surrogates, and whatever else draws nothing.
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu
const leadingMark = /^\p{M}/u
const unsafeOrForeign = /[^\x20-\x7e]/gu

/** Characters beyond ASCII that our own words use, and how they are spelt without it. */
const spellings: Readonly<Record<string, string>> = {
  '…': '...',
  '•': '*',
  '§': 'sec. ',
  '–': '-',
  '×': 'x',
  µ: 'u',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
}

function visible(char: string, ascii: boolean): string {
  const spelling = ascii ? spellings[char] : undefined
  if (spelling !== undefined) return spelling
  const code = char.codePointAt(0)!
  if (code >= 0xd800 && code <= 0xdfff) return ascii ? '<U+FFFD>' : '\ufffd'
  if (code < 0x20) return ascii ? `^${String.fromCharCode(code + 0x40)}` : String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return ascii ? '^?' : '\u2421'
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}

/**
 * Text from outside as one line that a terminal shows and never obeys: control characters, line breaks, tabs and
 * escape sequences become signs such as `␛`, direction overrides and invisible characters `<U+202E>`.
 * @param options.ascii also spell every character beyond ASCII
 */
export function makeSafe(text: string, options: { readonly ascii?: boolean } = {}): string {
  if (printable.test(text)) return text
  const ascii = options.ascii ?? false
  const shown = text.replace(ascii ? unsafeOrForeign : unsafe, char => visible(char, ascii))
  // A mark without a letter would change the sign that is drawn before this text.
  return leadingMark.test(shown) ? `◌${shown}` : shown
}

const plainLines = /^[\n\x20-\x7e]*$/
const unsafeInLines = /(?![\t\n]|\r(?=\n))[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu
const unsafeOrForeignInLines = /(?![\t\n]|\r(?=\n))[^\x20-\x7e]/gu

/**
 * Finished lines that a terminal shows and never obeys: tabs and line ends stay. In ASCII our own signs are spelt, and other
 * characters become `<U+00E9>`.
 */
export function safeLines(lines: string, ascii = false): string {
  if (plainLines.test(lines)) return lines
  return lines.replace(ascii ? unsafeOrForeignInLines : unsafeInLines, char => visible(char, ascii))
}

/** Text from outside, made safe for the terminal these signs are for. */
export function foreign(text: string, signs: { readonly ascii: boolean }): string {
  return makeSafe(text, { ascii: signs.ascii })
}
