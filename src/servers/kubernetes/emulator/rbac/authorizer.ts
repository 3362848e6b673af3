import { quote } from '../../encoding/go-json.js'
import type { UserInfo } from '../../shapes.js'
import { accountName } from '../service-account-token.js'

/** The group whose members may do everything, with or without a role. */
export const MASTERS = 'system:masters'

/** A role that a user has, by a binding. */
interface Grant {
  readonly rules: readonly PolicyRule[]
  readonly binding: Binding
  readonly subject: Subject
}

/** True when a subject means the user. */
function means(subject: Subject, { username, groups = [] }: UserInfo, namespace: string): boolean {
  if (subject.kind === 'User') return subject.name === username
  if (subject.kind === 'Group') return groups.includes(subject.name)
  const inside = subject.namespace || namespace
  return subject.kind === 'ServiceAccount' && inside !== '' && accountName(inside, subject.name) === username
}

/**
 * Visits the roles of a user: those of all namespaces first, then those of one.
 * @param visit returns true to end the visit
 * @returns the problems with bindings whose role is missing
 */
function visitGrants(
  rbac: Rbac,
  user: UserInfo,
  namespace: string,
  visit: (grant: Grant) => boolean,
): string[] {
  const problems: string[] = []
  const bindings = [...rbac.clusterRoleBindings(), ...(namespace === '' ? [] : rbac.roleBindings(namespace))]
  for (const binding of bindings) {
    const inside = binding.metadata.namespace ?? ''
    const subject = binding.subjects?.find(each => means(each, user, inside))
    if (subject === undefined) continue
    const { kind, name } = binding.roleRef
    const role = kind === 'ClusterRole' ? rbac.clusterRole(name) : rbac.role(inside, name)
    if (role === undefined) {
      problems.push(`${kind.toLowerCase()}.${RBAC_GROUP} ${quote(name)} not found`)
      continue
    }
    if (visit({ rules: role.rules ?? [], binding, subject })) return problems
  }
  return problems
}

function described({ binding: { metadata, roleRef }, subject }: Grant): string {
  const { name, namespace } = metadata
  const bound =
    namespace === undefined
      ? `ClusterRoleBinding ${quote(name)}`
      : `RoleBinding ${quote(`${name}/${namespace}`)}`
  const who =
    subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace || namespace}` : subject.name
  return `${bound} of ${roleRef.kind} ${quote(roleRef.name)} to ${subject.kind} ${quote(who)}`
}

const joined = (problems: readonly string[]): string => {
  const distinct = [...new Set(problems)]
  return distinct.length === 1 ? distinct[0]! : `[${distinct.join(', ')}]`
}

/**
 * Decides if a user may perform an action, by the roles that are bound to the user and its groups.
 * @returns the reason in the real server's text; empty where no reason is given
 */
export function decide(rbac: Rbac, user: UserInfo, action: Action) {
  if (user.groups?.includes(MASTERS)) return { allowed: true, reason: '' }
  let allowed: Grant | undefined
  const namespace = 'path' in action ? '' : action.namespace
  const problems = visitGrants(rbac, user, namespace, grant => {
    if (grant.rules.some(rule => allows(rule, action))) allowed = grant
    return allowed !== undefined
  })
  if (allowed !== undefined) return { allowed: true, reason: `RBAC: allowed by ${described(allowed)}` }
  return { allowed: false, reason: problems.length === 0 ? '' : `RBAC: ${joined(problems)}` }
}

/** Returns all rules of a user in a namespace, and the problems with bindings whose role is missing. */
export function rulesOf(
  rbac: Rbac,
  user: UserInfo,
  namespace: string,
): { readonly rules: readonly PolicyRule[]; readonly problem?: string } {
  const rules: PolicyRule[] = []
  const problems = visitGrants(rbac, user, namespace, grant => {
    for (const each of grant.rules) rules.push(each)
    return false
  })
  return problems.length === 0 ? { rules } : { rules, problem: joined(problems) }
}

const has = (values: readonly string[] | undefined, wanted: string): boolean =>
  values?.some(each => each === '*' || each === wanted) === true

/** True when a rule has a resource: by its name, with its subresource, or the subresource of every resource. */
function hasResource({ resources }: PolicyRule, { resource, subresource }: ResourceAction): boolean {
  const combined = subresource === '' ? resource : `${resource}/${subresource}`
  return has(resources, combined) || (subresource !== '' && resources?.includes(`*/${subresource}`) === true)
}

/** True when a rule has a path; `/apis/*` has every path below it. */
function hasPath({ nonResourceURLs = [] }: PolicyRule, path: string): boolean {
  return nonResourceURLs.some(
    each => each === '*' || each === path || (each.endsWith('*') && path.startsWith(each.replace(/\*$/, ''))),
  )
}

/** True when a rule allows an action. The namespace is a matter of the binding. */
function allows(rule: PolicyRule, action: Action): boolean {
  if (!has(rule.verbs, action.verb)) return false
  if ('path' in action) return hasPath(rule, action.path)
  const { resourceNames = [] } = rule
  return (
    has(rule.apiGroups, action.group) &&
    hasResource(rule, action) &&
    (resourceNames.length === 0 || resourceNames.includes(action.name))
  )
}

/** True when a rule that may be wider has everything of a rule of one verb, one group and resource, or one path. */
function covers(owned: PolicyRule, wanted: PolicyRule): boolean {
  const [verb = ''] = wanted.verbs
  if (!has(owned.verbs, verb)) return false
  const [path] = wanted.nonResourceURLs ?? []
  if (path !== undefined) return hasPath(owned, path)
  const [group = ''] = wanted.apiGroups ?? []
  const [combined = ''] = wanted.resources ?? []
  const [, subresource = ''] = combined.split('/')
  const names = owned.resourceNames ?? []
  const [name] = wanted.resourceNames ?? []
  return (
    has(owned.apiGroups, group) &&
    (has(owned.resources, combined) ||
      (subresource !== '' && owned.resources?.includes(`*/${subresource}`) === true)) &&
    (names.length === 0 || (name !== undefined && names.includes(name)))
  )
}

/** Largest number of single rules that a role is compared by: a role of more of them has to be split. */
const MAX_SINGLE_RULES = 10_000

/** The rules of one verb and one object or path each that a rule stands for. */
function* singleRules(rule: PolicyRule): Generator<PolicyRule> {
  const names = rule.resourceNames?.length ? rule.resourceNames.map(each => [each]) : [undefined]
  for (const verb of rule.verbs) {
    for (const path of rule.nonResourceURLs ?? []) yield { verbs: [verb], nonResourceURLs: [path] }
    for (const group of rule.apiGroups ?? []) {
      for (const resource of rule.resources ?? []) {
        for (const resourceNames of names) {
          const single = { verbs: [verb], apiGroups: [group], resources: [resource] }
          yield resourceNames === undefined ? single : { ...single, resourceNames }
        }
      }
    }
  }
}

/** Returns the single rules of `wanted` that `owned` does not cover, or undefined when they are too many to compare. */
export function uncovered(
  owned: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): PolicyRule[] | undefined {
  const missing: PolicyRule[] = []
  let compared = 0
  for (const rule of wanted) {
    for (const single of singleRules(rule)) {
      compared += 1
      if (compared > MAX_SINGLE_RULES) return undefined
      if (!owned.some(each => covers(each, single))) missing.push(single)
    }
  }
  return missing
}

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
interface Subject {
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
