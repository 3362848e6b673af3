import type { GroupVersionKind } from './kinds.js'

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

const core = { group: '', version: 'v1' } as const
const authentication = { group: 'authentication.k8s.io', version: 'v1' } as const
const authorization = { group: 'authorization.k8s.io', version: 'v1' } as const

const coordination = { group: 'coordination.k8s.io', version: 'v1' } as const
const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1' } as const

type GroupVersion = Pick<GroupVersionKind, 'group' | 'version'>

type More = Pick<Resource, 'categories' | 'shortNames'>

/** The verbs of objects that are kept, in the order of discovery. */
const STORED = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const

/** A resource whose objects are kept. */
function stored(of: GroupVersion, kind: string, namespaced: boolean, more: More = {}): Resource {
  const singular = kind.toLowerCase()
  return { ...of, name: `${singular}s`, singular, namespaced, kind, verbs: STORED, ...more }
}

/** The status of objects that are kept, which has a path of its own. */
function statusOf(resource: Resource): Resource {
  const { group, version, name, namespaced, kind } = resource
  const verbs = ['get', 'patch', 'update']
  return { group, version, name, subresource: 'status', singular: '', namespaced, kind, verbs }
}

/** A resource with the status of its objects. */
const withStatus = (resource: Resource): readonly Resource[] => [resource, statusOf(resource)]

/** A resource of questions, which are answered and not kept. */
function asked(of: GroupVersion, kind: string, namespaced = false): Resource {
  const singular = kind.toLowerCase()
  return { ...of, name: `${singular}s`, singular, namespaced, kind, verbs: ['create'] }
}

const CLUSTER = false
const NAMESPACED = true

/** All resources of this server, in the order of discovery. */
export const RESOURCES: readonly Resource[] = [
  stored(core, 'ConfigMap', NAMESPACED, { shortNames: ['cm'] }),
  stored(core, 'Event', NAMESPACED, { shortNames: ['ev'] }),
  // Everything in a namespace goes with it, so that a client cannot delete all namespaces at once.
  ...withStatus({
    ...stored(core, 'Namespace', CLUSTER, { shortNames: ['ns'] }),
    verbs: STORED.filter(each => each !== 'deletecollection'),
  }),
  ...withStatus(stored(core, 'Node', CLUSTER, { shortNames: ['no'] })),
  ...withStatus(stored(core, 'Pod', NAMESPACED, { shortNames: ['po'], categories: ['all'] })),
  stored(core, 'Secret', NAMESPACED),
  stored(core, 'ServiceAccount', NAMESPACED, { shortNames: ['sa'] }),
  {
    ...authentication,
    name: 'serviceaccounts',
    subresource: 'token',
    singular: '',
    namespaced: true,
    kind: 'TokenRequest',
    verbs: ['create'],
  },
  // The list is always empty, but `kubectl cluster-info` reads it.
  {
    ...stored(core, 'Service', NAMESPACED, { shortNames: ['svc'], categories: ['all'] }),
    verbs: ['get', 'list', 'watch'],
  },
  asked(authentication, 'SelfSubjectReview'),
  asked(authentication, 'TokenReview'),
  asked(authorization, 'LocalSubjectAccessReview', NAMESPACED),
  asked(authorization, 'SelfSubjectAccessReview'),
  asked(authorization, 'SelfSubjectRulesReview'),
  asked(authorization, 'SubjectAccessReview'),
  stored(coordination, 'Lease', NAMESPACED),
  stored(rbac, 'ClusterRoleBinding', CLUSTER),
  stored(rbac, 'ClusterRole', CLUSTER),
  stored(rbac, 'RoleBinding', NAMESPACED),
  stored(rbac, 'Role', NAMESPACED),
]

/** The group and version under whose path a resource lies; a subresource may be of another group. */
export function servedIn(resource: Resource): { readonly group: string; readonly version: string } {
  return resource.subresource === undefined ? resource : core
}

/** API groups beside the core one, in the order of discovery. */
export const GROUPS = [authentication, authorization, coordination, rbac] as const
