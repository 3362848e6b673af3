import { bounded, unknownName } from '../../../protocol/events.js'
import { type HttpRequest, headerValues, splitUrl } from '../../../protocol/http/message.js'
import { networkOf } from '../../../protocol/http/network.js'
import {
  type Client,
  certificateMethod,
  isConfidential,
  type TokenEndpointAuthMethod,
} from '../../../protocol/oauth/client.js'
import {
  type BodyCredentials,
  type ClientCredentials,
  readClientCredentials,
} from '../../../protocol/oauth/client-auth.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import { but, butSecret, insteadOfToken, readAgain } from '../../../protocol/second-reading.js'
import { secretDigest, secretMatches } from '../../../protocol/secrets.js'
import {
  assertedClientId,
  assertionMethod,
  JWT_CLIENT_ASSERTION_TYPE,
  verifyClientAssertion,
} from '../assertions/jwt.js'
import type { Publish } from '../events.js'
import type { AuthenticatedClient } from '../model.js'
import type { BaseParts } from '../parts.js'
import { clauseOf } from '../profiles/profiles.js'
import { algorithmRefusal, assertionAlgorithms, methodRefusal } from '../profiles/refusals.js'
import type { Registry } from '../stores/registry.js'
import { ClientAuthenticationError, TooManyAttempts } from './client-endpoint.js'
import { authenticateByCertificate, baseOf, CERTIFICATE_METHODS } from './mutual-tls.js'

/** The methods that need no certificate, as the metadata lists them. */
const AUTH_METHODS = [
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  'private_key_jwt',
  'none',
] as const

/**
 * Returns the supported methods of client authentication.
 * @param mtlsUrl base URL of the endpoints that ask for certificates; undefined: there are none
 */
export function authMethodsAt(mtlsUrl: string | undefined): readonly TokenEndpointAuthMethod[] {
  return mtlsUrl === undefined ? AUTH_METHODS : [...AUTH_METHODS, ...CERTIFICATE_METHODS]
}

/**
 * Authenticates the client of a request (RFC 6749 §2.3, §3.2.1). Its side effects are to mark assertions as
 * used, and to count wrong secrets.
 * @throws ClientAuthenticationError; TooManyAttempts after too many wrong secrets
 */
export type AuthenticateClient = (
  http: HttpRequest,
  body: BodyCredentials,
  publish: Publish,
) => Promise<AuthenticatedClient>

/** Makes the authentication that all client endpoints use. */
export function createClientAuthentication(parts: BaseParts): AuthenticateClient {
  const { settings, registry, issuer, now, clientAssertionReplay: replay, secretLimit, clientKeys } = parts
  const { mtlsUrl } = settings

  async function withAssertion(
    credentials: AssertionCredentials,
    called: string,
    publish: Publish,
  ): Promise<Client> {
    const { assertion, assertionType, clientId } = credentials
    if (assertionType !== JWT_CLIENT_ASSERTION_TYPE) {
      throw failure(`client_assertion_type must be ${JWT_CLIENT_ASSERTION_TYPE}`, credentials)
    }
    const asserted = assertedClientId(assertion)
    if (asserted === undefined) {
      const problem = 'the client_assertion is no JWT with the client_id as sub'
      throw failure(`${problem}${but(insteadOfToken(assertion))}`, credentials)
    }
    if (clientId !== undefined && clientId !== asserted) {
      throw failure('client_id is not the sub of the client_assertion', credentials)
    }
    const client = registry.client(asserted)
    if (client === undefined) throw failure('the client of the client_assertion is unknown', credentials)
    try {
      const keysOf = (kid: string | undefined) => clientKeys(client, { kid, publish })
      const audience = assertionAudience(client, issuer, called)
      await verifyClientAssertion(assertion, {
        client,
        clientId: client.client_id,
        keysOf,
        ...audience,
        algorithms: assertionAlgorithms(client),
        now: now(),
        replay,
      })
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      const { code, description, rule, evidence = client.client_id } = error
      throw new ClientAuthenticationError(code, { description, rule, evidence }, false)
    }
    return client
  }

  /** Returns the client of a request that names a client with a certificate (RFC 8705 §2); undefined for every other client. */
  async function withCertificate(
    credentials: NoCredentials,
    http: HttpRequest,
    publish: Publish,
  ): Promise<Client | undefined> {
    const client = credentials.clientId === undefined ? undefined : registry.client(credentials.clientId)
    const method = client && certificateMethod(client)
    if (client === undefined || method === undefined) return undefined
    if (!client.enabled) throw failure('this client is disabled', credentials)
    try {
      const keysOf = async (kid?: string) => (await clientKeys(client, { kid, publish })).keys
      await authenticateByCertificate({ client, method, http, mtlsUrl: mtlsUrl?.(), keysOf })
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      const { description, rule, evidence = client.client_id } = error
      throw new ClientAuthenticationError('invalid_client', { description, rule, evidence }, false)
    }
    return client
  }

  return async (http, body, publish) => {
    const credentials = readClientCredentials(headerValues(http, 'authorization'), body)
    if ('code' in credentials) {
      const { code, rule, usedHeader } = credentials
      const problem = usedHeader
        ? `${credentials.problem}${butBasic(headerValues(http, 'authorization'))}`
        : credentials.problem
      throw new ClientAuthenticationError(code, { description: problem, rule }, usedHeader)
    }
    refuseUnusable(credentials, registry)
    const { method } = credentials
    const certified = method === 'none' ? await withCertificate(credentials, http, publish) : undefined
    if (certified !== undefined) {
      refuseByProfile(certified, credentials)
      return certified as AuthenticatedClient
    }
    const base = baseOf(http, { issuer, mtlsUrl: mtlsUrl?.() })
    const client =
      method === 'private_key_jwt'
        ? await withAssertion(credentials, `${base}${splitUrl(http.url).path}`, publish)
        : method === 'none'
          ? publicClient(credentials, registry)
          : await withSecret(credentials, { registry, secretLimit, http, publish })
    refuseByRegistration(client, credentials)
    refuseByProfile(client, credentials)
    return client as AuthenticatedClient
  }
}

