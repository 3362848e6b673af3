import type { Exchange } from '../../protocol/http/exchange.js'
import type { FormPairs } from '../../protocol/http/form.js'
import { jsonObject, refusalIn } from '../../protocol/oauth/answers.js'
import {
  type AuthorizationRequest,
  authorizationRequest,
  isJwtMode,
  pushedRequest,
  requestParameters,
  sentParameters,
  withObject,
} from '../../protocol/oauth/authorization-request.js'
import { landedWithout, responseJwt } from '../../protocol/oauth/authorization-response.js'
import { advice, type Check, check } from '../../protocol/oauth/check.js'
import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { encryptRequestObject, type WantedRequestObject } from '../../protocol/tokens/request-object.js'
import { defined } from '../../protocol/values.js'
import { type ArrivedResponse, openResponse, verifyResponse } from '../answers/response-jwt.js'
import { readKeys, stepToken } from '../answers/verify-tokens.js'
import { endpoint } from '../metadata/endpoint.js'
import { asksForOpenId, detailsParameters, type FlowOptions } from '../options.js'
import type { FlowPorts } from '../ports.js'
import { loginParameters } from '../requests/login-demand.js'
import { makeObject } from '../requests/object-draft.js'
import { get, type Shown, type Steps, type Walk } from '../walk.js'
import { formRequest } from './token-step.js'

/** Seconds. The client sends the object at once. */
const LIFETIME = 300

