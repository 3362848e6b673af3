import { secretsEqual } from '../../../protocol/secrets.js'
import type { SigningKey } from '../../../protocol/tokens/keys.js'
import { signJwt } from '../../../protocol/tokens/keys.js'
import { defined, isJsonObject } from '../../../protocol/values.js'
import { quote } from '../encoding/go-json.js'
import type { KubernetesClaims, UserInfo } from '../shapes.js'
import type { Store, StoredObject, StoredResource } from './store/store.js'

/** The content of a new token. */
export interface TokenContents {
  readonly issuer: string
  readonly account: StoredObject
  readonly audiences: readonly string[]
  readonly jti: string
  /** NumericDates. */
  readonly issuedAt: number
  readonly expiresAt: number
  readonly warnAfter?: number
  readonly pod?: StoredObject
  /** For a token bound to a pod: the node of that pod, by its name at least. */
  readonly node?: { readonly name: string; readonly uid?: string }
  readonly secret?: StoredObject
}

const reference = ({ metadata: { name, uid } }: StoredObject) => ({ name, uid })

/** `iss` of tokens that secrets hold. They have no end. */
export const LEGACY_ISSUER = 'kubernetes/serviceaccount'

/** The user name of a service account. */
export function accountName(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`
}

/** The namespace and the name of a service account; undefined for the name of any other user. */
export function accountParts(username: string): { namespace: string; name: string } | undefined {
  const parts = username.split(':')
  const [, , namespace, name] = parts
  if (parts.length !== 4 || !username.startsWith('system:serviceaccount:') || !namespace || !name)
    return undefined
  return { namespace, name }
}

/** The groups of all service accounts of a namespace. */
export function accountGroups(namespace: string): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]
}

/** Signs a token of a service account. Its claims are in alphabetical order, and its header has only `alg` and `kid`. */
export async function signAccountToken(contents: TokenContents, key: SigningKey): Promise<string> {
  const { account, audiences, pod, node, secret, warnAfter, issuedAt } = contents
  const namespace = account.metadata.namespace ?? ''
  const kubernetes = defined({
    namespace,
    node,
    pod: pod && reference(pod),
    secret: secret && reference(secret),
    serviceaccount: reference(account),
    warnafter: warnAfter,
  }) satisfies Omit<KubernetesClaims, 'node'> & { node?: TokenContents['node'] }
  const claims = {
    aud: [...audiences],
    exp: contents.expiresAt,
    iat: issuedAt,
    iss: contents.issuer,
    jti: contents.jti,
    'kubernetes.io': kubernetes,
    nbf: issuedAt,
    sub: accountName(namespace, account.metadata.name),
  }
  return signJwt(claims, key, null)
}

/** The error for a token that is not valid. The message is the reason, which a review returns; empty without one. */
export class InvalidToken extends Error {
  override name = 'InvalidToken'
}

/** Allowed difference between clocks, in seconds. */
const LEEWAY = 60

const INVALIDATED = 'service account token has been invalidated'

type Claims = Readonly<Record<string, unknown>>

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

type Reference = { readonly name: string; readonly uid: string }

/** A reference to an object, as the claims have it. */
function referenceOf(value: unknown): Reference | undefined {
  return isJsonObject(value) ? { name: textOf(value.name), uid: textOf(value.uid) } : undefined
}

/** @throws InvalidToken outside the period of validity */
function checkTimes({ exp, nbf, iat }: Claims, now: number): void {
  const [expires, begins, issued] = [exp, nbf, iat].map(each => (typeof each === 'number' ? each : undefined))
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

/** The user of an account, which must exist with the uid of the claim. @throws InvalidToken */
function userOfAccount(store: Store, namespace: string, { name, uid }: Reference): UserInfo {
  const account = store.get('serviceaccounts', namespace, name)
  if (account === undefined) throw new InvalidToken(`serviceaccounts ${quote(name)} not found`)
  const { metadata } = account
  if (metadata.uid !== uid) {
    throw new InvalidToken(`service account UID (${metadata.uid}) does not match claim (${uid})`)
  }
  const groups = [...accountGroups(namespace), 'system:authenticated']
  return { username: accountName(namespace, name), uid, groups }
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
  const user = userOfAccount(store, namespace, named)
  const [secret, pod, node] = ['secret', 'pod', 'node'].map(each => referenceOf(kubernetes[each]))
  const check = (resource: StoredResource, inside: string, { name, uid }: Reference) =>
    checkBound(store.get(resource, inside, name), uid, resource.slice(0, -1))
  if (secret) check('secrets', namespace, secret)
  if (pod) check('pods', namespace, pod)
  // The node of a pod is reported and not checked, because the pod depends on it.
  if (node && !pod) check('nodes', '', node)
  return { ...user, extra: extraOf(claims, pod, node) }
}

/**
 * The user of a token from a secret, after a check that its account and the secret still have it.
 * @param token the whole token, which the secret must hold
 */
export function userOfSecretToken(claims: Claims, token: string, store: Store): UserInfo {
  const claim = (name: string): string => textOf(claims[`kubernetes.io/serviceaccount/${name}`])
  const namespace = claim('namespace')
  const secret = store.get('secrets', namespace, claim('secret.name'))
  const data = secret?.data as Readonly<Record<string, unknown>> | undefined
  const held = Buffer.from(textOf(data?.token), 'base64').toString('utf8')
  if (held === '' || !secretsEqual(held, token)) throw new InvalidToken(INVALIDATED)
  const account = { name: claim('service-account.name'), uid: claim('service-account.uid') }
  return userOfAccount(store, namespace, account)
}

function checkBound(found: StoredObject | undefined, uid: string, kind: string): void {
  if (found === undefined) throw new InvalidToken(INVALIDATED)
  if (found.metadata.uid === uid) return
  throw new InvalidToken(
    `${kind} UID (${found.metadata.uid}) does not match service account ${kind} ref claim (${uid})`,
  )
}

/** The extra members of the token's user, sorted by key. */
function extraOf(
  { jti }: Claims,
  pod: Reference | undefined,
  node: Reference | undefined,
): NonNullable<UserInfo['extra']> {
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
