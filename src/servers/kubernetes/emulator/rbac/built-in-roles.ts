import { defined } from '../../../../protocol/values.js'
import { type ClusterSettings, REVIEWERS } from '../settings.js'
import type { NewObject, Store, StoredObject } from '../store/store.js'
import { type Binding, type PolicyRule, RBAC_GROUP, type Rbac, type Role } from './authorizer.js'

// The roles and bindings that every cluster has at its start (bootstrap policy of Kubernetes 1.32), as far as they are of use here.

const READ = ['get', 'list', 'watch']
const WRITE = ['create', 'delete', 'deletecollection', 'patch', 'update']
const ALL = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']

/** A rule about resources, whose names are separated by spaces. */
const rule = (verbs: readonly string[], group: string, resources: string): PolicyRule => ({
  apiGroups: [group],
  resources: resources.split(' '),
  verbs,
})

const paths = (nonResourceURLs: readonly string[]): PolicyRule => ({ nonResourceURLs, verbs: ['get'] })

const WORKLOADS =
  'daemonsets deployments deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale'
const CLAIMS = 'persistentvolumeclaims'
const CONTROLLERS = 'replicationcontrollers replicationcontrollers/scale'
const CONNECTIONS = 'pods/attach pods/exec pods/portforward pods/proxy'

const VIEW: readonly PolicyRule[] = [
  rule(
    READ,
    '',
    `configmaps endpoints ${CLAIMS} ${CLAIMS}/status pods ${CONTROLLERS} serviceaccounts services services/status`,
  ),
  rule(
    READ,
    '',
    'bindings events limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status',
  ),
  rule(READ, '', 'namespaces'),
  rule(READ, 'discovery.k8s.io', 'endpointslices'),
  rule(
    READ,
    'apps',
    `${WORKLOADS} controllerrevisions daemonsets/status deployments/status replicasets/status statefulsets/status`,
  ),
  rule(READ, 'autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status'),
  rule(READ, 'batch', 'cronjobs cronjobs/status jobs jobs/status'),
  rule(READ, 'policy', 'poddisruptionbudgets poddisruptionbudgets/status'),
  rule(READ, 'networking.k8s.io', 'ingresses ingresses/status networkpolicies'),
]

const EDIT: readonly PolicyRule[] = [
  rule(READ, '', `${CONNECTIONS} secrets services/proxy`),
  rule(['impersonate'], '', 'serviceaccounts'),
  rule(WRITE, '', `pods ${CONNECTIONS}`),
  rule(['create'], '', 'pods/eviction'),
  rule(
    WRITE,
    '',
    `configmaps events ${CLAIMS} ${CONTROLLERS} secrets serviceaccounts services services/proxy`,
  ),
  rule(['create'], '', 'serviceaccounts/token'),
  rule(WRITE, 'apps', `${WORKLOADS} deployments/rollback`),
  rule(WRITE, 'autoscaling', 'horizontalpodautoscalers'),
  rule(WRITE, 'batch', 'cronjobs jobs'),
  rule(WRITE, 'policy', 'poddisruptionbudgets'),
  rule(WRITE, 'networking.k8s.io', 'ingresses networkpolicies'),
  rule(ALL, 'coordination.k8s.io', 'leases'),
]

const ADMIN: readonly PolicyRule[] = [
  rule(['create'], 'authorization.k8s.io', 'localsubjectaccessreviews'),
  rule(ALL, RBAC_GROUP, 'rolebindings roles'),
]

const INFO = ['/healthz', '/livez', '/readyz', '/version', '/version/']
const DISCOVERY =
  '/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/'.split(' ')

const ISSUER_DISCOVERY = 'system:service-account-issuer-discovery'

/** The documents of the issuer, which verifiers of tokens read. */
export const ISSUER_PATHS = [
  '/.well-known/openid-configuration',
  '/.well-known/openid-configuration/',
  '/openid/v1/jwks',
  '/openid/v1/jwks/',
]

const label = (role: string): string => `${RBAC_GROUP}/aggregate-to-${role}`

function builtIn(kind: string, name: string, labels: Readonly<Record<string, string>> = {}) {
  return {
    kind,
    apiVersion: `${RBAC_GROUP}/v1`,
    metadata: {
      name,
      labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
      annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
    },
  }
}

/** A role that has its own rules; `into` names the role that it is a part of. */
const clusterRole = (name: string, rules: readonly PolicyRule[], into?: string): NewObject => ({
  ...builtIn('ClusterRole', name, into === undefined ? {} : { [label(into)]: 'true' }),
  rules,
})

/** A role that has the rules of all roles with its label. */
function aggregated(name: string, into?: string): NewObject {
  const { rules, ...role } = clusterRole(name, [], into)
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { [label(name)]: 'true' } }] }
  return { ...role, aggregationRule, rules }
}

const clusterRoleBinding = (name: string, groups: readonly string[], role = name): NewObject => ({
  ...builtIn('ClusterRoleBinding', name),
  roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: role },
  subjects: groups.map(each => ({ apiGroup: RBAC_GROUP, kind: 'Group', name: each })),
})

