import {
  type AuthorizationRequest,
  requestParameters,
  withObject,
} from '../../protocol/oauth/authorization-request.js'
import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { encryptRequestObject, type WantedRequestObject } from '../../protocol/tokens/request-object.js'
import { defined } from '../../protocol/values.js'
import { readKeys, stepToken } from '../answers/verify-tokens.js'
import type { FlowOptions } from '../options.js'
import type { FlowPorts } from '../ports.js'
import { get, type Steps, type Walk } from '../walk.js'
import { makeObject } from './object-draft.js'

/** Seconds. The client sends the object at once. */
const LIFETIME = 300

/** Makes a request object (RFC 9101 §4). @returns the request with the object in place of its parameters */
export async function* asRequestObject(
  walk: Walk,
  { now, random }: Pick<FlowPorts, 'now' | 'random'>,
  request: AuthorizationRequest,
  { metadata, makeRequestObject = makeObject }: Pick<FlowOptions, 'metadata' | 'makeRequestObject'>,
  wanted: WantedRequestObject,
): Steps<AuthorizationRequest> {
  const name = 'request_object'
  const { kind, secret } = wanted
  const iat = Math.floor(now() / 1000)
  const jti = Buffer.from(random(16)).toString('base64url')
  const times = { iat, nbf: iat, exp: iat + LIFETIME }
  const jwt = await makeRequestObject({
    parameters: requestParameters(request),
    about: { iss: request.clientId, aud: metadata.issuer, jti, ...times },
    wanted,
  })
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
