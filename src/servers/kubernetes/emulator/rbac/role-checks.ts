import { defined } from '../../../../protocol/values.js'
import { quote, quoteList } from '../../encoding/go-json.js'
import type { UserInfo } from '../../shapes.js'
import {
  type FieldProblem,
  forbiddenObject,
  type GroupName,
  notFound,
  notSupported,
  required,
  wrongValue,
} from '../api-error.js'
import {
  type Binding,
  decide,
  MASTERS,
  type PolicyRule,
  RBAC_GROUP,
  type Rbac,
  type Role,
  rulesOf,
  uncovered,
} from './authorizer.js'

// A user may give away only what the user has: else `create rolebindings` would be worth cluster-admin.

/** The object that a user wants to keep. */
interface Kept {
  readonly resource: 'clusterrolebindings' | 'clusterroles' | 'rolebindings' | 'roles'
  readonly namespace: string
  readonly name: string
}

function written(rule: PolicyRule): string {
  const lists = {
    APIGroups: rule.apiGroups,
    Resources: rule.resources,
    NonResourceURLs: rule.nonResourceURLs,
    ResourceNames: rule.resourceNames,
    Verbs: rule.verbs,
  }
  const shown = Object.entries(defined(lists)).map(([name, values]) => `${name}:${quoteList(values ?? [])}`)
  return `{${shown.join(', ')}}`
}

/** Puts the verbs of rules that are the same otherwise together. */
function compact(rules: readonly PolicyRule[]): PolicyRule[] {
  const found = new Map<string, PolicyRule>()
  for (const { verbs, ...rest } of rules) {
    const key = JSON.stringify(rest)
    const before = found.get(key)
    found.set(key, { ...rest, verbs: [...(before?.verbs ?? []), ...verbs] })
  }
  return [...found.values()]
}

/** Longest list of missing permissions in a message. */
const MAX_SHOWN = 20

const named = ({ resource }: Pick<Kept, 'resource'>): GroupName => ({ group: RBAC_GROUP, name: resource })

const forbidden = (kept: Kept, problem: string) => forbiddenObject(named(kept), kept.name, problem)

function checkHeld(rbac: Rbac, user: UserInfo, kept: Kept, wanted: readonly PolicyRule[]): void {
  const owned = rulesOf(rbac, user, kept.namespace).rules
  const missing = uncovered(owned, wanted)
  if (missing?.length === 0) return
  const who = `user ${quote(user.username ?? '')} (groups=${quoteList(user.groups ?? [])})`
  const attempt = `${who} is attempting to grant RBAC permissions not currently held`
  if (missing === undefined) throw forbidden(kept, `${attempt}: the rules are too many to compare`)
  const lines = compact(missing).slice(0, MAX_SHOWN).map(written)
  throw forbidden(kept, [`${attempt}:`, ...lines].join('\n'))
}

const isExempt = (rbac: Rbac, user: UserInfo, verb: string, kept: Kept): boolean =>
  decide(rbac, user, { ...kept, verb, group: RBAC_GROUP, subresource: '' }).allowed

/**
 * Checks that a user may keep a role: the user has its permissions already, or may `escalate`.
 * @throws ApiError 403
 */
export function checkRole(rbac: Rbac, user: UserInfo, kept: Kept, role: Role): void {
  if (isExempt(rbac, user, 'escalate', kept)) return
  if (role.aggregationRule !== undefined) {
    const everything = [
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['*'], nonResourceURLs: ['*'] },
    ]
    if (uncovered(rulesOf(rbac, user, kept.namespace).rules, everything)?.length !== 0) {
      throw forbidden(kept, 'must have cluster-admin privileges to use an aggregationRule')
    }
  }
  checkHeld(rbac, user, kept, role.rules ?? [])
}

/**
 * Checks that a user may keep a binding: the user has the permissions of its role already, or may `bind` that role.
 * @throws ApiError 403
 */
export function checkBinding(rbac: Rbac, user: UserInfo, kept: Kept, { roleRef }: Binding): void {
  if (user.groups?.includes(MASTERS)) return
  const { kind, name } = roleRef
  const resource = kind === 'ClusterRole' ? 'clusterroles' : 'roles'
  if (isExempt(rbac, user, 'bind', { resource, namespace: kept.namespace, name })) return
  const role = kind === 'ClusterRole' ? rbac.clusterRole(name) : rbac.role(kept.namespace, name)
  if (role === undefined) throw notFound(named({ resource }), name)
  checkHeld(rbac, user, kept, role.rules ?? [])
}

