import { secretsEqual } from '../../../protocol/oauth/client-auth.js'
import { isJsonObject } from '../../../protocol/values.js'
import type { UserInfo } from '../shapes.js'
import { quote } from './go/quote.js'
import { accountGroups, accountName } from './service-account-token.js'
import type { StoredObject, StoredResource } from './store/model.js'
import type { Store } from './store/store.js'

/** The error for a token of this cluster that is signed but not valid. A review returns the message. */
export class InvalidToken extends Error {
  override name = 'InvalidToken'
}

/** Allowed difference between clocks, in seconds. */
const LEEWAY = 60

const INVALIDATED = 'service account token has been invalidated'

type Claims = Readonly<Record<string, unknown>>

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

/** A reference to an object, as the claims have it. */
function referenceOf(value: unknown): { name: string; uid: string } | undefined {
  return isJsonObject(value) ? { name: textOf(value.name), uid: textOf(value.uid) } : undefined
}

/** @throws InvalidToken outside the period of validity */
function checkTimes({ exp, nbf, iat }: Claims, now: number): void {
  const [expires, begins, issued] = [exp, nbf, iat].map(numberOf)
  if (begins !== undefined && now + LEEWAY < begins) {
    throw new InvalidToken('service account token is not valid yet')
  }
  if (expires !== undefined && now - LEEWAY > expires) {
    throw new InvalidToken('service account token has expired')
  }
  if (issued !== undefined && now + LEEWAY < issued) {
    throw new InvalidToken('service account token is issued in the future')
  }
}

/**
 * The user of a token, after a check that the objects it is bound to still exist.
 * @param now seconds since the epoch
 * @throws InvalidToken
 */
export function userOfToken(claims: Claims, store: Store, now: number): UserInfo {
  checkTimes(claims, now)
  const kubernetes = isJsonObject(claims['kubernetes.io']) ? claims['kubernetes.io'] : {}
  const namespace = textOf(kubernetes.namespace)
  const named = referenceOf(kubernetes.serviceaccount) ?? { name: '', uid: '' }
  const account = store.get('serviceaccounts', namespace, named.name)
  if (account === undefined) throw new InvalidToken(`serviceaccounts ${quote(named.name)} not found`)
  if (account.metadata.uid !== named.uid) {
    throw new InvalidToken(
      `service account UID (${account.metadata.uid}) does not match claim (${named.uid})`,
    )
  }
  const [secret, pod, node] = ['secret', 'pod', 'node'].map(each => referenceOf(kubernetes[each]))
  const check = (resource: StoredResource, inside: string, { name, uid }: { name: string; uid: string }) =>
    checkBound(store.get(resource, inside, name), uid, resource.slice(0, -1))
  if (secret) check('secrets', namespace, secret)
  if (pod) check('pods', namespace, pod)
  // The node of a pod is reported and not checked, because the pod depends on it.
  if (node && !pod) check('nodes', '', node)
  return {
    username: accountName(namespace, named.name),
    uid: named.uid,
    groups: [...accountGroups(namespace), 'system:authenticated'],
    extra: extraOf(claims, pod, node),
  }
}

/**
 * The user of a token from a secret, after a check that its account and the secret still have it.
 * @param token the whole token, which the secret must hold
 */
export function userOfSecretToken(claims: Claims, token: string, store: Store): UserInfo {
  const claim = (name: string): string => textOf(claims[`kubernetes.io/serviceaccount/${name}`])
  const namespace = claim('namespace')
  const name = claim('service-account.name')
  const secret = store.get('secrets', namespace, claim('secret.name'))
  const data = secret?.data as Readonly<Record<string, unknown>> | undefined
  const held = Buffer.from(textOf(data?.token), 'base64').toString('utf8')
  if (held === '' || !secretsEqual(held, token)) throw new InvalidToken(INVALIDATED)
  const account = store.get('serviceaccounts', namespace, name)
  if (account === undefined) throw new InvalidToken(`serviceaccounts ${quote(name)} not found`)
  const uid = claim('service-account.uid')
  if (account.metadata.uid !== uid) {
    throw new InvalidToken(`service account UID (${account.metadata.uid}) does not match claim (${uid})`)
  }
  return {
    username: accountName(namespace, name),
    uid,
    groups: [...accountGroups(namespace), 'system:authenticated'],
  }
}

function checkBound(found: StoredObject | undefined, uid: string, kind: string): void {
  if (found === undefined) throw new InvalidToken(INVALIDATED)
  if (found.metadata.uid === uid) return
  throw new InvalidToken(
    `${kind} UID (${found.metadata.uid}) does not match service account ${kind} ref claim (${uid})`,
  )
}

type Reference = ReturnType<typeof referenceOf>

/** The extra members of the token's user, sorted by key. */
function extraOf({ jti }: Claims, pod: Reference, node: Reference): NonNullable<UserInfo['extra']> {
  const members = [
    ['credential-id', typeof jti === 'string' && jti !== '' ? `JTI=${jti}` : ''],
    ['node-name', node?.name],
    ['node-uid', node?.uid],
    ['pod-name', pod?.name],
    ['pod-uid', pod?.uid],
  ] as const
  return Object.fromEntries(
    members.flatMap(([name, value]) => (value ? [[`authentication.kubernetes.io/${name}`, [value]]] : [])),
  )
}
