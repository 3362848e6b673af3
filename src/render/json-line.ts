// What a terminal might obey if somebody looks at the JSON there. JSON lets every character be escaped.
const unprintable = /[\u007f\p{Cf}\p{Zl}\p{Zp}\u0080-\u009f]/gu

/** One line of JSON that is safe to look at. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(unprintable, char =>
    [...Array(char.length).keys()]
      .map(i => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}
