import type { StoredObject } from '../store/model.js'
import type { Store } from '../store/store.js'
import { aggregatedRules } from './built-in-roles.js'
import type { Binding, Rbac, Role } from './model.js'

const asRole = (object: StoredObject | undefined) => object as unknown as Role | undefined
const asBindings = (objects: readonly StoredObject[]) => objects as unknown as readonly Binding[]

/** The roles and bindings of a store. */
export function storedRbac(store: () => Store): Rbac {
  return {
    role: (namespace, name) => asRole(store().get('roles', namespace, name)),
    clusterRole: name => asRole(store().get('clusterroles', '', name)),
    roleBindings: namespace => asBindings(store().list('rolebindings', namespace)),
    clusterRoleBindings: () => asBindings(store().list('clusterrolebindings')),
  }
}

/** Most rounds of aggregation: a role may be a part of a role that is a part of another. */
const MAX_ROUNDS = 8

/** Gives each ClusterRole with an aggregationRule the rules of the roles that it selects. */
export function aggregateRoles(store: Store): void {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const objects = store.list('clusterroles')
    const roles = objects as unknown as readonly Role[]
    let changed = false
    for (const object of objects) {
      const rules = aggregatedRules(object as unknown as Role, roles)
      if (rules === undefined || JSON.stringify(rules) === JSON.stringify(object.rules ?? [])) continue
      store.replace('clusterroles', { ...object, rules })
      changed = true
    }
    if (!changed) return
  }
}
