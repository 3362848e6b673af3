import { createHmac } from 'node:crypto'

/** Life of a code in milliseconds, and its number of digits: what authenticator apps assume (RFC 6238 §4.1, §5.2). */
export const TOTP_PERIOD = 30_000
const DIGITS = 6

/** Fewest bytes of a shared secret that is read. Several services hand out 80 bits. */
const MIN_SECRET = 10

/** Fewest bytes that a shared secret must have (RFC 4226 §4, R6). */
export const STRONG_TOTP_SECRET = 16

/** Most bytes of a shared secret. */
const MAX_SECRET = 128

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/**
 * Reads a shared secret in base32 (RFC 4648 §6), as authenticator apps show it: in any case, with or without spaces and
 * padding. Undefined for text that is no base32, and for a secret that is too short or too long.
 */
export function parseTotpSecret(text: string): Uint8Array | undefined {
  if (text.length > 4 * MAX_SECRET) return undefined
  const digits = text
    .replaceAll(' ', '')
    .replace(/={1,6}$/, '')
    .toUpperCase()
  // One, three or six characters beyond a group of eight hold no whole number of bytes.
  if ([1, 3, 6].includes(digits.length % 8)) return undefined
  const secret: number[] = []
  let [bits, value] = [0, 0]
  for (const digit of digits) {
    const five = ALPHABET.indexOf(digit)
    if (five < 0) return undefined
    value = ((value << 5) | five) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    secret.push((value >> bits) & 0xff)
  }
  return secret.length < MIN_SECRET || secret.length > MAX_SECRET ? undefined : Uint8Array.from(secret)
}

/** Returns the number of the period that a time is in (RFC 6238 §4.2). */
export function totpCounter(now: number): number {
  return Math.floor(now / TOTP_PERIOD)
}

/** Returns the one-time password of a period (RFC 6238 §4.2, RFC 4226 §5.3), by HMAC-SHA-1. */
export function totpCode(secret: Uint8Array, counter: number, digits = DIGITS): string {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const mac = createHmac('sha1', secret).update(message).digest()
  const offset = mac[mac.length - 1]! & 0xf
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}
