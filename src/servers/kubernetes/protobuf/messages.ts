import type { MessageType } from './model.js'
import { objectMeta } from './object-meta.js'
import { schemaMessage } from './schema-messages.js'

const metadata = ['metadata', objectMeta] as const

/** An object with a `spec`. */
const withSpec = (name: string, fields: MessageType['fields']): MessageType => ({
  name,
  fields: { 1: metadata, 2: ['spec', { name: `${name}Spec`, fields }] },
})

/** An object whose `spec` and `status` are in the schema of pods. */
const withStatus = (name: string): MessageType => ({
  name,
  fields: {
    1: metadata,
    2: ['spec', schemaMessage(`${name}Spec`)],
    3: ['status', schemaMessage(`${name}Status`)],
  },
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
  ServiceAccount: schemaMessage('ServiceAccount'),
  Event: schemaMessage('Event'),
  Namespace: withStatus('Namespace'),
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
  Pod: withStatus('Pod'),
  Node: withStatus('Node'),
  DeleteOptions: {
    name: 'DeleteOptions',
    fields: { 4: ['propagationPolicy', 'string'], 5: ['dryRun', 'strings'] },
  },
}