// The rules of roles and bindings, with the text of the real server's errors.

const unsupported = (field: string, value: string, allowed: readonly string[]): FieldProblem =>
  notSupported(field, quote(value), allowed)

function ruleProblems(rule: PolicyRule, field: string, namespaced: boolean): FieldProblem[] {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule
  const problems: FieldProblem[] = []
  if (verbs.length === 0) problems.push(required(`${field}.verbs`, 'verbs must contain at least one value'))
  if (nonResourceURLs.length > 0) {
    const shown = `[]string{${nonResourceURLs.map(quote).join(', ')}}`
    const wrong = (problem: string) => problems.push(wrongValue(`${field}.nonResourceURLs`, shown, problem))
    if (namespaced) wrong('namespaced rules cannot apply to non-resource URLs')
    if (apiGroups.length + resources.length + resourceNames.length > 0) {
      wrong('rules cannot apply to both regular resources and non-resource URLs')
    }
    return problems
  }
  if (apiGroups.length === 0) {
    problems.push(required(`${field}.apiGroups`, 'resource rules must supply at least one api group'))
  }
  if (resources.length === 0) {
    problems.push(required(`${field}.resources`, 'resource rules must supply at least one resource'))
  }
  return problems
}

/** The problems of a role. */
export function roleProblems({ rules }: Role, namespaced: boolean): FieldProblem[] {
  return (rules ?? []).flatMap((rule, i) => ruleProblems(rule, `rules[${i}]`, namespaced))
}

const SUBJECT_KINDS = ['ServiceAccount', 'User', 'Group']

function subjectProblems(binding: Binding, namespaced: boolean): FieldProblem[] {
  return (binding.subjects ?? []).flatMap((subject, i) => {
    const field = `subjects[${i}]`
    const { kind = '', name = '', apiGroup = '', namespace = '' } = subject
    const problems = name === '' ? [required(`${field}.name`)] : []
    const account = kind === 'ServiceAccount'
    if (!SUBJECT_KINDS.includes(kind)) problems.push(unsupported(`${field}.kind`, kind, SUBJECT_KINDS))
    else if (apiGroup !== (account ? '' : RBAC_GROUP)) {
      problems.push(unsupported(`${field}.apiGroup`, apiGroup, [account ? '' : RBAC_GROUP]))
    }
    if (account && !namespaced && namespace === '') problems.push(required(`${field}.namespace`))
    return problems
  })
}

/**
 * The problems of a binding.
 * @param before the binding that it replaces: its role is fixed
 */
export function bindingProblems(binding: Binding, namespaced: boolean, before?: Binding): FieldProblem[] {
  const { apiGroup = '', kind = '', name = '' } = binding.roleRef ?? {}
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole']
  const problems: FieldProblem[] = []
  if (apiGroup !== RBAC_GROUP) problems.push(unsupported('roleRef.apiGroup', apiGroup, [RBAC_GROUP]))
  if (!kinds.includes(kind)) problems.push(unsupported('roleRef.kind', kind, kinds))
  if (name === '') problems.push(required('roleRef.name'))
  const old = before?.roleRef
  if (old !== undefined && (old.kind !== kind || old.name !== name || old.apiGroup !== apiGroup)) {
    const value = `rbac.RoleRef{APIGroup:${quote(apiGroup)}, Kind:${quote(kind)}, Name:${quote(name)}}`
    problems.push(wrongValue('roleRef', value, 'cannot change roleRef'))
  }
  return [...problems, ...subjectProblems(binding, namespaced)]
}

/** Adds the API groups that clients may leave out of a binding. */
export function withGroups<Kind extends object>(binding: Kind): Kind {
  const { roleRef, subjects } = binding as Partial<Binding>
  return {
    ...binding,
    ...(roleRef && { roleRef: { ...roleRef, apiGroup: roleRef.apiGroup || RBAC_GROUP } }),
    ...(subjects && {
      subjects: subjects.map(each =>
        each.kind === 'User' || each.kind === 'Group'
          ? { ...each, apiGroup: each.apiGroup || RBAC_GROUP }
          : each,
      ),
    }),
  }
}