/** Returns what a header is in place of Basic credentials, as the end of a sentence; empty where nothing is known. */
function butBasic([value = '']: readonly string[]): string {
  const [scheme = '', rest = ''] = value.trim().split(/\s+/, 2)
  if (scheme.toLowerCase() !== 'basic') return `; its scheme is ${bounded(scheme, 20)}`
  if (rest.includes(':')) return '; base64 is missing around client_id:client_secret'
  return readAgain(rest, each => each.includes(':')) ? '; it is encoded twice' : ''
}

function failure(description: string, credentials: ClientCredentials): ClientAuthenticationError {
  const basic = credentials.method === 'client_secret_basic'
  const id = basic ? credentials.readings[0]?.clientId : credentials.clientId
  return new ClientAuthenticationError(
    'invalid_client',
    { description, rule: 'RFC 6749 §3.2.1', evidence: id === undefined ? 'no client_id' : unknownName(id) },
    basic,
  )
}

/** @throws ClientAuthenticationError when the client cannot be used now, such as one whose document is refused */
function refuseUnusable(credentials: ClientCredentials, registry: Registry): void {
  for (const id of claimedIds(credentials)) {
    const refused = registry.problem(id)
    if (refused === undefined) continue
    const { problem: description, rule } = refused
    const usedHeader = credentials.method === 'client_secret_basic'
    throw new ClientAuthenticationError(
      'invalid_client',
      { description, rule, evidence: unknownName(id) },
      usedHeader,
    )
  }
}

/** The method of credentials: an assertion may be signed by a key or by the secret. */
function methodOf(credentials: ClientCredentials): TokenEndpointAuthMethod {
  const { method } = credentials
  return method === 'private_key_jwt' ? assertionMethod(credentials.assertion) : method
}

function claimedIds(credentials: ClientCredentials): readonly string[] {
  if (credentials.method === 'client_secret_basic') return credentials.readings.map(each => each.clientId)
  const { clientId } = credentials
  const asserted =
    credentials.method === 'private_key_jwt' ? assertedClientId(credentials.assertion) : undefined
  return [clientId, asserted].filter(id => id !== undefined)
}

/** @throws ClientAuthenticationError when the client is disabled, or registered for another method */
function refuseByRegistration(client: Client, credentials: ClientCredentials): void {
  if (!client.enabled) throw failure('this client is disabled', credentials)
  const { token_endpoint_auth_method: registered } = client
  if (registered === undefined || registered === methodOf(credentials)) return
  throw failure(`this client is registered for ${registered}`, credentials)
}

/** @throws ClientAuthenticationError for a client that its profile has no place for */
function refuseByProfile(client: Client, credentials: ClientCredentials): void {
  const method = certificateMethod(client) ?? methodOf(credentials)
  const refusal = methodRefusal(client, method) ?? algorithmRefusal(client)
  if (refusal === undefined) return
  const { problem: description, rule } = refusal
  const detail = { description, rule, evidence: client.client_id }
  throw new ClientAuthenticationError('invalid_client', detail, method === 'client_secret_basic')
}

type NoCredentials = Extract<ClientCredentials, { method: 'none' }>
type AssertionCredentials = Extract<ClientCredentials, { method: 'private_key_jwt' }>
type SecretCredentials = Exclude<ClientCredentials, NoCredentials | AssertionCredentials>

