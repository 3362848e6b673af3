import { createHmac } from 'node:crypto'
import { percentEncode } from '../../../protocol/http/form.js'

/** Replaces values by others of the same shape. Equal values have equal pseudonyms, different values have different ones. */
export type Pseudonyms = (value: string) => string

/** Values up to this length could share a pseudonym by chance, so their pseudonyms are kept and compared. */
const SHORT = 16

/** Most times that a value is encoded. */
const MAX_ENCODED = 4

/** Most short values whose pseudonyms are kept. */
const MAX_KEPT = 200_000

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const DIGITS = '0123456789'

/** The characters that a character may be replaced by; undefined for punctuation, which stays. */
function classOf(char: string): string | undefined {
  if (char >= 'a' && char <= 'z') return LOWER
  if (char >= 'A' && char <= 'Z') return UPPER
  if (char >= '0' && char <= '9') return DIGITS
  return char > '\u007f' ? LOWER : undefined
}

/** Bytes that depend on the key, the value and the attempt, as many as are needed. The value is read once. */
function* stream(key: Uint8Array, value: string, attempt: number): Generator<number, never, void> {
  const seed = createHmac('sha256', key).update(`${attempt} `).update(value).digest()
  for (let block = 0; ; block++) yield* createHmac('sha256', seed).update(`${block}`).digest()
}

function shaped(key: Uint8Array, value: string, attempt: number): string {
  const bytes = stream(key, value, attempt)
  let made = ''
  // Of a value of marks alone the marks are the secret.
  const hasLetters = /[a-z\d\u0080-\uffff]/i.test(value)
  for (const char of value) {
    const choices = hasLetters ? classOf(char) : LOWER
    made += choices === undefined ? char : choices[bytes.next().value % choices.length]
  }
  // A domain of few values is soon used up.
  return attempt < 50 ? made : `${made}${attempt}`
}

/** The function that percent-encoded a text once more; undefined for a text that nothing encoded. */
function encoderOf(value: string): { plain: string; encode: (text: string) => string } | undefined {
  if (!/%[\da-f]{2}/i.test(value)) return undefined
  try {
    const plain = decodeURIComponent(value)
    const encode = [percentEncode, encodeURIComponent].find(each => each(plain) === value)
    return encode && plain !== value ? { plain, encode } : undefined
  } catch {
    return undefined
  }
}

/** Creates pseudonyms by a key. Without the key, nobody can compute them for a guessed value. */
export function createPseudonyms(key: Uint8Array): Pseudonyms {
  const made = new Map<string, string>()
  const taken = new Set<string>()

  function unique(value: string): string {
    const known = made.get(value)
    if (known !== undefined) return known
    let attempt = 0
    let pseudonym = shaped(key, value, attempt)
    while ((taken.has(pseudonym) || pseudonym === value) && attempt < 60) {
      attempt += 1
      pseudonym = shaped(key, value, attempt)
    }
    if (made.size < MAX_KEPT) {
      made.set(value, pseudonym)
      taken.add(pseudonym)
    }
    return pseudonym
  }

  function pseudonym(value: string, depth: number): string {
    // A value that was encoded once too often shows the same mistake afterwards.
    const encoded = depth < MAX_ENCODED ? encoderOf(value) : undefined
    if (encoded) return encoded.encode(pseudonym(encoded.plain, depth + 1))
    return value.length <= SHORT ? unique(value) : shaped(key, value, 0)
  }

  return value => pseudonym(value, 0)
}
