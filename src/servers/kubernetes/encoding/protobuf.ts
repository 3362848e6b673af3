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

/** The values of fields that are no list, map or message; undefined where they are unset. Go writes unset strings as empty ones. */
const SINGLE = {
  int64: asNumber,
  nonzero: (value: Whole, field: string) => asNumber(value, field) || undefined,
  bool: (value: Whole, field: string) => numberOf(value, field) !== 0n,
  true: (value: Whole, field: string) => numberOf(value, field) !== 0n || undefined,
  bytes: bytesOf,
  microTime: (value: Whole, field: string) => timeOf(bytesOf(value, field), 'microTime'),
  time: (value: Whole, field: string) => timeOf(bytesOf(value, field), 'time'),
  quantity: (value: Whole, field: string) => quantityOf(bytesOf(value, field)),
  intOrString(value: Whole, field: string) {
    const { type, intVal = 0, strVal = '' } = decodeMessage(intOrString, bytesOf(value, field))
    return type === 1 ? strVal : intVal
  },
  anyString: (value: Whole, field: string) => decoder.decode(bytesOf(value, field)),
  string: (value: Whole, field: string) => decoder.decode(bytesOf(value, field)) || undefined,
} as const

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
    const one = SINGLE[type as keyof typeof SINGLE](value, field)
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

// The wire format of Protocol Buffers, as far as it is read here (https://protobuf.dev/programming-guides/encoding).

/** Bytes that are not a protobuf message. The message has the text of the real decoder. */
export class ProtobufError extends Error {
  override name = 'ProtobufError'
}

/** One field on the wire: a number, or bytes whose meaning depends on the type of the field. */
interface WireField {
  readonly number: number
  readonly value: bigint | Uint8Array
}

const VARINT = 0
const FIXED64 = 1
const BYTES = 2
const GROUP_END = 4
const FIXED32 = 5

const unexpectedEnd = () => new ProtobufError('unexpected EOF')

/**
 * The fields of one message, in their order. Groups, which are deprecated, are refused.
 * @param name of the message, for errors
 * @throws ProtobufError for bytes that end too soon or cannot be decoded
 */
export function* wireFields(bytes: Uint8Array, name: string): Generator<WireField> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0

  function varint(): bigint {
    let value = 0n
    for (let shift = 0n; shift < 64n; shift += 7n) {
      const byte = bytes[at++]
      if (byte === undefined) throw unexpectedEnd()
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
    throw new ProtobufError('proto: integer overflow')
  }

  function take(length: number): number {
    if (length > bytes.length - at) throw unexpectedEnd()
    at += length
    return at - length
  }

  while (at < bytes.length) {
    const tag = varint()
    const number = Number(BigInt.asIntN(32, tag >> 3n))
    const type = Number(tag & 7n)
    if (type === GROUP_END) throw new ProtobufError(`proto: ${name}: wiretype end group for non-group`)
    if (number <= 0) throw new ProtobufError(`proto: ${name}: illegal tag ${number} (wire type ${type})`)
    if (type === VARINT) yield { number, value: varint() }
    else if (type === FIXED64) yield { number, value: view.getBigUint64(take(8), true) }
    else if (type === FIXED32) yield { number, value: BigInt(view.getUint32(take(4), true)) }
    else if (type === BYTES) {
      const length = varint()
      if (length > BigInt(bytes.length)) throw unexpectedEnd()
      const start = take(Number(length))
      yield { number, value: bytes.subarray(start, at) }
    } else throw new ProtobufError(`proto: illegal wireType ${type}`)
  }
}

/** The first bytes of every protobuf body of Kubernetes: `k8s` and a zero byte. */
const PREFIX = [0x6b, 0x38, 0x73, 0x00]

const typeMeta: MessageType = {
  name: 'TypeMeta',
  fields: { 1: ['apiVersion', 'string'], 2: ['kind', 'string'] },
}

/**
 * Opens the wrapper of a protobuf body (runtime.Unknown). The object in it stays encoded, because decoding needs its kind.
 * @throws ProtobufError
 */
export function openEnvelope(body: Uint8Array) {
  if (body.length === 0) throw new ProtobufError('empty data')
  if (PREFIX.some((byte, i) => body[i] !== byte)) {
    throw new ProtobufError(
      `provided data does not appear to be a protobuf message, expected prefix [${PREFIX.join(' ')}]`,
    )
  }
  if (body.length === PREFIX.length) throw new ProtobufError('empty body')
  const unknown = decodeMessage(
    { name: 'Unknown', fields: { 1: ['typeMeta', typeMeta], 2: ['raw', 'bytes'] } },
    body.subarray(PREFIX.length),
  ) as { typeMeta?: { apiVersion?: string; kind?: string }; raw?: Uint8Array }
  const { apiVersion = '', kind = '' } = unknown.typeMeta ?? {}
  return { apiVersion, kind, raw: unknown.raw ?? new Uint8Array() }
}

/** The type of a field. */
export type FieldType =
  | keyof typeof SINGLE
  | keyof typeof ENTRY_VALUES
  | 'ints'
  | 'strings'
  | { readonly listOf: MessageType }
  /** The fields of the message are those of the message around it. */
  | { readonly inline: MessageType }
  | MessageType

/** A message: the name and type of each field that is read, by its number. Other fields are ignored. */
export interface MessageType {
  readonly name: string
  readonly fields: Readonly<Record<number, readonly [name: string, type: FieldType]>>
}
