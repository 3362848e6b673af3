import type { RecordData } from '../shapes.js'
import { RecordError } from './record-error.js'

// LOC records (RFC 1876) hold a position on earth.

interface Part {
  readonly name: string
  readonly min: number
  readonly max: number
  /** The value of a part that the text leaves out. */
  readonly usual?: number
  /** Only whole numbers. */
  readonly whole?: true
  /** Number of written decimals. */
  readonly decimals?: number
}

const latitude: readonly Part[] = [
  { name: 'lat_degrees', min: 0, max: 90, whole: true },
  { name: 'lat_minutes', min: 0, max: 59, usual: 0, whole: true },
  { name: 'lat_seconds', min: 0, max: 59.999, usual: 0, decimals: 3 },
]
const longitude: readonly Part[] = [
  { name: 'long_degrees', min: 0, max: 180, whole: true },
  { name: 'long_minutes', min: 0, max: 59, usual: 0, whole: true },
  { name: 'long_seconds', min: 0, max: 59.999, usual: 0, decimals: 3 },
]
/** Metres (RFC 1876 §3). */
const sizes: readonly Part[] = [
  { name: 'altitude', min: -100_000, max: 42_849_672.95, decimals: 2 },
  { name: 'size', min: 0, max: 90_000_000, usual: 1, decimals: 2 },
  { name: 'precision_horz', min: 0, max: 90_000_000, usual: 10_000, decimals: 2 },
  { name: 'precision_vert', min: 0, max: 90_000_000, usual: 10, decimals: 2 },
]

function read(part: Part, value: unknown): number {
  if (value === undefined || value === null) {
    if (part.usual !== undefined) return part.usual
    throw new RecordError(9101, `${part.name} is a required data field.`)
  }
  const number = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
  if (
    typeof number === 'number' &&
    number >= part.min &&
    number <= part.max &&
    (!part.whole || Number.isInteger(number))
  ) {
    return number
  }
  throw new RecordError(9102, `${part.name} is not valid in a LOC record.`)
}

function direction(name: string, value: unknown, allowed: readonly string[]): string {
  if (value === undefined || value === null) throw new RecordError(9101, `${name} is a required data field.`)
  const text = String(value).toUpperCase()
  if (allowed.includes(text)) return text
  throw new RecordError(9102, `${name} is ${allowed.join(' or ')} in a LOC record.`)
}

/** The data of a LOC record from JSON. */
export function locationData(given: { readonly [name: string]: unknown }): RecordData {
  const data: Record<string, string | number> = {}
  for (const part of latitude) data[part.name] = read(part, given[part.name])
  data.lat_direction = direction('lat_direction', given.lat_direction, ['N', 'S'])
  for (const part of longitude) data[part.name] = read(part, given[part.name])
  data.long_direction = direction('long_direction', given.long_direction, ['E', 'W'])
  for (const part of sizes) data[part.name] = read(part, given[part.name])
  return data
}

/** Reads a latitude or a longitude, such as `52 31 12.5 N`, and removes its words from the list. */
function takeAngle(
  words: string[],
  parts: readonly Part[],
  name: string,
  ends: RegExp,
): Record<string, string> | undefined {
  const data: Record<string, string> = {}
  for (const part of parts) {
    if (words[0] === undefined || ends.test(words[0])) break
    data[part.name] = words.shift() ?? ''
  }
  const end = words.shift()
  if (end === undefined || !ends.test(end)) return undefined
  return { ...data, [name]: end }
}

/** The data of a LOC record from its content, split at blanks; undefined for another form. */
export function locationText(content: readonly string[]): RecordData | undefined {
  const words = [...content]
  const lat = takeAngle(words, latitude, 'lat_direction', /^[NS]$/i)
  const long = lat && takeAngle(words, longitude, 'long_direction', /^[EW]$/i)
  if (!long || words.length > sizes.length) return undefined
  const rest = Object.fromEntries(words.map((each, i) => [sizes[i]!.name, each.replace(/m$/i, '')]))
  return locationData({ ...lat, ...long, ...rest })
}

/** The content of a LOC record. */
export function writeLocation(data: RecordData): string {
  const written = (parts: readonly Part[], unit = '') =>
    parts.map(({ name, decimals = 0 }) => `${Number(data[name]).toFixed(decimals)}${unit}`)
  return [
    ...written(latitude),
    data.lat_direction,
    ...written(longitude),
    data.long_direction,
    ...written(sizes, 'm'),
  ].join(' ')
}
