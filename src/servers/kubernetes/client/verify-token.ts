import { TransportError } from '../../../protocol/errors.js'
import type { JwkSet } from '../../../protocol/tokens/keys.js'
import { type Verdict, verifyJwt } from '../../../protocol/tokens/verify.js'
import type { ClusterDiscovery } from '../shapes.js'
import type { ClusterAccess } from './access.js'
import type { AskCluster } from './answers.js'
import type { Published } from './public-documents.js'
import { discoveryRequest, jwksRequest } from './requests.js'

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
