/** The version that the emulator reports, and behaves as. */
export const SERVER_VERSION = 'v1.32.13'

/** An API group with its version. The core group has no name. */
export interface GroupVersion {
  readonly group: string
  readonly version: string
}

/** A kind with its API group and version. */
export interface GroupVersionKind extends GroupVersion {
  readonly kind: string
}

/** A resource that the cluster serves, as discovery describes it. */
export interface Resource extends GroupVersionKind {
  readonly name: string
  readonly singular: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly subresource?: string
}

/** The apiVersion of a kind: `v1` in the core group, `authentication.k8s.io/v1`. */
export function apiVersionOf({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`
}

/** Reads an apiVersion; undefined for a text of more than two parts. */
export function groupVersionOf(apiVersion: string): GroupVersion | undefined {
  const [first = '', second, ...more] = apiVersion.split('/')
  if (more.length > 0) return undefined
  return second === undefined ? { group: '', version: first } : { group: first, version: second }
}

export const CORE: GroupVersion = { group: '', version: 'v1' }
const authentication: GroupVersion = { group: 'authentication.k8s.io', version: 'v1' }
const authorization: GroupVersion = { group: 'authorization.k8s.io', version: 'v1' }
const coordination: GroupVersion = { group: 'coordination.k8s.io', version: 'v1' }
const rbac: GroupVersion = { group: 'rbac.authorization.k8s.io', version: 'v1' }

/** API groups beside the core one, in the order of discovery. */
export const GROUPS: readonly GroupVersion[] = [authentication, authorization, coordination, rbac]

/** The verbs of objects that are kept, in the order of discovery, and of questions, which are answered and not kept. */
const KEPT = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']
const ASKED = ['create']

const CLUSTER = { namespaced: false }

/** A resource by its kind, inside of namespaces unless `more` says otherwise. */
function resource(
  of: GroupVersion,
  kind: string,
  verbs: readonly string[],
  more: Partial<Resource> = {},
): Resource {
  const singular = kind.toLowerCase()
  return { ...of, name: `${singular}s`, singular, namespaced: true, kind, verbs, ...more }
}

/** A resource with the status of its objects, which has a path of its own. */
function withStatus(whole: Resource): readonly Resource[] {
  const { group, version, name, namespaced, kind } = whole
  const status = { name, namespaced, singular: '', subresource: 'status' }
  return [whole, resource({ group, version }, kind, ['get', 'patch', 'update'], status)]
}

/** All resources of this server, in the order of discovery. */
export const RESOURCES: readonly Resource[] = [
  resource(CORE, 'ConfigMap', KEPT, { shortNames: ['cm'] }),
  resource(CORE, 'Event', KEPT, { shortNames: ['ev'] }),
  // Everything in a namespace goes with it, so that a client cannot delete all namespaces at once.
  ...withStatus(
    resource(
      CORE,
      'Namespace',
      KEPT.filter(each => each !== 'deletecollection'),
      { ...CLUSTER, shortNames: ['ns'] },
    ),
  ),
  ...withStatus(resource(CORE, 'Node', KEPT, { ...CLUSTER, shortNames: ['no'] })),
  ...withStatus(resource(CORE, 'Pod', KEPT, { shortNames: ['po'], categories: ['all'] })),
  resource(CORE, 'Secret', KEPT),
  resource(CORE, 'ServiceAccount', KEPT, { shortNames: ['sa'] }),
  resource(authentication, 'TokenRequest', ASKED, {
    name: 'serviceaccounts',
    singular: '',
    subresource: 'token',
  }),
  // The list is always empty, but `kubectl cluster-info` reads it.
  resource(CORE, 'Service', ['get', 'list', 'watch'], { shortNames: ['svc'], categories: ['all'] }),
  resource(authentication, 'SelfSubjectReview', ASKED, CLUSTER),
  resource(authentication, 'TokenReview', ASKED, CLUSTER),
  resource(authorization, 'LocalSubjectAccessReview', ASKED),
  resource(authorization, 'SelfSubjectAccessReview', ASKED, CLUSTER),
  resource(authorization, 'SelfSubjectRulesReview', ASKED, CLUSTER),
  resource(authorization, 'SubjectAccessReview', ASKED, CLUSTER),
  resource(coordination, 'Lease', KEPT),
  resource(rbac, 'ClusterRoleBinding', KEPT, CLUSTER),
  resource(rbac, 'ClusterRole', KEPT, CLUSTER),
  resource(rbac, 'RoleBinding', KEPT),
  resource(rbac, 'Role', KEPT),
]

/** The group and version under whose path a resource lies; a subresource may be of another group. */
export function servedIn(resource: Resource): GroupVersion {
  return resource.subresource === undefined ? resource : CORE
}

/** Kinds that the real server knows, by apiVersion. It calls any other kind in a body unregistered. */
const REGISTERED: Readonly<Record<string, string>> = {
  v1: 'Binding ConfigMap Endpoints Event Namespace Node Pod Secret Service ServiceAccount Status DeleteOptions List',
  'apps/v1': 'DaemonSet Deployment ReplicaSet StatefulSet',
  'authentication.k8s.io/v1': 'SelfSubjectReview TokenRequest TokenReview',
  'authentication.k8s.io/v1beta1': 'SelfSubjectReview TokenReview',
  'authentication.k8s.io/v1alpha1': 'SelfSubjectReview',
  'authorization.k8s.io/v1':
    'LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview',
  'coordination.k8s.io/v1': 'Lease',
  'rbac.authorization.k8s.io/v1': 'ClusterRole ClusterRoleBinding Role RoleBinding',
}

/** True for a kind that the real server knows in this version. */
export function isRegistered(kind: GroupVersionKind): boolean {
  const version = apiVersionOf(kind)
  const known = Object.hasOwn(REGISTERED, version) ? REGISTERED[version]!.split(' ') : []
  return known.includes(kind.kind) || (kind.kind === 'DeleteOptions' && kind.version !== '')
}