function publicClient(credentials: NoCredentials, registry: Registry): Client {
  const { clientId } = credentials
  if (clientId === undefined) {
    throw failure('no client authentication and no client_id were sent', credentials)
  }
  const client = registry.client(clientId)
  if (client === undefined) throw failure('the client is unknown', credentials)
  if (isConfidential(client)) throw failure('this client has credentials and must authenticate', credentials)
  return client
}

const noSecret = secretDigest('')

const digests = new WeakMap<Client, Uint8Array>()

/** Returns the digest of a client's secret, computed once for each client. */
function digestOf(client: Client | undefined): Uint8Array {
  if (client?.client_secret === undefined) return noSecret
  const known = digests.get(client)
  if (known !== undefined) return known
  const made = secretDigest(client.client_secret)
  digests.set(client, made)
  return made
}

/** True for the secret of a client. It compares for an unknown client too, so that the time does not reveal which clients exist. */
function isSecretOf(client: Client | undefined, secret: string): boolean {
  const isEqual = secretMatches(secret, digestOf(client))
  return isEqual && client?.client_secret !== undefined
}

interface Try {
  readonly clientId: string
  readonly secret: string
}

/** Returns what wrong credentials are in place of the right ones, as the end of a sentence; empty where nothing fits. */
function butCredentials(tries: readonly Try[], registry: Registry): string {
  const isRight = (secret: string) =>
    tries.some(({ clientId }) => isSecretOf(registry.client(clientId), secret))
  const other = tries.map(({ secret }) => butSecret(secret, isRight)).find(each => each !== '')
  const isSwapped = tries.some(({ clientId, secret }) => isSecretOf(registry.client(secret), clientId))
  return other ?? (isSwapped ? '; client_id and secret are swapped' : '')
}

/**
 * Returns the client of a secret. Wrong secrets are limited (RFC 6749 §2.3.1); an empty one is no guess, because clients
 * without a secret send it to find out how to authenticate.
 */
async function withSecret(
  credentials: SecretCredentials,
  {
    registry,
    secretLimit,
    http,
    publish,
  }: Pick<BaseParts, 'registry' | 'secretLimit'> & {
    readonly http: HttpRequest
    readonly publish: Publish
  },
): Promise<Client> {
  const tries =
    credentials.method === 'client_secret_basic'
      ? credentials.readings
      : [{ clientId: credentials.clientId ?? '', secret: credentials.secret }]
  let found: Client | undefined
  // A program that reaches this machine by the other protocol is not locked out: a secret is longer than a password.
  const attempt = {
    accounts: [...new Set(tries.map(each => each.clientId))],
    source: networkOf(http.remoteAddress),
  }
  const verdict = await secretLimit.check(attempt, async () => {
    for (const { clientId, secret } of tries) {
      const client = registry.client(clientId)
      if (!isSecretOf(client, secret)) continue
      const wasRaw = tries.length > 1 && tries[1]?.clientId === clientId && tries[1].secret === secret
      if (wasRaw) publish({ type: 'client_secret.unencoded', client_id: clientId, rule: 'RFC 6749 §2.3.1' })
      found = client
      return 'right'
    }
    return tries.some(each => each.secret !== '') ? 'wrong' : 'no guess'
  })
  if (verdict.kind === 'limited') {
    const description = 'too many wrong secrets were sent for this client; try again later'
    throw new TooManyAttempts({ description, rule: 'RFC 6749 §2.3.1' }, verdict.retryAfterSeconds)
  }
  if (found !== undefined) return found
  const hint = butCredentials(tries, registry)
  throw failure(`the client is unknown, or its secret is wrong${hint}`, credentials)
}

interface AssertionAudience {
  readonly audiences: readonly string[]
  /** True when `aud` must be a string, not a list. */
  readonly asString: boolean
  readonly rule: Citation | undefined
}

/**
 * Returns the audiences of a client's assertions. By default these are the issuer, the token endpoint (RFC 7523 §3) and the
 * called endpoint (RFC 9126 §2). A strict client names the issuer alone: an assertion for an address of one server could
 * be made for another one that claims the address (draft-ietf-oauth-rfc7523bis §4).
 * @param called the URL of the called endpoint
 */
function assertionAudience(client: Client, issuer: string, called: string): AssertionAudience {
  if (client.strict_assertion_audience !== true) {
    return { audiences: [issuer, `${issuer}/token`, called], asString: false, rule: undefined }
  }
  const rule = clauseOf(client, 'audience', 'draft-ietf-oauth-rfc7523bis §4')
  return { audiences: [issuer], asString: true, rule }
}
