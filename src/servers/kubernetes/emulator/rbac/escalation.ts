import { defined } from '../../../../protocol/values.js'
import type { UserInfo } from '../../shapes.js'
import { type ApiError, refusal } from '../api-error.js'
import { quote, quoteList } from '../go/quote.js'
import { decide, MASTERS, rulesOf } from './authorizer.js'
import { type Binding, type PolicyRule, RBAC_GROUP, type Rbac, type Role } from './model.js'
import { uncovered } from './rules.js'

// A user may give away only what the user has: else `create rolebindings` would be worth cluster-admin.

/** The object that a user wants to keep. */
export interface Kept {
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

function forbidden({ resource, name }: Kept, problem: string): ApiError {
  return refusal(
    403,
    'Forbidden',
    `${resource}.${RBAC_GROUP} ${quote(name)} is forbidden: ${problem}`,
    defined({ name: name || undefined, group: RBAC_GROUP, kind: resource }),
  )
}

function checkHeld(
  rbac: Rbac,
  user: UserInfo,
  kept: Kept,
  wanted: readonly PolicyRule[],
  hint: string[] = [],
): void {
  const owned = rulesOf(rbac, user, kept.namespace).rules
  const missing = uncovered(owned, wanted)
  if (missing?.length === 0) return
  const who = `user ${quote(user.username ?? '')} (groups=${quoteList(user.groups ?? [])})`
  const attempt = `${who} is attempting to grant RBAC permissions not currently held`
  if (missing === undefined) throw forbidden(kept, `${attempt}: the rules are too many to compare`)
  const lines = compact(missing).slice(0, MAX_SHOWN).map(written)
  throw forbidden(kept, [`${attempt}:`, ...lines, ...hint].join('\n'))
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
  if (role === undefined) {
    throw refusal(
      404,
      'NotFound',
      `${resource}.${RBAC_GROUP} ${quote(name)} not found`,
      defined({ name, group: RBAC_GROUP, kind: resource }),
    )
  }
  checkHeld(rbac, user, kept, role.rules ?? [])
}
