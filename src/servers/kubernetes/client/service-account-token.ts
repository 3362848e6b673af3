import type { DecodedJwt } from '../../../protocol/tokens/decode.js'
import { explainToken, lintNow } from '../../../protocol/tokens/explain.js'
import { defined, isJsonObject, type JsonObject } from '../../../protocol/values.js'

/** An object that a token names. The text is untrusted: make it safe before showing it. */
export interface NamedObject {
  readonly name: string
  readonly uid: string
}

/** The content of a service account token, not verified. Dates are NumericDates in seconds. */
export interface ServiceAccountToken {
  readonly namespace: string
  readonly account: NamedObject
  readonly boundTo?: { readonly kind: 'pod' | 'secret' | 'node' } & NamedObject
  /** The node that the pod runs on. */
  readonly node?: NamedObject
  readonly issuer?: string
  readonly subject?: string
  readonly audiences: readonly string[]
  readonly issuedAt?: number
  readonly expires?: number
  /** The time by which the token should have been renewed. The token stays valid after it, and the API server logs a warning. */
  readonly warnAfter?: number
}

const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((each): each is string => typeof each === 'string')

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const date = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

function named(value: unknown): NamedObject | undefined {
  if (!isJsonObject(value) || typeof value.name !== 'string') return undefined
  return { name: value.name, uid: text(value.uid) ?? '' }
}

function boundTo(claims: JsonObject): ServiceAccountToken['boundTo'] {
  for (const kind of ['pod', 'secret', 'node'] as const) {
    const object = named(claims[kind])
    if (object) return { kind, ...object }
  }
  return undefined
}

/** Splits `system:serviceaccount:NAMESPACE:NAME`. Returns undefined for other subjects. */
function splitSubject(subject: string): { namespace: string; name: string } | undefined {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(subject) ?? []
  return namespace === undefined || name === undefined ? undefined : { namespace, name }
}

/** Reads the claims of a service account token. Returns undefined for other JWTs. Legacy tokens without dates are read too. */
export function readServiceAccountToken({ claims }: DecodedJwt): ServiceAccountToken | undefined {
  const subject = text(claims.sub)
  const split = subject === undefined ? undefined : splitSubject(subject)
  const own = isJsonObject(claims['kubernetes.io']) ? claims['kubernetes.io'] : {}
  const namespace = text(own.namespace) ?? split?.namespace
  const account = named(own.serviceaccount) ?? (split && { name: split.name, uid: '' })
  if (namespace === undefined || account === undefined) return undefined
  const bound = boundTo(own)
  const node = bound?.kind === 'pod' ? named(own.node) : undefined
  return defined({
    namespace,
    account,
    audiences: texts(claims.aud),
    boundTo: bound,
    node,
    issuer: text(claims.iss),
    subject,
    issuedAt: date(claims.iat),
    expires: date(claims.exp),
    warnAfter: date(own.warnafter),
  })
}

/** A moment in the life of a token. */
export interface Moment {
  readonly name: 'iat' | 'renewal' | 'warnafter' | 'exp' | 'leeway'
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly meaning: string
}

/** The part of the lifetime after which the kubelet renews a token. It renews at least once a day. */
const RENEWAL = 0.8
const LONGEST_UNTIL_RENEWAL = 86_400

/** The seconds by which an API server allows clocks to differ. */
export const LEEWAY = 60

/** Returns the seconds from `iat` until the kubelet requests a new token, without its jitter of up to 10 s. */
export function secondsUntilRenewal(lifetime: number): number {
  return Math.min(lifetime * RENEWAL, LONGEST_UNTIL_RENEWAL)
}

/** Returns the moments of a token's life in order. Moments that the token does not name are left out. */
export function timeline({ issuedAt, expires, warnAfter }: ServiceAccountToken): Moment[] {
  const moments: Moment[] = []
  const add = (name: Moment['name'], seconds: number, meaning: string) =>
    moments.push({ name, at: Math.round(seconds * 1000), meaning })
  if (issuedAt !== undefined) add('iat', issuedAt, 'issued')
  // The API server extends a pod's token for itself by a year. The kubelet renews the token by `warnafter`.
  const end = warnAfter ?? expires
  if (issuedAt !== undefined && end !== undefined && end > issuedAt) {
    add('renewal', issuedAt + secondsUntilRenewal(end - issuedAt), 'the kubelet renews it')
  }
  if (warnAfter !== undefined)
    add('warnafter', warnAfter, 'should have been renewed; uses are logged as stale')
  if (expires !== undefined) {
    add('exp', expires, 'expires')
    add('leeway', expires + LEEWAY, 'last moment an API server accepts it')
  }
  return moments.sort((a, b) => a.at - b.at)
}

/**
 * Returns the arguments of `k8s token` for the account of a token with these audiences. The binding of the token is included unless `bound` is false.
 */
export function mintCommand(
  { account, namespace, boundTo, audiences: own }: ServiceAccountToken,
  audiences: readonly string[] = own,
  { bound = true }: { readonly bound?: boolean } = {},
): string[] {
  const command = ['oauth-lab', 'k8s', 'token', account.name, '-n', namespace]
  return [
    ...command,
    ...audiences.flatMap(each => ['--audience', each]),
    ...(boundTo && bound ? ['--bind', `${boundTo.kind}/${boundTo.name}`] : []),
  ]
}

function isoTime(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString()
}

/**
 * Returns the object that `k8s inspect --json` prints for a token.
 * @param now milliseconds since the epoch
 */
export function cardJson(jwt: DecodedJwt, now: number): object {
  const { header, claims, parts } = jwt
  const token = readServiceAccountToken(jwt)
  const { lint, unit } = explainToken(jwt)
  const account = token && {
    service_account: { namespace: token.namespace, ...token.account },
    ...(token.boundTo && { bound_to: token.boundTo }),
    ...(token.node && { node: token.node }),
    audiences: token.audiences,
    timeline: timeline(token).map(({ name, at, meaning }) => ({ name, at: isoTime(at), meaning })),
  }
  return {
    header,
    claims,
    ...account,
    lint: [...lint, ...lintNow(claims, { now, unit })],
    bytes: Buffer.byteLength(parts.join('.')),
  }
}
