import { percentDecoded } from '../../../protocol/http/address.js'
import { headerValues } from '../../../protocol/http/message.js'
import { defined } from '../../../protocol/values.js'
import { quote } from '../encoding/go-json.js'
import type { UserInfo } from '../shapes.js'
import { forbidden, refusal } from './api-error.js'
import type { ApiRequest } from './api-request.js'
import { decide, type Rbac } from './rbac/authorizer.js'
import { accountGroups, accountName, accountParts } from './service-account-token.js'

// Requests in the name of another user (authentication/v1, `Impersonate-…`). The sender needs the verb `impersonate` for each part.

/** The parts of a user: the resource of each, and its API group. */
const PARTS = {
  Group: { resource: 'groups', group: '' },
  ServiceAccount: { resource: 'serviceaccounts', group: '' },
  UID: { resource: 'uids', group: 'authentication.k8s.io' },
  User: { resource: 'users', group: '' },
  UserExtra: { resource: 'userextras', group: 'authentication.k8s.io' },
} as const

/** A part of the wanted user, as the real server refers to it. */
interface Part {
  readonly kind: keyof typeof PARTS
  readonly name: string
  readonly namespace?: string
  /** The key of an extra member. */
  readonly key?: string
}

/** Most parts of a user: each costs a decision. */
const MAX_PARTS = 64

const EXTRA = 'impersonate-extra-'

/** Reads the headers that name another user. Go reads the bytes of a header as UTF-8. */
function partsOf({ http }: ApiRequest): Part[] {
  const utf8 = (value: string) => Buffer.from(value, 'latin1').toString('utf8')
  const values = (name: string) => headerValues(http, name).map(utf8)
  const [user = ''] = values('impersonate-user')
  const [uid = ''] = values('impersonate-uid')
  const parts: Part[] = []
  const account = accountParts(user)
  if (account !== undefined) parts.push({ kind: 'ServiceAccount', ...account })
  else if (user !== '') parts.push({ kind: 'User', name: user })
  for (const name of values('impersonate-group')) parts.push({ kind: 'Group', name })
  for (const [name, value] of http.headers) {
    if (!name.toLowerCase().startsWith(EXTRA)) continue
    // The key is a header name in lower case, where other characters are percent-encoded.
    const key = percentDecoded(name.toLowerCase().slice(EXTRA.length))
    parts.push({ kind: 'UserExtra', key, name: utf8(value) })
  }
  if (uid !== '') parts.push({ kind: 'UID', name: uid })
  return parts
}

/** A part as Go prints an ObjectReference: kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath. */
function printed({ kind, name, namespace = '', key = '' }: Part): string {
  const { group } = PARTS[kind]
  return `{${[kind, namespace, name, '', group === '' ? '' : `${group}/v1`, '', key].join(' ')}}`
}

const AUTHENTICATED = 'system:authenticated'
const UNAUTHENTICATED = 'system:unauthenticated'

/** The user that the parts make up. */
function userOf(parts: readonly Part[]): UserInfo {
  const names = (kind: Part['kind']) => parts.filter(each => each.kind === kind).map(each => each.name)
  const { namespace = '', name = '' } = parts.find(each => each.kind === 'ServiceAccount') ?? {}
  const username = name === '' ? names('User')[0]! : accountName(namespace, name)
  const asked = names('Group')
  const groups = asked.length === 0 && name !== '' ? accountGroups(namespace) : asked
  const needed = username === 'system:anonymous' ? UNAUTHENTICATED : AUTHENTICATED
  const complete = groups.some(each => each === AUTHENTICATED || each === UNAUTHENTICATED)
  const extra = new Map<string, string[]>()
  for (const { kind, key = '', name: value } of parts) {
    if (kind === 'UserExtra') extra.set(key, [...(extra.get(key) ?? []), value])
  }
  return defined({
    username,
    uid: names('UID')[0],
    groups: complete ? groups : [...groups, needed],
    extra: extra.size > 0 ? Object.fromEntries(extra) : undefined,
  })
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
    const path = quote(request.http.url.replace(/^[^/]*\/\/[^/]*/, ''))
    const problem = `requested [${shown}] without impersonating a user`
    throw refusal(500, 'InternalError', `Internal Server Error: ${path}: ${problem}`)
  }
  for (const { kind, name, namespace = '', key: subresource = '' } of parts) {
    const action = { verb: 'impersonate', ...PARTS[kind], subresource, namespace, name }
    const { allowed, reason } = decide(rbac, sender, action)
    if (!allowed || parts.length > MAX_PARTS) throw forbidden(sender, action, reason)
  }
  return userOf(parts)
}
