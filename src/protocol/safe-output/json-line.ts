// Characters that a terminal might obey when it shows JSON. JSON lets every character be escaped.
const unprintable = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

// A search for the classes of Unicode takes four times as long, and nearly every event is ASCII and the dots of cut secrets.
const uncommon = /[^\0-~…]/

/** Writes characters that a terminal might obey as `\uXXXX`; for texts in double quotes of JSON or YAML. */
export function escapeUnprintable(text: string): string {
  if (!uncommon.test(text)) return text
  return text.replace(unprintable, char =>
    [...Array(char.length).keys()]
      .map(i => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

/** JSON that is safe for terminals: one line, or laid out with `indent` spaces. */
export function jsonLine(value: unknown, indent?: number): string {
  return escapeUnprintable(JSON.stringify(value, undefined, indent))
}
