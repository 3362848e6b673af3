import type { Action, PolicyRule, ResourceAction } from './model.js'

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
export function allows(rule: PolicyRule, action: Action): boolean {
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
