import { ProtobufError, wireFields } from './wire.js'

/** The type of a field. An empty string means an unset field, because Go writes unset strings that way. */
type FieldType =
  | ('bool' | 'bytes' | 'bytesMap' | 'int64' | 'microTime' | 'string' | 'stringMap' | 'strings')
  | 'valuesMap'
  | { readonly listOf: MessageType }
  | MessageType

/** A message: the name and type of each field that is read, by its number. Other fields are ignored. */
export interface MessageType {
  readonly name: string
  readonly fields: Readonly<Record<number, readonly [name: string, type: FieldType]>>
}

const ownerReference: MessageType = {
  name: 'OwnerReference',
  fields: {
    1: ['kind', 'string'],
    3: ['name', 'string'],
    4: ['uid', 'string'],
    5: ['apiVersion', 'string'],
    6: ['controller', 'bool'],
    7: ['blockOwnerDeletion', 'bool'],
  },
}

const objectMeta: MessageType = {
  name: 'ObjectMeta',
  fields: {
    1: ['name', 'string'],
    2: ['generateName', 'string'],
    3: ['namespace', 'string'],
    5: ['uid', 'string'],
    11: ['labels', 'stringMap'],
    6: ['resourceVersion', 'string'],
    12: ['annotations', 'stringMap'],
    13: ['ownerReferences', { listOf: ownerReference }],
    14: ['finalizers', 'strings'],
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

const subjectAccessReviewSpec: MessageType['fields'] = {
  1: ['resourceAttributes', resourceAttributes],
  2: ['nonResourceAttributes', nonResourceAttributes],
  3: ['user', 'string'],
  4: ['groups', 'strings'],
  5: ['extra', 'valuesMap'],
  6: ['uid', 'string'],
}

const policyRule: MessageType = {
  name: 'PolicyRule',
  fields: {
    1: ['verbs', 'strings'],
    2: ['apiGroups', 'strings'],
    3: ['resources', 'strings'],
    4: ['resourceNames', 'strings'],
    5: ['nonResourceURLs', 'strings'],
  },
}

const roleRef: MessageType = {
  name: 'RoleRef',
  fields: { 1: ['apiGroup', 'string'], 2: ['kind', 'string'], 3: ['name', 'string'] },
}

const subject: MessageType = {
  name: 'Subject',
  fields: {
    1: ['kind', 'string'],
    2: ['apiGroup', 'string'],
    3: ['name', 'string'],
    4: ['namespace', 'string'],
  },
}

const binding = (name: string): MessageType => ({
  name,
  fields: { 1: metadata, 2: ['subjects', { listOf: subject }], 3: ['roleRef', roleRef] },
})

const named: MessageType = { name: 'LocalObjectReference', fields: { 1: ['name', 'string'] } }

const container: MessageType = {
  name: 'Container',
  fields: { 1: ['name', 'string'], 2: ['image', 'string'] },
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
  SubjectAccessReview: withSpec('SubjectAccessReview', subjectAccessReviewSpec),
  LocalSubjectAccessReview: withSpec('LocalSubjectAccessReview', subjectAccessReviewSpec),
  Role: { name: 'Role', fields: { 1: metadata, 2: ['rules', { listOf: policyRule }] } },
  ClusterRole: {
    name: 'ClusterRole',
    fields: {
      1: metadata,
      2: ['rules', { listOf: policyRule }],
      3: [
        'aggregationRule',
        {
          name: 'AggregationRule',
          fields: {
            1: [
              'clusterRoleSelectors',
              { listOf: { name: 'LabelSelector', fields: { 1: ['matchLabels', 'stringMap'] } } },
            ],
          },
        },
      ],
    },
  },
  RoleBinding: binding('RoleBinding'),
  ClusterRoleBinding: binding('ClusterRoleBinding'),
  Lease: withSpec('Lease', {
    1: ['holderIdentity', 'string'],
    2: ['leaseDurationSeconds', 'int64'],
    3: ['acquireTime', 'microTime'],
    4: ['renewTime', 'microTime'],
    5: ['leaseTransitions', 'int64'],
    6: ['strategy', 'string'],
    7: ['preferredHolder', 'string'],
  }),
  ConfigMap: {
    name: 'ConfigMap',
    fields: {
      1: metadata,
      2: ['data', 'stringMap'],
      3: ['binaryData', 'bytesMap'],
      4: ['immutable', 'bool'],
    },
  },
  ServiceAccount: {
    name: 'ServiceAccount',
    fields: {
      1: metadata,
      2: ['secrets', { listOf: { name: 'ObjectReference', fields: { 3: ['name', 'string'] } } }],
      3: ['imagePullSecrets', { listOf: named }],
      4: ['automountServiceAccountToken', 'bool'],
    },
  },
  Namespace: { name: 'Namespace', fields: { 1: metadata } },
  Secret: {
    name: 'Secret',
    fields: {
      1: metadata,
      2: ['data', 'bytesMap'],
      3: ['type', 'string'],
      4: ['stringData', 'stringMap'],
      5: ['immutable', 'bool'],
    },
  },
  Pod: withSpec('Pod', {
    2: ['containers', { listOf: container }],
    8: ['serviceAccountName', 'string'],
    10: ['nodeName', 'string'],
  }),
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

/** The value of a map's entry. */
function entryValue(type: 'bytesMap' | 'stringMap' | 'valuesMap', bytes: Uint8Array): unknown {
  if (type === 'stringMap') return decoder.decode(bytes)
  if (type === 'bytesMap') return Buffer.from(bytes).toString('base64')
  return decodeMessage(listOfStrings, bytes).items ?? []
}

const instant: MessageType = { name: 'Timestamp', fields: { 1: ['seconds', 'int64'], 2: ['nanos', 'int64'] } }

/** A time with microseconds, as JSON writes it. */
function microTime(bytes: Uint8Array): string {
  const { seconds = 0, nanos = 0 } = decodeMessage(instant, bytes) as { seconds?: number; nanos?: number }
  const ms = seconds * 1000
  if (Math.abs(ms) > 8.64e15) throw new ProtobufError('proto: Timestamp: out of range')
  const micros = String(Math.floor(nanos / 1000)).padStart(6, '0')
  return `${new Date(ms).toISOString().slice(0, 19)}.${micros}Z`
}

/** Adds one field to the object that is being decoded. The last value of a field that is not a list counts. */
function add(into: Decoded, name: string, type: FieldType, value: bigint | Uint8Array): void {
  const field = `${name[0]!.toUpperCase()}${name.slice(1)}`
  if (type === 'int64') into[name] = Number(BigInt.asIntN(64, numberOf(value, field)))
  else if (type === 'bool') into[name] = numberOf(value, field) !== 0n
  else if (type === 'bytes') into[name] = bytesOf(value, field)
  else if (type === 'microTime') into[name] = microTime(bytesOf(value, field))
  else if (type === 'stringMap' || type === 'bytesMap' || type === 'valuesMap') {
    const [key, content] = entryOf(bytesOf(value, field), name)
    const map = (into[name] as Map<string, unknown> | undefined) ?? new Map<string, unknown>()
    into[name] = map.set(key, entryValue(type, content))
  } else if (typeof type === 'object' && 'listOf' in type) {
    const list = (into[name] as unknown[] | undefined) ?? []
    list.push(decodeMessage(type.listOf, bytesOf(value, field)))
    into[name] = list
  } else if (type === 'strings') {
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
  for (const [name, value] of Object.entries(decoded)) {
    if (value instanceof Map) decoded[name] = Object.fromEntries(value)
  }
  return decoded
}
