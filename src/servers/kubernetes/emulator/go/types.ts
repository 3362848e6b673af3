// The types that request bodies are decoded into, with the names that Go's messages use.

/** A Go type: the JSON values that it accepts, and its name in errors. */
export type GoType =
  | { readonly is: 'string' | 'int64' | 'bool' | 'time' | 'stringMap' | 'other' }
  | { readonly is: 'list'; readonly of: GoType }
  | StructType

/** A Go struct and the JSON names of its fields. */
export interface StructType {
  readonly is: 'struct'
  readonly name: string
  readonly fields: Readonly<Record<string, GoType>>
}

const string: GoType = { is: 'string' }
const strings: GoType = { is: 'list', of: string }
const int64: GoType = { is: 'int64' }
const bool: GoType = { is: 'bool' }
const time: GoType = { is: 'time' }
const stringMap: GoType = { is: 'stringMap' }
/** A value of any type, which is kept as it is. */
const other: GoType = { is: 'other' }

const struct = (name: string, fields: StructType['fields']): StructType => ({ is: 'struct', name, fields })

const objectMeta = struct('ObjectMeta', {
  name: string,
  generateName: string,
  namespace: string,
  selfLink: string,
  uid: string,
  resourceVersion: string,
  generation: int64,
  creationTimestamp: time,
  deletionTimestamp: time,
  deletionGracePeriodSeconds: int64,
  labels: stringMap,
  annotations: stringMap,
  ownerReferences: { is: 'list', of: other },
  finalizers: strings,
  managedFields: { is: 'list', of: other },
})

const typed = (name: string, fields: StructType['fields']): StructType =>
  struct(name, { kind: string, apiVersion: string, metadata: objectMeta, ...fields })

const userInfo = struct('UserInfo', { username: string, uid: string, groups: strings, extra: other })

const attributes: StructType['fields'] = {
  resourceAttributes: struct('ResourceAttributes', {
    namespace: string,
    verb: string,
    group: string,
    version: string,
    resource: string,
    subresource: string,
    name: string,
    fieldSelector: other,
    labelSelector: other,
  }),
  nonResourceAttributes: struct('NonResourceAttributes', { path: string, verb: string }),
}

const subjectAccessReviewSpec = struct('SubjectAccessReviewSpec', {
  ...attributes,
  user: string,
  groups: strings,
  uid: string,
  extra: other,
})

const policyRules: GoType = {
  is: 'list',
  of: struct('PolicyRule', {
    verbs: strings,
    apiGroups: strings,
    resources: strings,
    resourceNames: strings,
    nonResourceURLs: strings,
  }),
}

const subjects: GoType = {
  is: 'list',
  of: struct('Subject', { kind: string, apiGroup: string, name: string, namespace: string }),
}

const roleRef = struct('RoleRef', { apiGroup: string, kind: string, name: string })

/** The types that requests carry, by kind. */
export const GO_TYPES: Readonly<Record<string, StructType>> = {
  TokenRequest: typed('TokenRequest', {
    spec: struct('TokenRequestSpec', {
      audiences: strings,
      expirationSeconds: int64,
      boundObjectRef: struct('BoundObjectReference', {
        kind: string,
        apiVersion: string,
        name: string,
        uid: string,
      }),
    }),
    status: struct('TokenRequestStatus', { token: string, expirationTimestamp: time }),
  }),
  TokenReview: typed('TokenReview', {
    spec: struct('TokenReviewSpec', { token: string, audiences: strings }),
    status: struct('TokenReviewStatus', {
      authenticated: bool,
      user: userInfo,
      audiences: strings,
      error: string,
    }),
  }),
  SelfSubjectReview: typed('SelfSubjectReview', { status: struct('SelfSubjectReviewStatus', { userInfo }) }),
  SelfSubjectAccessReview: typed('SelfSubjectAccessReview', {
    spec: struct('SelfSubjectAccessReviewSpec', attributes),
    status: other,
  }),
  SelfSubjectRulesReview: typed('SelfSubjectRulesReview', {
    spec: struct('SelfSubjectRulesReviewSpec', { namespace: string }),
    status: other,
  }),
  SubjectAccessReview: typed('SubjectAccessReview', { spec: subjectAccessReviewSpec, status: other }),
  LocalSubjectAccessReview: typed('LocalSubjectAccessReview', {
    spec: subjectAccessReviewSpec,
    status: other,
  }),
  Role: typed('Role', { rules: policyRules }),
  ClusterRole: typed('ClusterRole', {
    rules: policyRules,
    aggregationRule: struct('AggregationRule', {
      clusterRoleSelectors: {
        is: 'list',
        of: struct('LabelSelector', { matchLabels: stringMap, matchExpressions: { is: 'list', of: other } }),
      },
    }),
  }),
  RoleBinding: typed('RoleBinding', { subjects, roleRef }),
  ClusterRoleBinding: typed('ClusterRoleBinding', { subjects, roleRef }),
  Lease: typed('Lease', {
    spec: struct('LeaseSpec', {
      holderIdentity: string,
      leaseDurationSeconds: int64,
      acquireTime: time,
      renewTime: time,
      leaseTransitions: int64,
      strategy: string,
      preferredHolder: string,
    }),
  }),
  ConfigMap: typed('ConfigMap', { immutable: bool, data: stringMap, binaryData: stringMap }),
  Event: typed('Event', {
    involvedObject: other,
    reason: string,
    message: string,
    source: other,
    firstTimestamp: time,
    lastTimestamp: time,
    count: int64,
    type: string,
    eventTime: time,
    series: other,
    action: string,
    related: other,
    reportingComponent: string,
    reportingInstance: string,
  }),
  Service: typed('Service', { spec: other, status: other }),
  ServiceAccount: typed('ServiceAccount', {
    secrets: { is: 'list', of: other },
    imagePullSecrets: { is: 'list', of: other },
    automountServiceAccountToken: bool,
  }),
  Namespace: typed('Namespace', { spec: other, status: other }),
  Secret: typed('Secret', { immutable: bool, data: stringMap, stringData: stringMap, type: string }),
  Pod: typed('Pod', { spec: other, status: other }),
  Node: typed('Node', { spec: other, status: other }),
  DeleteOptions: struct('DeleteOptions', {
    kind: string,
    apiVersion: string,
    gracePeriodSeconds: int64,
    preconditions: other,
    orphanDependents: bool,
    propagationPolicy: string,
    dryRun: strings,
    ignoreStoreReadErrorWithClusterBreakingPotential: bool,
  }),
}

/** The name of a type in an error. */
export function goTypeName(type: GoType): string {
  if (type.is === 'struct') return `v1.${type.name}`
  if (type.is === 'list') return `[]${goTypeName(type.of)}`
  if (type.is === 'stringMap') return 'map[string]string'
  return type.is === 'time' ? 'v1.Time' : type.is
}
