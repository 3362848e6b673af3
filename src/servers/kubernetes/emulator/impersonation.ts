import type { UserInfo } from '../shapes.js'
import { refusal } from './api-error.js'
import { type ApiRequest, impersonationHeaders } from './api-request.js'
import { forbiddenAction } from './forbidden.js'
import { quote } from './go/quote.js'
import { decide } from './rbac/authorizer.js'
import type { Rbac, ResourceAction } from './rbac/model.js'
import { accountGroups, accountParts } from './service-account-token.js'

// Requests in the name of another user (authentication/v1, `Impersonate-…`). The sender needs the verb `impersonate` for each part.

const AUTHENTICATION = 'authentication.k8s.io'

/** A part of the wanted user, as the real server refers to it. */
interface Part {
  readonly kind: 'Group' | 'ServiceAccount' | 'UID' | 'User' | 'UserExtra'
  readonly name: string
  readonly namespace?: string
  /** The key of an extra member. */
  readonly key?: string
}

/** Most parts of a user: each costs a decision. */
const MAX_PARTS = 64

/** The key of an extra member: a header name in lower case, where other characters are percent-encoded. */
function extraKey(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function partsOf(request: ApiRequest): Part[] {
  const { user = '', groups, uid = '', extra } = impersonationHeaders(request)
  const parts: Part[] = []
  const account = accountParts(user)
  if (account !== undefined) parts.push({ kind: 'ServiceAccount', ...account })
  else if (user !== '') parts.push({ kind: 'User', name: user })
  for (const name of groups) parts.push({ kind: 'Group', name })
  for (const [key, name] of extra) parts.push({ kind: 'UserExtra', key: extraKey(key), name })
  if (uid !== '') parts.push({ kind: 'UID', name: uid })
  return parts
}

/** A part as Go prints an ObjectReference: kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath. */
const printed = ({ kind, name, namespace = '', key = '' }: Part): string =>
  `{${[kind, namespace, name, '', kind === 'UID' || kind === 'UserExtra' ? `${AUTHENTICATION}/v1` : '', '', key].join(' ')}}`

const RESOURCES: Readonly<Record<Part['kind'], string>> = {
  Group: 'groups',
  ServiceAccount: 'serviceaccounts',
  UID: 'uids',
  User: 'users',
  UserExtra: 'userextras',
}

function actionOf({ kind, name, namespace = '', key = '' }: Part): ResourceAction {
  return {
    verb: 'impersonate',
    group: kind === 'UID' || kind === 'UserExtra' ? AUTHENTICATION : '',
    resource: RESOURCES[kind],
    subresource: key,
    namespace,
    name,
  }
}

const AUTHENTICATED = 'system:authenticated'
const UNAUTHENTICATED = 'system:unauthenticated'

/** The user that the parts make up. */
function userOf(parts: readonly Part[]): UserInfo {
  const names = (kind: Part['kind']) => parts.filter(each => each.kind === kind).map(each => each.name)
  const account = parts.find(each => each.kind === 'ServiceAccount')
  const username =
    account === undefined ? names('User')[0]! : `system:serviceaccount:${account.namespace}:${account.name}`
  const asked = names('Group')
  const groups = asked.length === 0 && account !== undefined ? accountGroups(account.namespace!) : asked
  const needed = username === 'system:anonymous' ? UNAUTHENTICATED : AUTHENTICATED
  const complete = groups.some(each => each === AUTHENTICATED || each === UNAUTHENTICATED)
  const [uid] = names('UID')
  const extra = new Map<string, string[]>()
  for (const { kind, key = '', name } of parts) {
    if (kind === 'UserExtra') extra.set(key, [...(extra.get(key) ?? []), name])
  }
  return {
    username,
    ...(uid !== undefined && { uid }),
    groups: complete ? groups : [...groups, needed],
    ...(extra.size > 0 && { extra: Object.fromEntries(extra) }),
  }
}

/**
 * The user in whose name a request acts; undefined for its sender.
 * @throws ApiError 403 where the sender may not impersonate a part of the user, 500 for parts without a user
 */
export function impersonated(rbac: Rbac, sender: UserInfo, request: ApiRequest): UserInfo | undefined {
  const parts = partsOf(request)
  if (parts.length === 0) return undefined
  if (!parts.some(({ kind }) => kind === 'User' || kind === 'ServiceAccount')) {
    const shown = parts.slice(0, MAX_PARTS).map(printed).join(' ')
    const problem = `requested [${shown}] without impersonating a user`
    throw refusal(
      500,
      'InternalError',
      `Internal Server Error: ${quote(request.http.url.replace(/^[^/]*\/\/[^/]*/, ''))}: ${problem}`,
    )
  }
  for (const part of parts) {
    const action = actionOf(part)
    const { allowed, reason } = decide(rbac, sender, action)
    if (!allowed || parts.length > MAX_PARTS) throw forbiddenAction(sender, action, reason)
  }
  return userOf(parts)
}
