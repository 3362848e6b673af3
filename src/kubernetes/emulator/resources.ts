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

const stored = ['create', 'delete', 'get', 'list'] as const
const created = ['create'] as const

/** All resources of this server, in the order of discovery. */
export const RESOURCES: readonly Resource[] = [
  {
    ...core,
    name: 'namespaces',
    singular: 'namespace',
    namespaced: false,
    kind: 'Namespace',
    verbs: stored,
    shortNames: ['ns'],
  },
  {
    ...core,
    name: 'nodes',
    singular: 'node',
    namespaced: false,
    kind: 'Node',
    verbs: stored,
    shortNames: ['no'],
  },
  {
    ...core,
    name: 'pods',
    singular: 'pod',
    namespaced: true,
    kind: 'Pod',
    verbs: stored,
    shortNames: ['po'],
    categories: ['all'],
  },
  { ...core, name: 'secrets', singular: 'secret', namespaced: true, kind: 'Secret', verbs: stored },
  {
    ...core,
    name: 'serviceaccounts',
    singular: 'serviceaccount',
    namespaced: true,
    kind: 'ServiceAccount',
    verbs: stored,
    shortNames: ['sa'],
  },
  {
    ...authentication,
    name: 'serviceaccounts',
    subresource: 'token',
    singular: '',
    namespaced: true,
    kind: 'TokenRequest',
    verbs: created,
  },
  // The list is always empty, but `kubectl cluster-info` reads it.
  {
    ...core,
    name: 'services',
    singular: 'service',
    namespaced: true,
    kind: 'Service',
    verbs: ['get', 'list'],
    shortNames: ['svc'],
    categories: ['all'],
  },
  {
    ...authentication,
    name: 'selfsubjectreviews',
    singular: 'selfsubjectreview',
    namespaced: false,
    kind: 'SelfSubjectReview',
    verbs: created,
  },
  {
    ...authentication,
    name: 'tokenreviews',
    singular: 'tokenreview',
    namespaced: false,
    kind: 'TokenReview',
    verbs: created,
  },
  {
    ...authorization,
    name: 'selfsubjectaccessreviews',
    singular: 'selfsubjectaccessreview',
    namespaced: false,
    kind: 'SelfSubjectAccessReview',
    verbs: created,
  },
  {
    ...authorization,
    name: 'selfsubjectrulesreviews',
    singular: 'selfsubjectrulesreview',
    namespaced: false,
    kind: 'SelfSubjectRulesReview',
    verbs: created,
  },
]

/** The group and version under whose path a resource lies; a subresource may be of another group. */
export function servedIn(resource: Resource): { readonly group: string; readonly version: string } {
  return resource.subresource === undefined ? resource : core
}

/** API groups beside the core one, in the order of discovery. */
export const GROUPS = [authentication, authorization] as const