/** Makes a request object of parameters (RFC 9101 §4, OpenID Connect CIBA Core §7.1.1). */
export async function* requestObjectOf(
  walk: Walk,
  { now, random }: Pick<FlowPorts, 'now' | 'random'>,
  parameters: FormPairs,
  {
    metadata,
    clientId,
    makeRequestObject = makeObject,
  }: Pick<FlowOptions, 'metadata' | 'clientId' | 'makeRequestObject'>,
  wanted: WantedRequestObject,
): Steps<string> {
  const name = 'request_object'
  const { kind, secret } = wanted
  const iat = Math.floor(now() / 1000)
  const jti = Buffer.from(random(16)).toString('base64url')
  const times = { iat, nbf: iat, exp: iat + LIFETIME }
  const jwt = await makeRequestObject({
    parameters,
    about: { iss: clientId, aud: metadata.issuer, jti, ...times },
    wanted,
  })
  const token = stepToken('request_object', jwt)
  if (kind !== 'encrypted') {
    const note =
      kind === 'signed' ? 'signed by the client, for five minutes' : 'not signed: anyone can change it'
    yield walk.step(name, { token, note })
    return jwt
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
  return encrypted
}

function list(metadata: AuthorizationServerMetadata, member: string): readonly string[] {
  const value = metadata[member]
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
}

const what = 'the pushed authorization request endpoint'

/** Pushes the authorization request (RFC 9126). @returns the request that only names the pushed one */
async function* push(
  walk: Walk,
  wanted: FlowOptions,
  request: AuthorizationRequest,
): Steps<AuthorizationRequest> {
  const name = 'pushed_authorization_request'
  const { clientId } = request
  // With the secret in the body the client names itself there.
  const parameters = sentParameters(request, 'pushed').filter(
    ([parameter]) => parameter !== 'client_id' || wanted.auth === 'client_secret_basic',
  )
  const asked = formRequest('pushed_authorization_request_endpoint', { ...wanted, clientId }, parameters)
  const exchange = await walk.send(asked)
  const { requestUri, checks, note } = yield* walk.orRefused(name, exchange, () => readPushed(exchange))
  yield walk.step(name, { exchange, checks, note })
  return pushedRequest(request, requestUri)
}

function readPushed(exchange: Exchange): { requestUri: string; checks: Check[]; note: string } {
  const rule = 'RFC 9126 §2.2'
  const status = exchange.response?.status ?? 0
  if (status < 200 || status >= 300) throw refusalIn(exchange, what)
  const { request_uri: requestUri, expires_in: seconds } = jsonObject(exchange, what, rule)
  if (typeof requestUri !== 'string' || requestUri === '') {
    throw new OAuthError('invalid_response', { description: `${what} answered no request_uri`, rule })
  }
  const lives = typeof seconds === 'number' && seconds > 0
  const checks = [
    advice('status', status === 201, rule, String(status)),
    check('request_uri', true, rule, 'stands for the request from here on'),
    advice('expires_in', lives, rule, lives ? `${seconds} s` : 'missing or no number of seconds'),
  ]
  return { requestUri, checks, note: lives ? `pushed, good for ${seconds} s` : 'pushed' }
}

/** 256 bits, as text. */
export function unguessable(random: FlowPorts['random']): string {
  return Buffer.from(random(32)).toString('base64url')
}

export function newRequest(
  { random }: Pick<FlowPorts, 'random'>,
  wanted: FlowOptions,
  responseType: string,
): AuthorizationRequest {
  const { metadata, clientId, redirectUri, scope, responseMode, authorizationParameters = [] } = wanted
  const extra = [...loginParameters(wanted), ...detailsParameters(wanted), ...authorizationParameters]
  // Nothing is redeemed later in the implicit grant.
  const pkce = wanted.pkce && responseType.split(' ').includes('code')
  return authorizationRequest(
    defined({
      endpoint: endpoint(metadata, 'authorization_endpoint'),
      issuer: metadata.issuer,
      responseType,
      responseMode,
      clientId,
      redirectUri,
      state: unguessable(random),
      issPromised: metadata.authorization_response_iss_parameter_supported === true,
      scope,
      nonce: asksForOpenId(scope) ? unguessable(random) : undefined,
      codeVerifier: pkce ? unguessable(random) : undefined,
      extra,
    }),
  )
}

/** The checks that the client makes before it sends a user agent to the server. */
function requestChecks(request: AuthorizationRequest, metadata: AuthorizationServerMetadata): Check[] {
  const checks = [check('state', true, 'RFC 6749 §10.12', '256 random bits, kept for the answer')]
  if (request.nonce !== undefined) {
    checks.push(
      check('nonce', true, 'OpenID Connect Core §3.1.2.1', '256 random bits, kept for the id_token'),
    )
  }
  if (request.codeVerifier === undefined) return checks
  const announced = metadata.code_challenge_methods_supported?.includes('S256') ?? false
  const found = announced ? 'S256' : 'S256, which the server does not announce'
  return [...checks, check('pkce', true, 'RFC 7636 §4.3', found)]
}

/** Puts a request into a request object, and pushes it, as the options say. */
export async function* asCarried(
  walk: Walk,
  ports: Pick<FlowPorts, 'now' | 'random'>,
  wished: AuthorizationRequest,
  wanted: FlowOptions,
): Steps<AuthorizationRequest> {
  const { requestObject } = wanted
  const { clientId } = wished
  const object =
    requestObject &&
    (yield* requestObjectOf(walk, ports, requestParameters(wished), { ...wanted, clientId }, requestObject))
  const asked = object === undefined ? wished : withObject(wished, object)
  return wanted.push ? yield* push(walk, wanted, asked) : asked
}

/**
 * Sends the user agent to the authorization server and reads the answer.
 * @param read takes the address of the answer; throws OAuthError where a rule is broken
 * @param more further members of the last step
 */
export async function* authorize<Answer extends { readonly checks: readonly Check[] }>(
  walk: Walk,
  ports: FlowPorts,
  wished: AuthorizationRequest,
  wanted: FlowOptions,
  read: (landed: string) => Answer,
  more: (answer: Answer) => Shown = () => ({}),
): Steps<Answer> {
  const { step } = walk
  const { userAgent, signal } = ports
  const request = yield* asCarried(walk, ports, wished, wanted)
  yield step('authorization_request', { url: request.url, checks: requestChecks(request, wanted.metadata) })
  for await (const { name, landed, ...shown } of userAgent.authorize({ request, signal })) {
    signal.throwIfAborted()
    if (landed === undefined) {
      yield step(name, shown)
      continue
    }
    if (isJwtMode(request.responseMode)) {
      const arrived = yield* arrivedJwt(walk, request, wanted, { ...shown, landed })
      return yield* readJwt(walk, ports, wanted, { request, arrived, read, more })
    }
    const answer = yield* walk.orRefused(name, shown.exchange, () => read(landed))
    yield step(name, { ...shown, url: landed, checks: answer.checks, ...more(answer) })
    return answer
  }
  throw new OAuthError('invalid_response', {
    description: 'the browser never came back to the redirect_uri',
    rule: 'RFC 6749 §4.1.2',
  })
}

/** JARM §2.3. A plain answer is refused. */
async function* arrivedJwt(
  walk: Walk,
  request: AuthorizationRequest,
  { decryptionKey }: FlowOptions,
  { landed, ...shown }: Shown & { readonly landed: string },
): Steps<ArrivedResponse> {
  const name = 'authorization_response'
  const arrived = yield* walk.orRefused(name, shown.exchange, () =>
    openResponse(responseJwt(landed, request), decryptionKey),
  )
  const checks = [check('response', true, 'JARM §2.3', 'a JWT')]
  yield walk.step(name, { ...shown, url: landed, checks, token: arrived.token })
  return arrived
}

/** JARM §2.4. */
async function* readJwt<Answer extends { readonly checks: readonly Check[] }>(
  walk: Walk,
  { now }: Pick<FlowPorts, 'now'>,
  { metadata, carriedKeys, clientId, clientSecret, registeredAlgorithms: registered }: FlowOptions,
  { request, arrived, read, more }: JwtReading<Answer>,
): Steps<Answer> {
  const name = 'response_verification'
  const exchange = metadata.jwks_uri === undefined ? undefined : await walk.send(get(metadata.jwks_uri))
  const published = yield* walk.orRefused(name, exchange, () => readKeys(exchange), { token: arrived.token })
  const { token, claims, refusal } = await verifyResponse(arrived, {
    published,
    carriedKeys,
    clientSecret,
    issuer: metadata.issuer,
    clientId,
    algorithms: metadata.authorization_signing_alg_values_supported,
    registeredAlgorithm: registered?.authorization,
    now: now(),
  })
  if (refusal !== undefined) {
    yield walk.step(name, defined({ exchange, token, note: refusal.description }))
    throw refusal
  }
  const answer = yield* walk.orRefused(name, exchange, () => read(landedWithout(claims, request)), { token })
  const { token: first, tokens = [], ...shown } = more(answer)
  const held = first === undefined ? tokens : [first, ...tokens]
  const note = 'the response JWT is verified'
  yield walk.step(
    name,
    defined({
      note,
      ...shown,
      exchange,
      token,
      checks: answer.checks,
      tokens: held.length === 0 ? undefined : held,
    }),
  )
  return answer
}

interface JwtReading<Answer> {
  readonly request: AuthorizationRequest
  readonly arrived: ArrivedResponse
  readonly read: (landed: string) => Answer
  readonly more: (answer: Answer) => Shown
}
