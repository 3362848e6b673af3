/** A kind with its API group and version. */
export interface GroupVersionKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** The apiVersion of a kind: `v1` in the core group, `authentication.k8s.io/v1`. */
export function apiVersionOf({ group, version }: Pick<GroupVersionKind, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`
}

/** Kinds that the real server knows, by apiVersion. It calls any other kind in a body unregistered. */
const REGISTERED: Readonly<Record<string, readonly string[]>> = {
  v1: [
    'Binding',
    'ConfigMap',
    'Endpoints',
    'Event',
    'Namespace',
    'Node',
    'Pod',
    'Secret',
    'Service',
    'ServiceAccount',
    'Status',
    'DeleteOptions',
    'List',
  ],
  'apps/v1': ['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  'authentication.k8s.io/v1': ['SelfSubjectReview', 'TokenRequest', 'TokenReview'],
  'authentication.k8s.io/v1beta1': ['SelfSubjectReview', 'TokenReview'],
  'authentication.k8s.io/v1alpha1': ['SelfSubjectReview'],
  'coordination.k8s.io/v1': ['Lease'],
  'rbac.authorization.k8s.io/v1': ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  'authorization.k8s.io/v1': [
    'LocalSubjectAccessReview',
    'SelfSubjectAccessReview',
    'SelfSubjectRulesReview',
    'SubjectAccessReview',
  ],
}

/** True for a kind that the real server knows in this version. */
export function isRegistered(kind: GroupVersionKind): boolean {
  const version = apiVersionOf(kind)
  return (
    (Object.hasOwn(REGISTERED, version) && REGISTERED[version]!.includes(kind.kind)) ||
    (kind.kind === 'DeleteOptions' && kind.version !== '')
  )
}

/** The Go package of the server's own form of a group, which conversion errors name. */
export function internalPackage(group: string): string {
  return group === '' ? 'core' : (group.split('.')[0] ?? group)
}
