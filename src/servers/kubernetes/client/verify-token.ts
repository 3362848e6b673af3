import { TransportError, UserError } from '../../../protocol/errors.js'
import { isUrl } from '../../../protocol/http/address.js'
import type { Send } from '../../../protocol/http/exchange.js'
import { header } from '../../../protocol/http/message.js'
import type { JwkSet } from '../../../protocol/tokens/keys.js'
import { type Verdict, verifyJwt } from '../../../protocol/tokens/verify.js'
import { isJsonObject, withoutEnd } from '../../../protocol/values.js'
import type { ClusterDiscovery, TokenReview, TokenReviewStatus } from '../shapes.js'
import type { ClusterAccess } from './access.js'
import {
  type AskCluster,
  ClusterRefusal,
  discoveryRequest,
  jwksRequest,
  tokenReview,
  USER_AGENT,
} from './requests.js'

/** The issuer by its own name, and its keys with their source. */
export interface IssuerKeys {
  readonly issuer: string
  readonly jwks: JwkSet
  readonly from: string
}

/** Reads a document as a JWK Set. Returns undefined for other documents. */
export function jwkSetOf(document: Readonly<Record<string, unknown>> | undefined): JwkSet | undefined {
  const keys = document?.keys
  if (!Array.isArray(keys)) return undefined
  return { keys: keys.filter(each => typeof each === 'object' && each !== null) }
}

/**
 * Returns the keys that an issuer publishes.
 * @throws TransportError when the keys are unreadable, or belong to another issuer
 */
export function keysOfIssuer(issuer: string, { discovery, keys }: Published): IssuerKeys {
  const jwks = jwkSetOf(keys.document)
  if (jwks === undefined) {
    const problem = discovery.problem ?? keys.problem ?? `${keys.url} holds no JWK Set`
    throw new TransportError(`the keys of ${issuer} cannot be read: ${problem}`, 'EBADMSG')
  }
  const named = discovery.document?.issuer
  if (named !== issuer) {
    throw new TransportError(
      `${discovery.url} is of the issuer ${JSON.stringify(named)}, not ${issuer}`,
      'EBADMSG',
      ['OpenID Connect Discovery §4.3: both have to be the same string.'],
    )
  }
  return { issuer, jwks, from: keys.url }
}

/**
 * Requests the issuer and the keys of a cluster.
 * @throws the errors of `ask`; TransportError for keys that are not a JWK Set
 */
export async function keysOfCluster(ask: AskCluster, { server }: ClusterAccess): Promise<IssuerKeys> {
  const { object: discovery } = await ask<ClusterDiscovery>(discoveryRequest)
  const { object } = await ask<Readonly<Record<string, unknown>>>(jwksRequest)
  const jwks = jwkSetOf(object)
  if (jwks === undefined)
    throw new TransportError(`${server} answered with something else than a JWK Set`, 'EBADMSG')
  return { issuer: discovery.issuer, jwks, from: `${server}${jwksRequest.path}` }
}

/**
 * Verifies a token by the keys of its issuer, as other programs do.
 * @param now milliseconds since the epoch
 */
export function verifyToken(
  token: string,
  { issuer, jwks }: IssuerKeys,
  audience: string | undefined,
  now: number,
): Promise<Verdict> {
  return verifyJwt(
    token,
    { kind: 'jwks', jwks },
    { now, issuer, ...(audience !== undefined && { audience }) },
  )
}

/** A public document, or the reason why it is unreadable. */
export interface Fetched {
  readonly url: string
  readonly document?: Readonly<Record<string, unknown>>
  /** The reason why the document is unreadable without credentials. */
  readonly problem?: string
  /** The Cache-Control header of the answer. */
  readonly cache?: string
}

/** The public documents of an issuer: metadata and keys. */
export interface Published {
  readonly discovery: Fetched
  readonly keys: Fetched
}

/** Fetches a JSON document without credentials. A bad answer becomes a problem, never an error. */
async function fetchPublic(url: string, send: Send): Promise<Fetched> {
  if (!isUrl(url) || new URL(url).protocol !== 'https:') {
    return { url, problem: `${url} is no https address` }
  }
  try {
    const headers = [
      ['accept', 'application/json, application/jwk-set+json'],
      ['user-agent', USER_AGENT],
    ] as const
    const { response } = await send({ method: 'GET', url, headers, body: new Uint8Array() })
    const { status = 0, body = '' } = response ?? {}
    if (status >= 300 && status < 400) {
      return {
        url,
        problem: `${url} redirects to ${(response && header(response, 'location')) ?? 'nowhere'}`,
      }
    }
    if (status !== 200) return { url, problem: `${url} answers ${status} to everybody` }
    const document: unknown = JSON.parse(body)
    const cache = response && header(response, 'cache-control')
    if (isJsonObject(document)) return cache === undefined ? { url, document } : { url, document, cache }
    return { url, problem: `${url} holds no JSON object` }
  } catch (error) {
    if (error instanceof SyntaxError) return { url, problem: `${url} holds no JSON` }
    if (error instanceof UserError) return { url, problem: error.message }
    throw error
  }
}

/**
 * Fetches the metadata that an issuer publishes, then the keys that the metadata names.
 * @param issuer the `iss` of a token. It is untrusted and used only for an https GET
 */
export async function readPublished(issuer: string, send: Send): Promise<Published> {
  const base = withoutEnd(issuer, '/')
  const discovery = await fetchPublic(`${base}/.well-known/openid-configuration`, send)
  const named = discovery.document?.jwks_uri
  if (discovery.document === undefined) {
    const url = `${base}/openid/v1/jwks`
    return { discovery, keys: { url, problem: discovery.problem ?? 'the metadata cannot be read' } }
  }
  if (typeof named !== 'string')
    return { discovery, keys: { url: base, problem: 'the metadata names no jwks_uri' } }
  return { discovery, keys: await fetchPublic(named, send) }
}

/** The review of a token, or the refusal of the review. Not every caller may request reviews. */
export type Reviewed =
  | { readonly review: TokenReviewStatus; readonly reviewProblem?: undefined }
  | { readonly review?: undefined; readonly reviewProblem: string }

/**
 * Requests the review of a token.
 * @throws the errors of `ask`, except a refusal with 403
 */
export async function reviewToken(
  token: string,
  audiences: readonly string[],
  ask: AskCluster,
): Promise<Reviewed> {
  try {
    return { review: (await ask<TokenReview>(tokenReview(token, audiences))).object.status ?? {} }
  } catch (error) {
    if (!(error instanceof ClusterRefusal) || error.code !== 403) throw error
    return { reviewProblem: error.message }
  }
}
