/** An object without its undefined members: a member that may be undefined becomes optional. */
type Defined<T> = {
  readonly [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name]
} & {
  readonly [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>
}

/** Returns a copy of an object without the members whose value is undefined, in the same order. */
export function defined<const T extends object>(members: T): Defined<T> {
  const copy: Record<string, unknown> = {}
  for (const name in members) if (members[name] !== undefined) copy[name] = members[name]
  return copy as Defined<T>
}

/**
 * Returns a function that keeps its latest result, and returns it again for the same arguments. Arguments are compared by
 * identity: a list that changes has to come with something that changes too, such as its length.
 */
export function keepLatest<Arguments extends readonly unknown[], Result>(
  make: (...from: Arguments) => Result,
): (...from: Arguments) => Result {
  let latest: { readonly from: Arguments; readonly result: Result } | undefined
  return (...from) => {
    const known = latest?.from
    if (known?.length !== from.length || from.some((each, i) => each !== known[i])) {
      latest = { from, result: make(...from) }
    }
    return latest!.result
  }
}

/** Returns the result of `work`; undefined where it throws an error of this class. Any other error goes on. */
export function unless<T>(kind: abstract new (...parts: never[]) => Error, work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof kind) return undefined
    throw error
  }
}

/** A JSON object. Its members may have any type. */
export type JsonObject = Readonly<Record<string, unknown>>

/** True for a parsed value that is a JSON object (RFC 8259 §4): neither a list nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the value of a JSON text; undefined for any other text. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the object of a JSON text; undefined for any other text or value. */
export function parsedObject(text: string): JsonObject | undefined {
  const value = parsedJson(text)
  return isJsonObject(value) ? value : undefined
}

/**
 * True for a JSON value that is nested deeper than a limit. Not recursive, because the depth is a stranger's choice, and
 * parsers behind it may be.
 */
export function isDeeper(json: unknown, limit: number): boolean {
  let level: unknown[] = [json]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true
    level = level.flatMap(each => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
  return false
}

/** A value of a lab file in a message: short, on one line, without control characters. */
export function quote(value: unknown): string {
  const written = JSON.stringify(value) ?? String(value)
  return written.length > 80 ? `${written.slice(0, 79)}…` : written
}

/**
 * Returns the text without any of these characters at its end, in linear time. A pattern such as `/[ \t]+$/` starts again at each blank of a run that
 * does not reach the end: 15,500 blanks in a header cost 0.7 s.
 */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1]!)) end -= 1
  return text.slice(0, end)
}

/** Returns the text without any of these characters at its start and end, in linear time. */
export function withoutEnds(text: string, characters: string): string {
  let start = 0
  while (start < text.length && characters.includes(text[start]!)) start += 1
  return withoutEnd(text.slice(start), characters)
}

/** Returns a UUID of version 4 with the first 16 bytes (RFC 9562 §5.4). */
export function uuidOf(bytes: Uint8Array): string {
  const sixteen = Uint8Array.from(bytes.subarray(0, 16))
  sixteen[6] = (sixteen[6]! & 0x0f) | 0x40
  sixteen[8] = (sixteen[8]! & 0x3f) | 0x80
  const digits = Array.from(sixteen, each => each.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
