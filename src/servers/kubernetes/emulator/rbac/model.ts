// The objects of role-based access control (rbac.authorization.k8s.io/v1), in the members that are used.

export const RBAC_GROUP = 'rbac.authorization.k8s.io'

/** The actions that a role allows: `*` stands for everything; a path may end in `*`. */
export interface PolicyRule {
  readonly verbs: readonly string[]
  readonly apiGroups?: readonly string[]
  /** Resources and subresources such as `pods/log`; a subresource of every resource is `*` with a slash and its name. */
  readonly resources?: readonly string[]
  /** Left out: objects of every name. */
  readonly resourceNames?: readonly string[]
  readonly nonResourceURLs?: readonly string[]
}

/** A Role or a ClusterRole. */
export interface Role {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> }
  readonly rules?: readonly PolicyRule[] | null
  /** The labels of the ClusterRoles whose rules this one has. */
  readonly aggregationRule?: {
    readonly clusterRoleSelectors?: readonly {
      readonly matchLabels?: Readonly<Record<string, string>>
    }[]
  }
}

/** A user, a group or a service account that a binding gives a role to. */
export interface Subject {
  readonly kind: string
  readonly apiGroup?: string
  readonly name: string
  readonly namespace?: string
}

/** A RoleBinding or a ClusterRoleBinding. */
export interface Binding {
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly roleRef: { readonly apiGroup: string; readonly kind: string; readonly name: string }
  readonly subjects?: readonly Subject[]
}

/** An action on a resource. Empty texts stand for absent parts. */
export interface ResourceAction {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
}

/** An action that a user wants to perform: on a resource, or on a path that names none. */
export type Action = ResourceAction | { readonly verb: string; readonly path: string }

/** The roles and bindings that decisions are made of. */
export interface Rbac {
  role(namespace: string, name: string): Role | undefined
  clusterRole(name: string): Role | undefined
  roleBindings(namespace: string): readonly Binding[]
  clusterRoleBindings(): readonly Binding[]
}
