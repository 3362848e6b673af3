import { defined } from '../defined.js'
import type { FormPairs } from '../http/form.js'
import { type AuthorizationRequest, requestParameters, withObject } from '../oauth/authorization.js'
import type { AuthorizationServerMetadata } from '../oauth/metadata.js'
import { OAuthError } from '../oauth/oauth-error.js'
import {
  encryptRequestObject,
  signRequestObject,
  unsignedRequestObject,
  type WantedRequestObject,
} from '../tokens/request-object.js'
import type { FlowOptions } from './options.js'
import type { FlowPorts } from './ports.js'
import { readKeys, stepToken } from './verify-tokens.js'
import { get, type Steps, type Walk } from './walk.js'

/** The lifetime of a request object, in seconds. The client sends it at once. */
const LIFETIME = 300

/** Returns the parameters of a request as claims (RFC 9101 §4): numbers and JSON as such, repeated ones as lists. */
function claimsOf(pairs: FormPairs): Record<string, unknown> {
  const claims: Record<string, unknown> = {}
  for (const [name, value] of pairs) {
    const earlier = claims[name]
    const claim = claimOf(name, value)
    claims[name] = earlier === undefined ? claim : [earlier, claim].flat()
  }
  return claims
}

function claimOf(name: string, value: string): unknown {
  if (name === 'max_age' && /^\d+$/.test(value)) return Number(value)
  if (name !== 'claims' && name !== 'authorization_details') return value
  try {
    return JSON.parse(value)
  } catch {
    // The server refuses the text, as it would in a query.
    return value
  }
}

/**
 * Puts an authorization request into a request object (RFC 9101 §4), and shows the object.
 * @returns the request that has the object in place of its parameters
 */
export async function* asRequestObject(
  walk: Walk,
  { now, random }: Pick<FlowPorts, 'now' | 'random'>,
  request: AuthorizationRequest,
  { metadata }: Pick<FlowOptions, 'metadata'>,
  { kind, key, secret }: WantedRequestObject,
): Steps<AuthorizationRequest> {
  const name = 'request_object'
  const iat = Math.floor(now() / 1000)
  const claims = {
    ...{ iss: request.clientId, aud: metadata.issuer },
    ...claimsOf(requestParameters(request)),
    ...{ jti: Buffer.from(random(16)).toString('base64url'), iat, nbf: iat, exp: iat + LIFETIME },
  }
  const jwt =
    kind === 'unsigned' ? unsignedRequestObject(claims) : await signRequestObject(claims, { key, secret })
  const token = stepToken('request_object', jwt)
  if (kind !== 'encrypted') {
    const note =
      kind === 'signed' ? 'signed by the client, for five minutes' : 'not signed: anyone can change it'
    yield walk.step(name, { token, note })
    return withObject(request, jwt)
  }
  const exchange = metadata.jwks_uri === undefined ? undefined : await walk.send(get(metadata.jwks_uri))
  const keys = yield* walk.orRefused(name, exchange, () => readKeys(exchange))
  const encrypted = await encryptRequestObject(jwt, {
    algorithms: list(metadata, 'request_object_encryption_alg_values_supported'),
    encodings: list(metadata, 'request_object_encryption_enc_values_supported'),
    keys,
    secret,
  })
  if (encrypted === undefined) {
    throw new OAuthError('invalid_metadata', {
      description:
        'the server publishes no key of use enc, and announces no other way to encrypt request objects',
      rule: 'OpenID Connect Core §10.2',
    })
  }
  yield walk.step(
    name,
    defined({ exchange, token, note: 'signed by the client, then encrypted to the server' }),
  )
  return withObject(request, encrypted)
}

function list(metadata: AuthorizationServerMetadata, member: string): readonly string[] {
  const value = metadata[member]
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
}
