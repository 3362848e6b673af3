import type { UserInfo } from '../../shapes.js'
import { quote } from '../go/quote.js'
import { accountName } from '../service-account-token.js'
import { type Action, type Binding, type PolicyRule, RBAC_GROUP, type Rbac, type Subject } from './model.js'
import { allows } from './rules.js'

/** The answer to the question whether a user may perform an action, with the reason in the real server's text. */
export interface Decision {
  readonly allowed: boolean
  /** Empty where no reason is given. */
  readonly reason: string
}

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

/** Decides if a user may perform an action, by the roles that are bound to the user and its groups. */
export function decide(rbac: Rbac, user: UserInfo, action: Action): Decision {
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
    rules.push(...grant.rules)
    return false
  })
  return problems.length === 0 ? { rules } : { rules, problem: joined(problems) }
}
