// Header values that may be written (RFC 9110 §5.5).

const CONTROLS = /[^\t\x20-\x7e\x80-\xff]/g

/** A text as the value of a header: characters beyond ASCII in UTF-8, one character a byte. */
export function utf8Value(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/**
 * Returns a value that can be written. Bytes that came from another server stay as they are. A character beyond Latin-1 puts
 * the value in UTF-8, and a control character becomes a space, because a line break would begin another header.
 */
export function legalValue(value: string): string {
  if (value.search(CONTROLS) < 0) return value
  const bytes = /[^\x00-\xff]/.test(value) ? utf8Value(value) : value
  return bytes.replace(CONTROLS, ' ')
}
