import type { SigningKey } from '../../../protocol/tokens/keys.js'
import { signJwt } from '../../../protocol/tokens/keys.js'
import { defined } from '../../../protocol/values.js'
import type { KubernetesClaims } from '../shapes.js'
import type { StoredObject } from './store/model.js'

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
