import type { DecodedJwt } from '../../../protocol/tokens/decode.js'
import { isJsonObject, type JsonObject } from '../../../protocol/values.js'

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
  const members = {
    boundTo: bound,
    node,
    issuer: text(claims.iss),
    subject,
    issuedAt: date(claims.iat),
    expires: date(claims.exp),
    warnAfter: date(own.warnafter),
  }
  const known = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
  return { namespace, account, audiences: texts(claims.aud), ...known }
}
