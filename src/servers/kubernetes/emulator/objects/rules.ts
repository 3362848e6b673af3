import { quote } from '../../encoding/go-json.js'
import {
  type FieldProblem,
  forbiddenObject,
  invalid,
  notAllowed,
  required,
  wrongValue,
} from '../api-error.js'
import type { Call, Cluster } from '../call.js'
import type { Binding, Role } from '../rbac/authorizer.js'
import { bindingProblems, checkBinding, checkRole, roleProblems } from '../rbac/role-checks.js'
import type { Resource } from '../resources.js'
import type { NewObject, StoredObject } from '../store/store.js'
import { sameJson } from './patches.js'

// The rules of each kind for its objects, beside the rules for objects of all kinds.

type Members = Readonly<Record<string, unknown>>

/** The type of a secret that holds a token of a service account. */
export const TOKEN_SECRET = 'kubernetes.io/service-account-token'

/** The annotation of such a secret that names its account. */
export const ACCOUNT_NAME = 'kubernetes.io/service-account.name'

/** Members of a pod's spec that may change after its creation. */
const CHANGEABLE = ['activeDeadlineSeconds', 'terminationGracePeriodSeconds', 'tolerations']

const withoutImages = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(({ image: _image, ...rest }: Members) => rest) : value

function podProblems({ spec }: NewObject, before: StoredObject | undefined): FieldProblem[] {
  const { containers } = (spec ?? {}) as { containers?: readonly { name?: string; image?: string }[] }
  if (containers === undefined || containers.length === 0) {
    return [required('spec.containers')]
  }
  const problems = containers.flatMap((each, i) =>
    (['name', 'image'] as const)
      .filter(name => !each[name])
      .map(name => required(`spec.containers[${i}].${name}`)),
  )
  if (before === undefined) return problems
  const fixed = (value: unknown) => {
    const { containers, initContainers, ...rest } = value as Members
    const others = Object.fromEntries(Object.entries(rest).filter(([name]) => !CHANGEABLE.includes(name)))
    return { ...others, containers: withoutImages(containers), initContainers: withoutImages(initContainers) }
  }
  if (!sameJson(fixed(spec), fixed(before.spec))) {
    const message = `pod updates may not change fields other than \`spec.containers[*].image\`,\`spec.initContainers[*].image\`,\`spec.activeDeadlineSeconds\`,\`spec.tolerations\` (only additions to existing tolerations),\`spec.terminationGracePeriodSeconds\` (allow it to be set to 1 if it was previously negative)`
    problems.push(notAllowed('spec', message))
  }
  return problems
}

function secretProblems({ type, data, metadata, ...rest }: NewObject, before?: StoredObject): FieldProblem[] {
  const problems: FieldProblem[] = []
  if (before !== undefined && before.type !== type) {
    problems.push(wrongValue('type', quote(String(type)), 'field is immutable'))
  }
  if (before?.immutable === true && (!sameJson(before.data, data) || rest.immutable !== true)) {
    problems.push(notAllowed('data', 'field is immutable when `immutable` is set'))
  }
  if (type === TOKEN_SECRET && !metadata.annotations?.[ACCOUNT_NAME]) {
    problems.push(required(`metadata.annotations[${ACCOUNT_NAME}]`))
  }
  return problems
}

function leaseProblems({ spec }: NewObject): FieldProblem[] {
  const { leaseDurationSeconds: seconds, leaseTransitions: transitions } = (spec ?? {}) as Members
  const problems: FieldProblem[] = []
  if (typeof seconds === 'number' && seconds <= 0) {
    problems.push(wrongValue('spec.leaseDurationSeconds', seconds, 'must be greater than 0'))
  }
  if (typeof transitions === 'number' && transitions < 0) {
    problems.push(wrongValue('spec.leaseTransitions', transitions, 'must be greater than or equal to 0'))
  }
  return problems
}

