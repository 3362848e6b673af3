/**
 * The letters of a user code (RFC 8628 §6.1). Only consonants, so that no code spells a word, and none that looks like
 * a digit. Eight of these 20 letters give 34.5 bits.
 */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8

/** Makes a new user code, such as `WDJB-MJHT`. */
export function makeUserCode(random: (length: number) => Uint8Array): string {
  let code = ''
  while (code.length < LENGTH) {
    // Bytes from 240 on are dropped: 240 is a multiple of 20, so every letter is equally likely.
    for (const byte of random(LENGTH)) if (byte < 240) code += LETTERS[byte % LETTERS.length]!
  }
  return `${code.slice(0, 4)}-${code.slice(4, LENGTH)}`
}

/** Converts a typed user code to the form that was shown; undefined for a text that cannot be a user code. */
export function readUserCode(typed: string): string | undefined {
  const code = typed
    .slice(0, 64)
    .toUpperCase()
    .replace(/[\s\p{P}]/gu, '')
  if (code.length !== LENGTH || [...code].some(letter => !LETTERS.includes(letter))) return undefined
  return `${code.slice(0, 4)}-${code.slice(4)}`
}
