/** Bytes of the fingerprint and of the secret in a code: 80 and 40 bits. */
export const FINGERPRINT_BYTES = 10
export const SECRET_BYTES = 5

/**
 * The code of a room, which the teacher shows and participants type. Its fingerprint binds the connection to the teacher's certificate, so that nobody
 * between can pose as the teacher. Its secret lets a participant in.
 */
export interface JoinCode {
  /** The first 80 bits of the SHA-256 of the certificate in DER. */
  readonly fingerprint: Uint8Array
  /** 40 random bits. */
  readonly secret: Uint8Array
}

/** Crockford's base 32: no I, L, O and U, which are misread. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CHARACTERS = ((FINGERPRINT_BYTES + SECRET_BYTES) * 8) / 5

/** Writes a code in six groups of four characters: `K7QM-3D9X-…`. */
export function writeJoinCode({ fingerprint, secret }: JoinCode): string {
  let bits = 0n
  for (const byte of [...fingerprint, ...secret]) bits = (bits << 8n) | BigInt(byte)
  const characters = Array.from({ length: CHARACTERS }, (_, i) =>
    LETTERS.charAt(Number((bits >> BigInt(5 * (CHARACTERS - 1 - i))) & 31n)),
  )
  return characters.join('').replace(/(.{4})(?=.)/g, '$1-')
}

/** Reads a code in upper or lower case, with any hyphens and spaces; O is read as 0, I and L as 1. Returns undefined for another text. */
export function readJoinCode(text: string): JoinCode | undefined {
  if (text.length > 100) return undefined
  const characters = text.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
  if (characters.length !== CHARACTERS) return undefined
  let bits = 0n
  for (const each of characters) {
    const value = LETTERS.indexOf(each)
    if (value < 0) return undefined
    bits = (bits << 5n) | BigInt(value)
  }
  const all = Buffer.from(bits.toString(16).padStart((FINGERPRINT_BYTES + SECRET_BYTES) * 2, '0'), 'hex')
  return { fingerprint: all.subarray(0, FINGERPRINT_BYTES), secret: all.subarray(FINGERPRINT_BYTES) }
}

/** The number of a participant, such as `K7-03`. @param code as it is written @param number from 1 */
export const participantId = (code: string, number: number): string =>
  `${code.slice(0, 2)}-${String(number).padStart(2, '0')}`