/** The rules of a kind. `before` is the object that the new one replaces. */
const RULES: Readonly<Record<string, (object: NewObject, before?: StoredObject) => FieldProblem[]>> = {
  Pod: podProblems,
  Secret: secretProblems,
  Lease: leaseProblems,
  Role: object => roleProblems(object as unknown as Role, true),
  ClusterRole: object => roleProblems(object as unknown as Role, false),
  RoleBinding: (object, before) =>
    bindingProblems(object as unknown as Binding, true, before as Binding | undefined),
  ClusterRoleBinding: (object, before) =>
    bindingProblems(object as unknown as Binding, false, before as Binding | undefined),
}

function checkAccount({ store }: Cluster, { metadata, spec }: NewObject): void {
  const { namespace = '', name } = metadata
  const account = String((spec as Members).serviceAccountName)
  if (store.get('serviceaccounts', namespace, account) !== undefined) return
  const why = `error looking up service account ${namespace}/${account}: serviceaccount ${quote(account)} not found`
  throw forbiddenObject({ group: '', name: 'pods' }, name, why)
}

/**
 * Checks an object before it is kept.
 * @param before the object that it replaces
 * @throws ApiError 422, or 403 for permissions that the user may not give away
 */
export function checkObject(
  { cluster, user, resource: { kind, group, name: resource } }: Call,
  object: NewObject,
  before?: StoredObject,
): void {
  const { namespace = '', name } = object.metadata
  const unknown: unknown = object
  const kept = { resource: resource as 'roles', namespace, name }
  const changed = (member: string) => before === undefined || !sameJson(before[member], object[member])
  if ((kind === 'Role' || kind === 'ClusterRole') && (changed('rules') || changed('aggregationRule'))) {
    checkRole(cluster.rbac, user, kept, unknown as Role)
  }
  const problems = [
    ...(before === undefined ? nameProblems(kind, name) : []),
    ...(RULES[object.kind]?.(object, before) ?? []),
  ]
  if (problems.length > 0) throw invalid({ group, name: kind }, name, problems)
  if (kind === 'RoleBinding' || kind === 'ClusterRoleBinding') {
    if (changed('subjects') || changed('roleRef')) checkBinding(cluster.rbac, user, kept, unknown as Binding)
  }
  if (kind === 'Pod' && before === undefined) checkAccount(cluster, object)
}

/** True when an update of this resource has to name the version that it changes. */
export const needsVersion = ({ kind }: Resource): boolean => kind === 'Lease'

/** True when PUT creates a missing object of this resource. */
export const createdOnUpdate = ({ kind }: Resource): boolean =>
  RBAC_KINDS.includes(kind) || kind === 'Event' || kind === 'Lease'

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

// Names of objects (RFC 1123), with the text of the real server's errors.

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`

const rules = {
  label: {
    pattern: new RegExp(`^${LABEL}$`),
    longest: 63,
    message: `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL}')`,
  },
  subdomain: {
    pattern: new RegExp(`^${SUBDOMAIN}$`),
    longest: 253,
    message: `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${SUBDOMAIN}')`,
  },
} as const

const RBAC_KINDS = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding']

/** The problem of a name that only has to fit into a path, such as `system:basic-user`. */
function segmentProblem(name: string): string | undefined {
  if (name === '.' || name === '..') return `may not be '${name}'`
  const bad = ['/', '%'].find(each => name.includes(each))
  return bad && `may not contain '${bad}'`
}

function nameProblem(kind: string, name: string): string | undefined {
  if (RBAC_KINDS.includes(kind)) return segmentProblem(name)
  const { pattern, longest, message } = kind === 'Namespace' ? rules.label : rules.subdomain
  // The length is checked first, so that the pattern runs only on short names.
  if (name.length > longest) return `must be no more than ${longest} characters`
  return pattern.test(name) ? undefined : message
}

/** The problems of a new object's name. */
function nameProblems(kind: string, name: string): FieldProblem[] {
  if (name === '') return [required('metadata.name', 'name or generateName is required')]
  const problem = nameProblem(kind, name)
  return problem === undefined ? [] : [wrongValue('metadata.name', quote(name), problem)]
}

const SUFFIX = 'bcdfghjklmnpqrstvwxz2456789'

/** A random name with the prefix that the client sent as `generateName`. */
export function generatedName(prefix: string, random: (length: number) => Uint8Array): string {
  return prefix.slice(0, 58) + [...random(5)].map(byte => SUFFIX[byte % SUFFIX.length]).join('')
}
