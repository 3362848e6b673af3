import type { FieldType, MessageType } from './model.js'
import { ProtobufError, wireFields } from './wire.js'

const decoder = new TextDecoder('utf-8')

type Decoded = Record<string, unknown>

function bytesOf(value: bigint | Uint8Array, field: string): Uint8Array {
  if (typeof value !== 'bigint') return value
  throw new ProtobufError(`proto: wrong wireType = 0 for field ${field}`)
}

function numberOf(value: bigint | Uint8Array, field: string): bigint {
  if (typeof value === 'bigint') return value
  throw new ProtobufError(`proto: wrong wireType = 2 for field ${field}`)
}

/** The key of a map's entry, and the bytes of its value. */
function entryOf(bytes: Uint8Array, name: string): [key: string, value: Uint8Array] {
  let key = ''
  let content: Uint8Array = new Uint8Array()
  for (const { number, value } of wireFields(bytes, 'Entry')) {
    if (number === 1) key = decoder.decode(bytesOf(value, name))
    if (number === 2) content = bytesOf(value, name)
  }
  return [key, content]
}

const listOfStrings: MessageType = { name: 'ExtraValue', fields: { 1: ['items', 'strings'] } }

type Whole = bigint | Uint8Array

const quantity: MessageType = { name: 'Quantity', fields: { 1: ['string', 'string'] } }
const instant: MessageType = { name: 'Timestamp', fields: { 1: ['seconds', 'int64'], 2: ['nanos', 'int64'] } }
const intOrString: MessageType = {
  name: 'IntOrString',
  fields: { 1: ['type', 'int64'], 2: ['intVal', 'int64'], 3: ['strVal', 'anyString'] },
}

const quantityOf = (bytes: Uint8Array): unknown => decodeMessage(quantity, bytes).string ?? '0'

/** A time as JSON writes it: with microseconds, or with seconds. No bytes mean no time. */
function timeOf(bytes: Uint8Array, type: 'microTime' | 'time'): string | null {
  if (bytes.length === 0) return null
  const { seconds = 0, nanos = 0 } = decodeMessage(instant, bytes) as { seconds?: number; nanos?: number }
  const ms = seconds * 1000
  if (Math.abs(ms) > 8.64e15) throw new ProtobufError('proto: Timestamp: out of range')
  const text = new Date(ms).toISOString().slice(0, 19)
  return type === 'time' ? `${text}Z` : `${text}.${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z`
}

/** The value of a map's entry, by the type of the map. */
const ENTRY_VALUES = {
  bytesMap: (bytes: Uint8Array): unknown => Buffer.from(bytes).toString('base64'),
  quantities: quantityOf,
  stringMap: (bytes: Uint8Array): unknown => decoder.decode(bytes),
  valuesMap: (bytes: Uint8Array): unknown => decodeMessage(listOfStrings, bytes).items ?? [],
} as const

const asNumber = (value: Whole, field: string): number => Number(BigInt.asIntN(64, numberOf(value, field)))

/** The value of a field that is no list, map or message; undefined where it is unset. */
function single(type: string, value: Whole, field: string): unknown {
  switch (type) {
    case 'int64':
      return asNumber(value, field)
    case 'nonzero':
      return asNumber(value, field) || undefined
    case 'bool':
      return numberOf(value, field) !== 0n
    case 'true':
      return numberOf(value, field) !== 0n || undefined
    case 'bytes':
      return bytesOf(value, field)
    case 'microTime':
    case 'time':
      return timeOf(bytesOf(value, field), type)
    case 'quantity':
      return quantityOf(bytesOf(value, field))
    case 'intOrString': {
      const { type: kind, intVal = 0, strVal = '' } = decodeMessage(intOrString, bytesOf(value, field))
      return kind === 1 ? strVal : intVal
    }
    case 'anyString':
      return decoder.decode(bytesOf(value, field))
    default:
      return decoder.decode(bytesOf(value, field)) || undefined
  }
}

/** The element of a list. */
function element(type: FieldType, value: Whole, field: string): unknown {
  if (type === 'ints') return asNumber(value, field)
  if (type === 'strings') return decoder.decode(bytesOf(value, field))
  return decodeMessage((type as { listOf: MessageType }).listOf, bytesOf(value, field))
}

const isList = (type: FieldType): boolean =>
  type === 'ints' || type === 'strings' || (typeof type === 'object' && 'listOf' in type)

/** Adds one field to the object that is being decoded. The last value of a field that is not a list counts. */
function add(into: Decoded, name: string, type: FieldType, value: Whole): void {
  const field = `${name[0]!.toUpperCase()}${name.slice(1)}`
  if (isList(type)) {
    const list = (into[name] as unknown[] | undefined) ?? []
    list.push(element(type, value, field))
    into[name] = list
  } else if (typeof type === 'object') {
    if ('inline' in type) Object.assign(into, decodeMessage(type.inline, bytesOf(value, field)))
    else {
      const message = decodeMessage(type as MessageType, bytesOf(value, field))
      into[name] = { ...(into[name] as Decoded), ...message }
    }
  } else if (Object.hasOwn(ENTRY_VALUES, type)) {
    const [key, content] = entryOf(bytesOf(value, field), name)
    const map = (into[name] as Map<string, unknown> | undefined) ?? new Map<string, unknown>()
    into[name] = map.set(key, ENTRY_VALUES[type as keyof typeof ENTRY_VALUES](content))
  } else {
    const one = single(type, value, field)
    if (one === undefined) delete into[name]
    else into[name] = one
  }
}

/**
 * Decodes a message into a plain object with the names that JSON uses.
 * @throws ProtobufError
 */
export function decodeMessage(type: MessageType, bytes: Uint8Array): Decoded {
  const decoded: Decoded = {}
  for (const { number, value } of wireFields(bytes, type.name)) {
    const field = type.fields[number]
    if (field !== undefined) add(decoded, field[0], field[1], value)
  }
  for (const [name, value] of Object.entries(decoded)) {
    if (value instanceof Map) decoded[name] = Object.fromEntries(value)
  }
  return decoded
}
