import { isUrl } from '../../../protocol/http/address.js'
import { shown } from '../../../protocol/oauth/check.js'
import { isPublicJwk } from '../../../protocol/tokens/keys.js'
import { isJsonObject, quote } from '../../../protocol/values.js'
import { publicKeyOf } from '../stores/client-keys.js'

/** The value of a member, or its problem. */
export type Reading<Value> = { readonly value: Value } | { readonly problem: string }

/** Reads the value of a member, which may have any type. */
export type Reader<Value> = (value: unknown) => Reading<Value>

/** Most characters of a text, and of an address. */
const MAX_TEXT = 500
const MAX_ADDRESS = 2000

/** Most entries of a list. */
const MAX_ENTRIES = 100

/** Most keys of a client. */
const MAX_KEYS = 30

const problem = (text: string) => ({ problem: text })

/** Control characters, and those that turn the direction of the text around them: a name could show as another one. */
const MISLEADING = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** Reads a text for people or programs. */
export const text: Reader<string> = value => {
  if (typeof value !== 'string') return problem('it must be a text')
  if (value.length > MAX_TEXT) return problem(`it is longer than ${MAX_TEXT} characters`)
  if (MISLEADING.test(value) || !value.isWellFormed())
    return problem('it has characters that people cannot see')
  return { value }
}

/** Reads an address whose syntax is checked later. */
export const address: Reader<string> = value => {
  if (typeof value !== 'string') return problem('it must be a text with an address')
  return value.length > MAX_ADDRESS ? problem(`it is longer than ${MAX_ADDRESS} characters`) : { value }
}

/** Reads the address of a page or picture that browsers of people open. */
export const webAddress: Reader<string> = value => {
  const read = address(value)
  if ('problem' in read) return read
  if (!isUrl(read.value)) return problem(`${quote(value)} is no absolute URL`)
  const { protocol, username, password } = new URL(read.value)
  if (protocol !== 'https:' && protocol !== 'http:') return problem(`${quote(value)} is no web address`)
  return username === '' && password === '' ? read : problem('it has user information')
}

/** Reads an https address. */
export const secureAddress: Reader<string> = value => {
  const read = webAddress(value)
  if ('problem' in read || new URL(read.value).protocol === 'https:') return read
  return problem(`${quote(value)} is no https address`)
}

/** Reads an address that the server itself calls later. @param problemOf returns why it never does */
export function calledAddress(
  read: Reader<string>,
  problemOf: (url: string) => string | undefined = () => undefined,
): Reader<string> {
  return value => {
    const reading = read(value)
    if ('problem' in reading || !isUrl(reading.value)) return reading
    const found = problemOf(reading.value)
    return found === undefined ? reading : problem(`${quote(value)}: ${found}`)
  }
}

/** Reads true or false. */
export const flag: Reader<boolean> = value =>
  typeof value === 'boolean' ? { value } : problem('it must be true or false')

/** Reads a number of seconds. */
export const seconds: Reader<number> = value =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= 9_999_999_999
    ? { value: value as number }
    : problem('it must be a whole number of seconds')

/** Reads one of the values that the server supports. */
export function oneOf<const Value extends string>(supported: readonly Value[]): Reader<Value> {
  return value => {
    const found = supported.find(each => each === value)
    if (found !== undefined) return { value: found }
    // JSON.stringify is recursive, and the depth of the value is a stranger's choice.
    const named = typeof value === 'string' ? quote(value) : shown(value)
    return problem(`${named} is not supported; supported: ${supported.join(', ')}`)
  }
}

/** Reads a list. Entries that occur twice are one. */
export function list<Value>(entry: Reader<Value>): Reader<readonly Value[]> {
  return value => {
    if (!Array.isArray(value)) return problem('it must be a list')
    if (value.length > MAX_ENTRIES) return problem(`it has more than ${MAX_ENTRIES} entries`)
    const values: Value[] = []
    for (const each of value as readonly unknown[]) {
      const read = entry(each)
      if ('problem' in read) return problem(`an entry: ${read.problem}`)
      values.push(read.value)
    }
    return { value: [...new Set(values)] }
  }
}

/** Reads the public keys of a client (RFC 7517 §5). Members that no public key has are dropped. */
export const publicKeys: Reader<{ readonly keys: readonly Record<string, unknown>[] }> = value => {
  const listed = isJsonObject(value) ? value.keys : undefined
  if (!Array.isArray(listed)) return problem('it must be a JWK Set: an object with a list of keys')
  if (listed.length > MAX_KEYS) return problem(`it has more than ${MAX_KEYS} keys`)
  const keys: Record<string, unknown>[] = []
  for (const [i, each] of (listed as readonly unknown[]).entries()) {
    if (isJsonObject(each) && ('d' in each || each.kty === 'oct')) {
      return problem(`key ${i + 1} is a secret; register the public key alone`)
    }
    const key = publicKeyOf(each)
    if (key === undefined || !isPublicJwk(key)) return problem(`key ${i + 1} is no public key`)
    keys.push(key)
  }
  return { value: { keys } }
}
