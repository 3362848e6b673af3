import { ProtobufError, wireFields } from './wire.js'

/** The type of a field. An empty string means an unset field, because Go writes unset strings that way. */
type FieldType = 'string' | 'strings' | 'bytes' | 'int64' | 'bool' | 'stringMap' | MessageType

/** A message: the name and type of each field that is read, by its number. Other fields are ignored. */
export interface MessageType {
  readonly name: string
  readonly fields: Readonly<Record<number, readonly [name: string, type: FieldType]>>
}

const objectMeta: MessageType = {
  name: 'ObjectMeta',
  fields: {
    1: ['name', 'string'],
    2: ['generateName', 'string'],
    3: ['namespace', 'string'],
    5: ['uid', 'string'],
    11: ['labels', 'stringMap'],
    12: ['annotations', 'stringMap'],
  },
}

const metadata = ['metadata', objectMeta] as const

/** An object with a `spec`. */
const withSpec = (name: string, fields: MessageType['fields']): MessageType => ({
  name,
  fields: { 1: metadata, 2: ['spec', { name: `${name}Spec`, fields }] },
})

const boundObjectReference: MessageType = {
  name: 'BoundObjectReference',
  fields: {
    1: ['kind', 'string'],
    2: ['apiVersion', 'string'],
    3: ['name', 'string'],
    4: ['uid', 'string'],
  },
}

const resourceAttributes: MessageType = {
  name: 'ResourceAttributes',
  fields: {
    1: ['namespace', 'string'],
    2: ['verb', 'string'],
    3: ['group', 'string'],
    4: ['version', 'string'],
    5: ['resource', 'string'],
    6: ['subresource', 'string'],
    7: ['name', 'string'],
  },
}

const nonResourceAttributes: MessageType = {
  name: 'NonResourceAttributes',
  fields: { 1: ['path', 'string'], 2: ['verb', 'string'] },
}

/** The messages that requests carry, by kind. */
export const MESSAGES: Readonly<Record<string, MessageType>> = {
  TokenRequest: withSpec('TokenRequest', {
    1: ['audiences', 'strings'],
    3: ['boundObjectRef', boundObjectReference],
    4: ['expirationSeconds', 'int64'],
  }),
  TokenReview: withSpec('TokenReview', { 1: ['token', 'string'], 2: ['audiences', 'strings'] }),
  SelfSubjectReview: { name: 'SelfSubjectReview', fields: { 1: metadata } },
  SelfSubjectAccessReview: withSpec('SelfSubjectAccessReview', {
    1: ['resourceAttributes', resourceAttributes],
    2: ['nonResourceAttributes', nonResourceAttributes],
  }),
  SelfSubjectRulesReview: withSpec('SelfSubjectRulesReview', { 1: ['namespace', 'string'] }),
  ServiceAccount: { name: 'ServiceAccount', fields: { 1: metadata } },
  Namespace: { name: 'Namespace', fields: { 1: metadata } },
  Secret: { name: 'Secret', fields: { 1: metadata, 3: ['type', 'string'] } },
  Pod: withSpec('Pod', { 8: ['serviceAccountName', 'string'], 10: ['nodeName', 'string'] }),
  Node: { name: 'Node', fields: { 1: metadata } },
  DeleteOptions: {
    name: 'DeleteOptions',
    fields: { 4: ['propagationPolicy', 'string'], 5: ['dryRun', 'strings'] },
  },
}

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

function addEntry(into: Decoded, name: string, bytes: Uint8Array): void {
  let key = ''
  let text = ''
  for (const { number, value } of wireFields(bytes, 'Entry')) {
    if (number === 1) key = decoder.decode(bytesOf(value, name))
    if (number === 2) text = decoder.decode(bytesOf(value, name))
  }
  into[name] = { ...(into[name] as Decoded), [key]: text }
}

/** Adds one field to the object that is being decoded. The last value of a field that is not a list counts. */
function add(into: Decoded, name: string, type: FieldType, value: bigint | Uint8Array): void {
  const field = `${name[0]!.toUpperCase()}${name.slice(1)}`
  if (type === 'int64') into[name] = Number(BigInt.asIntN(64, numberOf(value, field)))
  else if (type === 'bool') into[name] = numberOf(value, field) !== 0n
  else if (type === 'bytes') into[name] = bytesOf(value, field)
  else if (type === 'stringMap') addEntry(into, name, bytesOf(value, field))
  else if (type === 'strings') {
    const list = (into[name] as string[] | undefined) ?? []
    list.push(decoder.decode(bytesOf(value, field)))
    into[name] = list
  } else if (type === 'string') {
    const text = decoder.decode(bytesOf(value, field))
    if (text === '') delete into[name]
    else into[name] = text
  } else into[name] = { ...(into[name] as Decoded), ...decodeMessage(type, bytesOf(value, field)) }
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
  return decoded
}
