import { defined } from '../../../protocol/values.js'
import type { UserInfo } from '../shapes.js'
import { type ApiError, refusal } from './api-error.js'
import type { ApiRequest } from './api-request.js'
import { quote } from './go/quote.js'
import { ISSUER_PATHS } from './rbac/built-in-roles.js'
import type { Action, ResourceAction } from './rbac/model.js'

/**
 * The action of a request. A user who may read the documents of the issuer gets the answer that the method is wrong.
 */
export function actionOf({ verb, path, resource }: ApiRequest): Action {
  if (resource === undefined) return { verb: ISSUER_PATHS.includes(path) ? 'get' : verb, path }
  const { group, namespace, resource: name, subresource } = resource
  return { verb, group, namespace, resource: name, subresource, name: resource.name || resource.selected }
}

const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

const safe = (text: string) => text.replace(/[&<>]/g, char => HTML[char]!)

const because = (reason: string): string => (reason === '' ? '' : `: ${reason}`)

/** The refusal of an action on a resource that the user may not perform. */
export function forbiddenAction(
  { username = '' }: UserInfo,
  { verb, group, namespace, resource, subresource, name }: ResourceAction,
  reason = '',
): ApiError {
  const what = subresource === '' ? resource : `${resource}/${subresource}`
  const scope = namespace === '' ? 'at the cluster scope' : `in the namespace ${quote(namespace)}`
  const problem = safe(
    `User ${quote(username)} cannot ${verb} resource ${quote(what)} in API group ${quote(group)} ${scope}`,
  )
  const subject = group === '' ? resource : `${resource}.${group}`
  const named = name === '' ? subject : `${subject} ${quote(name)}`
  return refusal(
    403,
    'Forbidden',
    `${named} is forbidden: ${problem}${because(reason)}`,
    defined({ name: name || undefined, group: group || undefined, kind: resource }),
  )
}

/** The refusal of a request whose sender may not do it. */
export function forbidden(user: UserInfo, request: ApiRequest, reason = ''): ApiError {
  const action = actionOf(request)
  if (!('path' in action)) return forbiddenAction(user, action, reason)
  const who = `User ${quote(user.username ?? '')} cannot ${request.verb}`
  const problem = safe(`${who} path ${quote(request.sentPath)}`)
  return refusal(403, 'Forbidden', `forbidden: ${problem}${because(reason)}`, {})
}
