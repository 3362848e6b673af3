import type { FieldProblem } from '../api-error.js'
import { quote } from '../go/quote.js'
import { type Binding, type PolicyRule, RBAC_GROUP, type Role } from './model.js'

// The rules of roles and bindings, with the text of the real server's errors.

const required = (field: string, hint = ''): FieldProblem => ({
  reason: 'FieldValueRequired',
  field,
  message: hint === '' ? 'Required value' : `Required value: ${hint}`,
})

const unsupported = (field: string, value: string, allowed: readonly string[]): FieldProblem => ({
  reason: 'FieldValueNotSupported',
  field,
  message: `Unsupported value: ${quote(value)}: supported values: ${allowed.map(quote).join(', ')}`,
})

const goList = (values: readonly string[]): string => `[]string{${values.map(quote).join(', ')}}`

function ruleProblems(rule: PolicyRule, field: string, namespaced: boolean): FieldProblem[] {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule
  const problems: FieldProblem[] = []
  if (verbs.length === 0) problems.push(required(`${field}.verbs`, 'verbs must contain at least one value'))
  if (nonResourceURLs.length > 0) {
    const wrong = (problem: string): void => {
      const message = `Invalid value: ${goList(nonResourceURLs)}: ${problem}`
      problems.push({ reason: 'FieldValueInvalid', field: `${field}.nonResourceURLs`, message })
    }
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
    const message = `Invalid value: ${value}: cannot change roleRef`
    problems.push({ reason: 'FieldValueInvalid', field: 'roleRef', message })
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
