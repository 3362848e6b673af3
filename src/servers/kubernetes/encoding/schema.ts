import { CORE_SCHEMA } from './core-schema.js'
import type { GoType, StructType } from './go-json.js'
import type { FieldType, MessageType } from './protobuf.js'

// The objects that requests carry, for both of their encodings. One message a line: the number, the name and the type of each field. A field with the number 0
// is in JSON alone. In protobuf, `nonzero`, `true` and `string` are left out at zero, as in JSON; `^` means the fields of a message that has no name of its own
// in JSON, and `[]` a list. `any` is a JSON value that is kept as it is.

const REQUEST_SCHEMA = `
AggregationRule: 1 clusterRoleSelectors []LabelSelector
BoundObjectReference: 1 kind string, 2 apiVersion string, 3 name string, 4 uid string
ClusterRole: 1 metadata ObjectMeta, 2 rules []PolicyRule, 3 aggregationRule AggregationRule
ClusterRoleBinding: 1 metadata ObjectMeta, 2 subjects []Subject, 3 roleRef RoleRef
ConfigMap: 1 metadata ObjectMeta, 2 data stringMap, 3 binaryData bytesMap, 4 immutable bool
DeleteOptions: 0 gracePeriodSeconds int64, 0 preconditions any, 0 orphanDependents bool, 4 propagationPolicy string, 5 dryRun strings, 0 ignoreStoreReadErrorWithClusterBreakingPotential bool
Event: 1 metadata ObjectMeta, 2 involvedObject ObjectReference, 3 reason string, 4 message string, 5 source EventSource, 6 firstTimestamp time, 7 lastTimestamp time, 8 count nonzero, 9 type string, 10 eventTime microTime, 11 series EventSeries, 12 action string, 13 related ObjectReference, 14 reportingComponent string, 15 reportingInstance string
LabelSelector: 1 matchLabels stringMap, 2 matchExpressions []LabelSelectorRequirement
Lease: 1 metadata ObjectMeta, 2 spec LeaseSpec
LeaseSpec: 1 holderIdentity string, 2 leaseDurationSeconds int64, 3 acquireTime microTime, 4 renewTime microTime, 5 leaseTransitions int64, 6 strategy string, 7 preferredHolder string
LocalSubjectAccessReview: 1 metadata ObjectMeta, 2 spec SubjectAccessReviewSpec, 0 status any
Namespace: 1 metadata ObjectMeta, 2 spec NamespaceSpec, 3 status NamespaceStatus
Node: 1 metadata ObjectMeta, 2 spec NodeSpec, 3 status NodeStatus
NonResourceAttributes: 1 path string, 2 verb string
ObjectMeta: 1 name string, 2 generateName string, 3 namespace string, 0 selfLink string, 5 uid string, 6 resourceVersion string, 0 generation int64, 0 creationTimestamp time, 0 deletionTimestamp time, 0 deletionGracePeriodSeconds int64, 11 labels stringMap, 12 annotations stringMap, 13 ownerReferences []OwnerReference, 14 finalizers strings, 0 managedFields []any
Pod: 1 metadata ObjectMeta, 2 spec PodSpec, 3 status PodStatus
PolicyRule: 1 verbs strings, 2 apiGroups strings, 3 resources strings, 4 resourceNames strings, 5 nonResourceURLs strings
ResourceAttributes: 1 namespace string, 2 verb string, 3 group string, 4 version string, 5 resource string, 6 subresource string, 7 name string, 0 fieldSelector any, 0 labelSelector any
Role: 1 metadata ObjectMeta, 2 rules []PolicyRule
RoleBinding: 1 metadata ObjectMeta, 2 subjects []Subject, 3 roleRef RoleRef
RoleRef: 1 apiGroup string, 2 kind string, 3 name string
Secret: 1 metadata ObjectMeta, 2 data bytesMap, 3 type string, 4 stringData stringMap, 5 immutable bool
SelfSubjectAccessReview: 1 metadata ObjectMeta, 2 spec SelfSubjectAccessReviewSpec, 0 status any
SelfSubjectAccessReviewSpec: 1 resourceAttributes ResourceAttributes, 2 nonResourceAttributes NonResourceAttributes
SelfSubjectReview: 1 metadata ObjectMeta, 0 status SelfSubjectReviewStatus
SelfSubjectReviewStatus: 0 userInfo UserInfo
SelfSubjectRulesReview: 1 metadata ObjectMeta, 2 spec SelfSubjectRulesReviewSpec, 0 status any
SelfSubjectRulesReviewSpec: 1 namespace string
ServiceAccount: 1 metadata ObjectMeta, 2 secrets []ObjectReference, 3 imagePullSecrets []LocalObjectReference, 4 automountServiceAccountToken bool
Subject: 1 kind string, 2 apiGroup string, 3 name string, 4 namespace string
SubjectAccessReview: 1 metadata ObjectMeta, 2 spec SubjectAccessReviewSpec, 0 status any
SubjectAccessReviewSpec: 1 resourceAttributes ResourceAttributes, 2 nonResourceAttributes NonResourceAttributes, 3 user string, 4 groups strings, 5 extra valuesMap, 6 uid string
TokenRequest: 1 metadata ObjectMeta, 2 spec TokenRequestSpec, 0 status TokenRequestStatus
TokenRequestSpec: 1 audiences strings, 3 boundObjectRef BoundObjectReference, 4 expirationSeconds int64
TokenRequestStatus: 0 token string, 0 expirationTimestamp time
TokenReview: 1 metadata ObjectMeta, 2 spec TokenReviewSpec, 0 status TokenReviewStatus
TokenReviewSpec: 1 token string, 2 audiences strings
TokenReviewStatus: 0 authenticated bool, 0 user UserInfo, 0 audiences strings, 0 error string
UserInfo: 0 username string, 0 uid string, 0 groups strings, 0 extra any
`

