import type { UserInfo } from '../../shapes.js'
import { type FieldProblem, invalid, refusal } from '../api-error.js'
import type { Cluster } from '../call.js'
import { quote } from '../go/quote.js'
import { sameJson } from '../patch/json.js'
import { checkBinding, checkRole } from '../rbac/escalation.js'
import type { Binding, Role } from '../rbac/model.js'
import { bindingProblems, roleProblems } from '../rbac/validation.js'
import type { Resource } from '../resources.js'
import type { NewObject, StoredObject, StoredResource } from '../store/model.js'
import { nameProblems } from './object-names.js'

// The rules of each kind for its objects, beside the rules for objects of all kinds.

type Members = Readonly<Record<string, unknown>>

/** The type of a secret that holds a token of a service account. */
export const TOKEN_SECRET = 'kubernetes.io/service-account-token'

/** The annotation of such a secret that names its account. */
export const ACCOUNT_NAME = 'kubernetes.io/service-account.name'

const problem = (field: string, message: string, reason: FieldProblem['reason'] = 'FieldValueInvalid') => ({
  reason,
  field,
  message,
})

/** Members of a pod's spec that may change after its creation. */
const CHANGEABLE = ['activeDeadlineSeconds', 'terminationGracePeriodSeconds', 'tolerations']

const withoutImages = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(({ image: _image, ...rest }: Members) => rest) : value

function podProblems({ spec }: NewObject, before: StoredObject | undefined): FieldProblem[] {
  const { containers } = (spec ?? {}) as { containers?: readonly { name?: string; image?: string }[] }
  if (containers === undefined || containers.length === 0) {
    return [problem('spec.containers', 'Required value', 'FieldValueRequired')]
  }
  const problems = containers.flatMap((each, i) =>
    (['name', 'image'] as const)
      .filter(name => !each[name])
      .map(name => problem(`spec.containers[${i}].${name}`, 'Required value', 'FieldValueRequired')),
  )
  if (before === undefined) return problems
  const fixed = (value: unknown) => {
    const { containers, initContainers, ...rest } = value as Members
    const others = Object.fromEntries(Object.entries(rest).filter(([name]) => !CHANGEABLE.includes(name)))
    return { ...others, containers: withoutImages(containers), initContainers: withoutImages(initContainers) }
  }
  if (!sameJson(fixed(spec), fixed(before.spec))) {
    const message = `Forbidden: pod updates may not change fields other than \`spec.containers[*].image\`,\`spec.initContainers[*].image\`,\`spec.activeDeadlineSeconds\`,\`spec.tolerations\` (only additions to existing tolerations),\`spec.terminationGracePeriodSeconds\` (allow it to be set to 1 if it was previously negative)`
    problems.push(problem('spec', message, 'FieldValueForbidden'))
  }
  return problems
}

function secretProblems({ type, data, metadata, ...rest }: NewObject, before?: StoredObject): FieldProblem[] {
  const problems: FieldProblem[] = []
  if (before !== undefined && before.type !== type) {
    problems.push(problem('type', `Invalid value: ${quote(String(type))}: field is immutable`))
  }
  if (before?.immutable === true && (!sameJson(before.data, data) || rest.immutable !== true)) {
    problems.push(
      problem('data', 'Forbidden: field is immutable when `immutable` is set', 'FieldValueForbidden'),
    )
  }
  if (type === TOKEN_SECRET && !metadata.annotations?.[ACCOUNT_NAME]) {
    problems.push(problem(`metadata.annotations[${ACCOUNT_NAME}]`, 'Required value', 'FieldValueRequired'))
  }
  return problems
}

function leaseProblems({ spec }: NewObject): FieldProblem[] {
  const { leaseDurationSeconds: seconds, leaseTransitions: transitions } = (spec ?? {}) as Members
  const problems: FieldProblem[] = []
  if (typeof seconds === 'number' && seconds <= 0) {
    problems.push(problem('spec.leaseDurationSeconds', `Invalid value: ${seconds}: must be greater than 0`))
  }
  if (typeof transitions === 'number' && transitions < 0) {
    const message = `Invalid value: ${transitions}: must be greater than or equal to 0`
    problems.push(problem('spec.leaseTransitions', message))
  }
  return problems
}

