import type { UserInfo } from '../shapes.js'
import { type ApiError, refusal } from './api-error.js'
import type { ApiRequest } from './api-request.js'
import { quote } from './go/quote.js'

/** An action that a user wants to perform. */
export type Wish =
  | {
      readonly verb: string
      readonly group: string
      readonly resource: string
      readonly subresource: string
      readonly namespace: string
      readonly name: string
    }
  | { readonly verb: string; readonly path: string }

/** The actions that a role allows: `*` stands for everything, a path may end in `*`. */
export type Rule =
  | {
      readonly verbs: readonly string[]
      readonly groups: readonly string[]
      readonly resources: readonly string[]
    }
  | { readonly verbs: readonly string[]; readonly paths: readonly string[] }

const everything: readonly Rule[] = [
  { verbs: ['*'], groups: ['*'], resources: ['*'] },
  { verbs: ['*'], paths: ['*'] },
]

const publicInfo: Rule = { verbs: ['get'], paths: ['/healthz', '/livez', '/readyz', '/version', '/version/'] }

const discovery: Rule = {
  verbs: ['get'],
  paths: [
    ...['/api', '/api/*', '/apis', '/apis/*', '/healthz', '/livez', '/openapi', '/openapi/*', '/readyz'],
    ...['/version', '/version/'],
  ],
}

const basicUser: readonly Rule[] = [
  {
    verbs: ['create'],
    groups: ['authorization.k8s.io'],
    resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
  },
  { verbs: ['create'], groups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
]

const issuerPaths = ['/.well-known/openid-configuration', '/openid/v1/jwks']

/** The rules that hold for somebody: those of the default roles that every cluster has. */
export function rulesOf({ groups = [] }: UserInfo, publicDiscovery: boolean): readonly Rule[] {
  const isIn = (group: string) => groups.includes(group)
  const readsIssuer = { verbs: ['get'], paths: issuerPaths }
  return [
    ...(isIn('system:authenticated') ? basicUser : []),
    ...(isIn('system:masters') ? everything : []),
    publicInfo,
    ...(isIn('system:authenticated') ? [discovery] : []),
    ...(publicDiscovery || isIn('system:serviceaccounts') ? [readsIssuer] : []),
  ]
}

const matches = (patterns: readonly string[], value: string): boolean =>
  patterns.some(
    each => each === '*' || each === value || (each.endsWith('*') && value.startsWith(each.slice(0, -1))),
  )

/** True when the rules allow an action. */
export function isAllowed(rules: readonly Rule[], wish: Wish): boolean {
  return rules.some(rule => {
    if (!matches(rule.verbs, wish.verb)) return false
    if ('path' in wish) return 'paths' in rule && matches(rule.paths, wish.path)
    if (!('resources' in rule)) return false
    const resource = wish.subresource === '' ? wish.resource : `${wish.resource}/${wish.subresource}`
    return matches(rule.groups, wish.group) && matches(rule.resources, resource)
  })
}

/**
 * The action of a request. A user who may read the documents of the issuer gets the answer that the method is wrong.
 */
export function wishOf({ verb, path, resource }: ApiRequest): Wish {
  if (resource !== undefined) return { verb, ...resource }
  return { verb: issuerPaths.includes(path) ? 'get' : verb, path }
}

const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** The refusal of a request whose sender may not do it. */
export function forbidden({ username = '' }: UserInfo, { verb, sentPath, resource }: ApiRequest): ApiError {
  const safe = (text: string) => text.replace(/[&<>]/g, char => HTML[char]!)
  const who = `User ${quote(username)} cannot ${verb}`
  if (resource === undefined) {
    return refusal(403, 'Forbidden', `forbidden: ${safe(`${who} path ${quote(sentPath)}`)}`, {})
  }
  const { group, namespace, name, subresource } = resource
  const what = subresource === '' ? resource.resource : `${resource.resource}/${subresource}`
  const scope = namespace === '' ? 'at the cluster scope' : `in the namespace ${quote(namespace)}`
  const problem = safe(`${who} resource ${quote(what)} in API group ${quote(group)} ${scope}`)
  const subject = group === '' ? resource.resource : `${resource.resource}.${group}`
  const named = name === '' ? subject : `${subject} ${quote(name)}`
  return refusal(403, 'Forbidden', `${named} is forbidden: ${problem}`, {
    ...(name !== '' && { name }),
    ...(group !== '' && { group }),
    kind: resource.resource,
  })
}