/** The lines of a schema by message. They are split when a request needs them. */
function linesOf(schema: string): () => ReadonlyMap<string, string> {
  let lines: ReadonlyMap<string, string> | undefined
  return () => {
    lines ??= new Map(
      schema
        .trim()
        .split('\n')
        .map(line => line.split(': ') as [string, string]),
    )
    return lines
  }
}

const requestLines = linesOf(REQUEST_SCHEMA)
const coreLines = linesOf(CORE_SCHEMA)

/** The fields of a message. @throws Error for a message that neither schema has */
function fieldsOf(name: string): (readonly [number: number, name: string, type: string])[] {
  const line = requestLines().get(name) ?? coreLines().get(name)
  if (line === undefined) throw new Error(`the schema has no message ${name}`)
  return line.split(', ').map(field => {
    const [number, member = '', type = ''] = field.split(' ')
    return [Number(number), member, type]
  })
}

/** The types of messages begin with a capital letter. */
const isMessage = (type: string): boolean => /^[A-Z]/.test(type)

function fieldType(type: string): FieldType {
  if (type.startsWith('[]')) return { listOf: messageOf(type.slice(2)) }
  if (type.startsWith('^')) return { inline: messageOf(type.slice(1)) }
  return isMessage(type) ? messageOf(type) : (type as FieldType)
}

const messages = new Map<string, MessageType>()

/** Returns the protobuf message of a kind, or of a part of one. Its fields are read when they are needed. */
export function messageOf(name: string): MessageType {
  let fields: MessageType['fields'] | undefined
  const message = messages.get(name) ?? {
    name,
    get fields() {
      fields ??= Object.fromEntries(
        fieldsOf(name)
          .filter(([number]) => number > 0)
          .map(([number, member, type]) => [number, [member, fieldType(type)] as const]),
      )
      return fields
    },
  }
  messages.set(name, message)
  return message
}

/** The JSON values of the types of fields. Those of parts that only protobuf describes are kept as they are. */
const GO_TYPES: Readonly<Record<string, GoType>> = {
  bool: { is: 'bool' },
  bytesMap: { is: 'stringMap' },
  int64: { is: 'int64' },
  microTime: { is: 'time' },
  nonzero: { is: 'int64' },
  string: { is: 'string' },
  stringMap: { is: 'stringMap' },
  strings: { is: 'list', of: { is: 'string' } },
  time: { is: 'time' },
}

function goType(type: string): GoType {
  if (type.startsWith('[]')) return { is: 'list', of: goType(type.slice(2)) }
  if (requestLines().has(type)) return partOf(type)
  return GO_TYPES[type] ?? { is: 'other' }
}

const partOf = (name: string): StructType => ({
  is: 'struct',
  name,
  fields: Object.fromEntries(fieldsOf(name).map(([, member, type]) => [member, goType(type)])),
})

const structs = new Map<string, StructType>()

/** Returns the Go struct that the JSON of a kind is decoded into. */
export function structOf(kind: string): StructType {
  const known = structs.get(kind)
  if (known !== undefined) return known
  const string = goType('string')
  const { fields, ...part } = partOf(kind)
  const struct = { ...part, fields: { kind: string, apiVersion: string, ...fields } }
  structs.set(kind, struct)
  return struct
}