function problemsOf(object: NewObject, before: StoredObject | undefined): FieldProblem[] {
  const unknown: unknown = object
  switch (object.kind) {
    case 'Pod':
      return podProblems(object, before)
    case 'Secret':
      return secretProblems(object, before)
    case 'Lease':
      return leaseProblems(object)
    case 'Role':
    case 'ClusterRole':
      return roleProblems(unknown as Role, object.kind === 'Role')
    case 'RoleBinding':
    case 'ClusterRoleBinding':
      return bindingProblems(unknown as Binding, object.kind === 'RoleBinding', before as Binding | undefined)
    default:
      return []
  }
}

function checkAccount({ store }: Cluster, { metadata, spec }: NewObject): void {
  const { namespace = '', name } = metadata
  const account = String((spec as Members).serviceAccountName)
  if (store.get('serviceaccounts', namespace, account) !== undefined) return
  const why = `error looking up service account ${namespace}/${account}: serviceaccount ${quote(account)} not found`
  throw refusal(403, 'Forbidden', `pods ${quote(name)} is forbidden: ${why}`, { name, kind: 'pods' })
}

/**
 * Checks an object before it is kept.
 * @param before the object that it replaces
 * @throws ApiError 422, or 403 for permissions that the user may not give away
 */
export function checkObject(
  cluster: Cluster,
  user: UserInfo,
  resource: Resource,
  object: NewObject,
  before?: StoredObject,
): void {
  const { namespace = '', name } = object.metadata
  const unknown: unknown = object
  const kept = { resource: resource.name as 'roles', namespace, name }
  const changed = (member: string) => before === undefined || !sameJson(before[member], object[member])
  if (
    (resource.kind === 'Role' || resource.kind === 'ClusterRole') &&
    (changed('rules') || changed('aggregationRule'))
  ) {
    checkRole(cluster.rbac, user, kept, unknown as Role)
  }
  const problems = [
    ...(before === undefined ? nameProblems(resource.kind, name) : []),
    ...problemsOf(object, before),
  ]
  if (problems.length > 0) throw invalid({ group: resource.group, name: resource.kind }, name, problems)
  if (resource.kind === 'RoleBinding' || resource.kind === 'ClusterRoleBinding') {
    if (changed('subjects') || changed('roleRef')) checkBinding(cluster.rbac, user, kept, unknown as Binding)
  }
  if (resource.kind === 'Pod' && before === undefined) checkAccount(cluster, object)
}

/** Kinds of an update that needs no version, and of one that creates a missing object. */
const VERSIONED: readonly StoredResource[] = ['leases']
const CREATED_ON_UPDATE: readonly StoredResource[] = [
  ...(['clusterrolebindings', 'clusterroles', 'events', 'leases', 'rolebindings', 'roles'] as const),
]

/** True when an update of this resource has to name the version that it changes. */
export const needsVersion = ({ name }: Resource): boolean => VERSIONED.includes(name as StoredResource)

/** True when PUT creates a missing object of this resource. */
export const createdOnUpdate = ({ name }: Resource): boolean =>
  CREATED_ON_UPDATE.includes(name as StoredResource)

/** True for kinds whose status has a path of its own, or is written by the server alone. */
export const hasStatus = ({ kind }: Resource): boolean =>
  ['Namespace', 'Node', 'Pod', 'Service'].includes(kind)

/** The parts of an object that a request sets: by the path of the status that alone, beside metadata; by its own path all but the status. */
export function settableParts<Parts extends Readonly<Record<string, unknown>>>(
  resource: Resource,
  object: Parts,
): Partial<Parts> {
  const { status, ...rest } = object
  if (resource.subresource !== 'status') return (hasStatus(resource) ? rest : object) as Partial<Parts>
  const { kind, apiVersion, metadata } = object
  return { kind, apiVersion, metadata, status } as unknown as Partial<Parts>
}
