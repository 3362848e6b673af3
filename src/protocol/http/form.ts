import { unless } from '../values.js'
/** Names and values of a form or query in their order, with duplicates and empty values. */
export type FormPairs = ReadonlyArray<readonly [name: string, value: string]>

/** The error for a form or query that cannot be decoded. */
export class FormError extends Error {
  override name = 'FormError'
}

/** Most parameters of a form. A form with more is refused, not cut. */
export const MAX_PARAMETERS = 200

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const encoder = new TextEncoder()

/** Longest text that V8 copies by itself, in characters. */
const SHORT = 12

/**
 * Copies a text of ASCII characters. V8 keeps a whole body alive through a slice of it, so 20 characters in a store would
 * hold 64 kB.
 */
function copied(text: string): string {
  if (text.length <= SHORT) return text
  return Buffer.from(text, 'latin1').toString('latin1')
}

function decodePart(part: string): string {
  if (!/[%+\u0080-\uffff]/.test(part)) return copied(part)
  if (!/[\u0080-\uffff]/.test(part)) {
    try {
      return decodeURIComponent(part.replaceAll('+', ' '))
    } catch {
      // decodeBytes finds the problem and describes it.
    }
  }
  return decodeBytes(part)
}

function decodeBytes(part: string): string {
  const raw = encoder.encode(part)
  const out = new Uint8Array(raw.length)
  let length = 0
  for (let i = 0; i < raw.length; i++) {
    const byte = raw[i]!
    if (byte === 0x2b) out[length++] = 0x20
    else if (byte === 0x25) {
      const hex = String.fromCharCode(raw[i + 1] ?? 0, raw[i + 2] ?? 0)
      if (!/^[0-9a-fA-F]{2}$/.test(hex)) throw new FormError('a % is not followed by two hexadecimal digits')
      out[length++] = Number.parseInt(hex, 16)
      i += 2
    } else out[length++] = byte
  }
  try {
    return strictDecoder.decode(out.subarray(0, length))
  } catch {
    throw new FormError('a value is not UTF-8')
  }
}

/** The part of a form that could be decoded. */
export interface ReadableForm {
  readonly pairs: FormPairs
  /** The problem of the first pair that could not be decoded. */
  readonly problem?: FormError
}

function decodePair(part: string): FormPairs[number] {
  const mark = part.indexOf('=')
  return mark < 0
    ? [decodePart(part), '']
    : [decodePart(part.slice(0, mark)), decodePart(part.slice(mark + 1))]
}

/**
 * Reads the decodable pairs of application/x-www-form-urlencoded text (RFC 6749 Appendix B).
 * @throws FormError for more than MAX_PARAMETERS parts
 */
export function readableForm(text: string): ReadableForm {
  if (text === '') return { pairs: [] }
  const parts = text.split('&', MAX_PARAMETERS + 1)
  if (parts.length > MAX_PARAMETERS) throw new FormError(`more than ${MAX_PARAMETERS} parameters`)
  const pairs: FormPairs[number][] = []
  let problem: FormError | undefined
  for (const part of parts) {
    if (part === '') continue
    try {
      pairs.push(decodePair(part))
    } catch (error) {
      if (!(error instanceof FormError)) throw error
      problem ??= error
    }
  }
  return problem === undefined ? { pairs } : { pairs, problem }
}

/**
 * Reads application/x-www-form-urlencoded text (RFC 6749 Appendix B).
 * @throws FormError for text that cannot be decoded, or has more than MAX_PARAMETERS parts
 */
export function parseForm(text: string): FormPairs {
  const { pairs, problem } = readableForm(text)
  if (problem !== undefined) throw problem
  return pairs
}

/** Reads the pairs of a foreign form, query or fragment. Undefined for text that cannot be decoded. */
export const pairsIfForm = (text: string): FormPairs | undefined => unless(FormError, () => parseForm(text))

/** Reads the pairs of a foreign form, query or fragment. Returns none when it cannot be decoded. */
export const readPairs = (text: string): FormPairs => pairsIfForm(text) ?? []

/**
 * Percent-encodes everything but the unreserved characters of RFC 3986. A space becomes `%20`, which form and
 * URI decoders both read.
 */
export function percentEncode(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replace(
    /[!'()*]/g,
    char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Writes pairs as application/x-www-form-urlencoded text, without pairs whose value is undefined. */
export function encodeForm(pairs: Iterable<readonly [name: string, value: string | undefined]>): string {
  const parts: string[] = []
  for (const [name, value] of pairs) {
    if (value !== undefined) parts.push(`${percentEncode(name)}=${percentEncode(value)}`)
  }
  return parts.join('&')
}

/** Returns the parameters with a value as pairs, in the order of `known`. */
export function pairsInOrder<Name extends string>(
  values: { readonly [N in Name]?: string },
  known: readonly Name[],
): FormPairs {
  const pairs: [name: string, value: string][] = []
  for (const name of known) {
    const value = values[name]
    if (value !== undefined) pairs.push([name, value])
  }
  return pairs
}

/** The known parameters that have a value, and the names of repeated ones. */
export interface Parameters<Name extends string> {
  readonly values: { readonly [N in Name]?: string }
  readonly repeated: readonly Name[]
}

/**
 * Reads the known parameters of a form. Unknown ones are ignored, and empty values count as missing. A repeated
 * parameter has its first value, and its name is in `repeated` (RFC 6749 §3.1, §3.2).
 */
export function readParameters<Name extends string>(
  pairs: FormPairs,
  known: readonly Name[],
): Parameters<Name> {
  const values: { [N in Name]?: string } = Object.create(null)
  const repeated: Name[] = []
  const seen: Name[] = []
  for (const [name, value] of pairs) {
    const at = known.indexOf(name as Name)
    if (at < 0) continue
    const wanted = known[at]!
    if (seen.includes(wanted)) {
      if (!repeated.includes(wanted)) repeated.push(wanted)
      continue
    }
    seen.push(wanted)
    if (value !== '') values[wanted] = value
  }
  return { values, repeated }
}

/** The parameters of a query, a fragment or a form. A parameter without a value counts as missing (RFC 6749 §3.1). */
export interface Fields {
  readonly get: (name: string) => string | undefined
  readonly has: (name: string) => boolean
  /** Names that occur more than once with a value. */
  readonly repeated: readonly string[]
  readonly pairs: FormPairs
}

/** Makes fields of pairs. */
export function fieldsOf(pairs: FormPairs): Fields {
  const values = new Map<string, string>()
  const repeated = new Set<string>()
  for (const [name, value] of pairs) {
    if (value === '') continue
    if (values.has(name)) repeated.add(name)
    else values.set(name, value)
  }
  return { get: name => values.get(name), has: name => values.has(name), repeated: [...repeated], pairs }
}

/** No parameters. */
const NO_FIELDS: Fields = fieldsOf([])

/** A query without its last parameter, which a recording may have cut. */
export const withoutLastParameter = (query: string): string =>
  query.slice(0, Math.max(0, query.lastIndexOf('&')))

/** Reads the parameters of a text. What cannot be decoded is left out: this program judges recordings, and answers nobody. */
export const readFields = (form: string): Fields =>
  unless(FormError, () => fieldsOf(readableForm(form).pairs)) ?? NO_FIELDS