/** The ClusterRoles of a new cluster. */
export const BUILT_IN_ROLES: readonly NewObject[] = [
  clusterRole('cluster-admin', [
    { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
    { nonResourceURLs: ['*'], verbs: ['*'] },
  ]),
  aggregated('admin'),
  aggregated('edit', 'admin'),
  aggregated('view', 'edit'),
  clusterRole('system:aggregate-to-admin', ADMIN, 'admin'),
  clusterRole('system:aggregate-to-edit', EDIT, 'edit'),
  clusterRole('system:aggregate-to-view', VIEW, 'view'),
  clusterRole('system:auth-delegator', [
    rule(['create'], 'authentication.k8s.io', 'tokenreviews'),
    rule(['create'], 'authorization.k8s.io', 'subjectaccessreviews'),
  ]),
  clusterRole('system:basic-user', [
    rule(['create'], 'authorization.k8s.io', 'selfsubjectaccessreviews selfsubjectrulesreviews'),
    rule(['create'], 'authentication.k8s.io', 'selfsubjectreviews'),
  ]),
  clusterRole('system:discovery', [paths(DISCOVERY)]),
  clusterRole('system:public-info-viewer', [paths(INFO)]),
  clusterRole(ISSUER_DISCOVERY, [paths(ISSUER_PATHS)]),
]

/** The binding by which users may do everything in a namespace. */
export const namespaceAdmins = (namespace: string, users: readonly string[]): NewObject => ({
  kind: 'RoleBinding',
  apiVersion: `${RBAC_GROUP}/v1`,
  metadata: { name: 'oauth-lab:admins', namespace },
  roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: 'admin' },
  subjects: users.map(name => ({ apiGroup: RBAC_GROUP, kind: 'User', name })),
})

const EVERYBODY = ['system:authenticated', 'system:unauthenticated']

/** The ClusterRoleBindings of a new cluster. With public discovery, everybody reads the documents of the issuer. */
export function builtInBindings({
  publicDiscovery,
  tokens,
}: Pick<ClusterSettings, 'publicDiscovery' | 'tokens'>): NewObject[] {
  const hasReviewers = tokens.some(({ groups }) => groups.includes(REVIEWERS))
  return [
    clusterRoleBinding('cluster-admin', ['system:masters']),
    clusterRoleBinding('system:basic-user', ['system:authenticated']),
    clusterRoleBinding('system:discovery', ['system:authenticated']),
    clusterRoleBinding('system:public-info-viewer', EVERYBODY),
    clusterRoleBinding(ISSUER_DISCOVERY, ['system:serviceaccounts']),
    ...(publicDiscovery
      ? [clusterRoleBinding('oauth-lab:public-issuer-discovery', EVERYBODY, ISSUER_DISCOVERY)]
      : []),
    ...(hasReviewers ? [clusterRoleBinding(REVIEWERS, [REVIEWERS], 'system:auth-delegator')] : []),
  ]
}

/** Returns the rules of a role that has those of all roles with certain labels; undefined for any other role. */
function aggregatedRules(role: Role, roles: readonly Role[]): PolicyRule[] | undefined {
  const selectors = role.aggregationRule?.clusterRoleSelectors
  if (selectors === undefined) return undefined
  const chosen = roles.filter(
    each =>
      each !== role &&
      each.metadata.name !== role.metadata.name &&
      selectors.some(({ matchLabels = {} }) => {
        const wanted = Object.entries(matchLabels)
        return wanted.length > 0 && wanted.every(([name, value]) => each.metadata.labels?.[name] === value)
      }),
  )
  const rules = new Map<string, PolicyRule>()
  for (const { rules: own } of chosen) {
    for (const each of own ?? []) rules.set(JSON.stringify(defined(each)), each)
  }
  return [...rules.values()]
}

const asRole = (object: StoredObject | undefined) => object as unknown as Role | undefined
const asBindings = (objects: readonly StoredObject[]) => objects as unknown as readonly Binding[]

/** The roles and bindings of a store. */
export function storedRbac(store: () => Store): Rbac {
  return {
    role: (namespace, name) => asRole(store().get('roles', namespace, name)),
    clusterRole: name => asRole(store().get('clusterroles', '', name)),
    roleBindings: namespace => asBindings(store().list('rolebindings', namespace)),
    clusterRoleBindings: () => asBindings(store().list('clusterrolebindings')),
  }
}

/** Most rounds of aggregation: a role may be a part of a role that is a part of another. */
const MAX_ROUNDS = 8

/** Gives each ClusterRole with an aggregationRule the rules of the roles that it selects. */
export function aggregateRoles(store: Store): void {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const objects = store.list('clusterroles')
    const roles = objects as unknown as readonly Role[]
    let changed = false
    for (const object of objects) {
      const rules = aggregatedRules(object as unknown as Role, roles)
      if (rules === undefined || JSON.stringify(rules) === JSON.stringify(object.rules ?? [])) continue
      store.replace('clusterroles', { ...object, rules })
      changed = true
    }
    if (!changed) return
  }
}
