/**
 * Letters of a user code: consonants, so that no code is a word, and none that is mistaken for a digit (RFC 8628
 * §6.1). 20 to the power of 8 are 34.5 bits.
 */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8

/** A new user code, such as `WDJB-MJHT`. */
export function makeUserCode(random: (length: number) => Uint8Array): string {
  let code = ''
  while (code.length < LENGTH) {
    // Bytes beyond the last whole round of letters are dropped: with them some letters would come more often.
    for (const byte of random(LENGTH)) if (byte < 240) code += LETTERS[byte % LETTERS.length]!
  }
  return `${code.slice(0, 4)}-${code.slice(4, LENGTH)}`
}

/** A user code as somebody typed it, in the form it was shown; undefined for what can be none. */
export function readUserCode(typed: string): string | undefined {
  const code = typed
    .slice(0, 64)
    .toUpperCase()
    .replace(/[\s\p{P}]/gu, '')
  if (code.length !== LENGTH || [...code].some(letter => !LETTERS.includes(letter))) return undefined
  return `${code.slice(0, 4)}-${code.slice(4)}`
}
