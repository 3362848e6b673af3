import { isUrl } from '../../protocol/http/address.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { bytes, type HttpRequest, header } from '../../protocol/http/message.js'
import { jsonObject, refusalIn } from '../../protocol/oauth/answers.js'
import { advice, type Check, check } from '../../protocol/oauth/check.js'
import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { ClientSecretPlace } from '../../protocol/oauth/token.js'
import { isProtectedAddress } from '../metadata/resource-metadata.js'
import type { RevisionRules } from './revisions.js'

/** The ways in which a client gets its client_id, best first. */
export const REGISTRATIONS = ['given', 'document', 'dynamic'] as const

export type Registration = (typeof REGISTRATIONS)[number]

/** A client as one authorization server knows it. */
export interface McpClient {
  readonly clientId: string
  readonly clientSecret?: string
  readonly auth: ClientSecretPlace
}

/** A client that was registered before. */
export interface GivenClient {
  readonly clientId: string
  readonly clientSecret?: string
  /** Absent: the first issuer that the MCP server names. */
  readonly issuer?: string
}

export interface Introductions {
  /** Absent: the best way that is possible. */
  readonly register?: Registration | undefined
  readonly given?: GivenClient | undefined
  readonly document?: string | undefined
}

export interface ChosenRegistration {
  readonly way: Registration
  readonly checks: readonly Check[]
}

/** Undefined without an endpoint that may be used. */
function registrationEndpoint({
  registration_endpoint: url,
}: AuthorizationServerMetadata): string | undefined {
  return typeof url === 'string' && isUrl(url) && isProtectedAddress(url) ? url : undefined
}

function noWay(
  description: string,
  rule:
    | 'MCP 2026-07-28 Registration §1'
    | 'MCP 2026-07-28 Registration §2'
    | 'MCP 2026-07-28 Registration §3',
) {
  return new OAuthError('no_registration', { description, rule })
}

function askedWay(
  way: Registration,
  { given, document }: Introductions,
  metadata: AuthorizationServerMetadata,
): Check {
  if (way === 'given') {
    if (given)
      return check('registration', true, 'MCP 2026-07-28 Registration §2', `as you asked: ${given.clientId}`)
    throw noWay('no client was given: name it by --client-id', 'MCP 2026-07-28 Registration §2')
  }
  if (way === 'document') {
    const rule = 'MCP 2026-07-28 Registration §1'
    if (document === undefined)
      throw noWay('no metadata document was given: name it by --client-document', rule)
    const supported = metadata.client_id_metadata_document_supported === true
    const detail = supported
      ? document
      : `${document}, which the authorization server does not announce to support`
    return advice('registration', supported, rule, detail)
  }
  const rule = 'MCP 2026-07-28 Registration §3'
  if (registrationEndpoint(metadata) === undefined) {
    throw noWay('the authorization server has no registration_endpoint', rule)
  }
  return check('registration', true, rule, 'as you asked: dynamic registration')
}

/** Chooses the best way that is possible: a given client, a metadata document, dynamic registration. */
function bestWay(
  { given, document }: Introductions,
  metadata: AuthorizationServerMetadata,
  { documents }: RevisionRules,
): ChosenRegistration {
  const preregistered = 'MCP 2026-07-28 Registration §2'
  if (given) return { way: 'given', checks: [check('registration', true, preregistered, given.clientId)] }
  const supported = documents && metadata.client_id_metadata_document_supported === true
  if (document !== undefined && supported) {
    return {
      way: 'document',
      checks: [check('registration', true, 'MCP 2026-07-28 Registration §1', document)],
    }
  }
  const rule = 'MCP 2026-07-28 Registration §3'
  if (registrationEndpoint(metadata) !== undefined) {
    const why =
      document === undefined
        ? 'no client and no metadata document were given'
        : 'the authorization server does not announce metadata documents'
    return { way: 'dynamic', checks: [check('registration', true, rule, `dynamic: ${why}`)] }
  }
  const hint = supported
    ? 'name a metadata document by --client-document, or a client by --client-id'
    : 'name a client that it knows by --client-id'
  throw noWay(`the authorization server has no registration_endpoint: ${hint}`, preregistered)
}

function deprecation(way: Registration, { dynamicDeprecated }: RevisionRules): Check[] {
  if (way !== 'dynamic' || !dynamicDeprecated) return []
  const detail = 'dynamic registration is deprecated; a metadata document needs none'
  return [advice('deprecated', false, 'MCP 2026-07-28 Registration §3', detail)]
}

/** Chooses how the client introduces itself. @throws OAuthError `no_registration` where no way is possible */
export function chooseRegistration(
  means: Introductions,
  metadata: AuthorizationServerMetadata,
  rules: RevisionRules,
): ChosenRegistration {
  const chosen =
    means.register === undefined
      ? bestWay(means, metadata, rules)
      : { way: means.register, checks: [askedWay(means.register, means, metadata)] }
  return { ...chosen, checks: [...chosen.checks, ...deprecation(chosen.way, rules)] }
}

/** In the order of preference. */
const SECRET_METHODS = ['client_secret_basic', 'client_secret_post'] as const

/** The default is client_secret_basic (RFC 8414 §2). */
function methodsOf({
  token_endpoint_auth_methods_supported: named,
}: AuthorizationServerMetadata): readonly string[] {
  return named ?? ['client_secret_basic']
}

/** The place of the secret, by the registration, else by the announced methods. */
export function authOf(
  secret: string | undefined,
  registered: unknown,
  metadata: AuthorizationServerMetadata,
): ClientSecretPlace {
  const method = SECRET_METHODS.find(each => each === registered)
  if (secret === undefined || registered === 'none') return 'none'
  if (method !== undefined) return method
  const announced = methodsOf(metadata)
  if (announced.length > 0 && announced.every(each => each === 'none')) return 'none'
  return SECRET_METHODS.find(each => announced.includes(each)) ?? 'client_secret_basic'
}

/** The request of a client on this computer (RFC 7591 §3.1). @throws OAuthError without an endpoint */
export function registrationRequest(
  metadata: AuthorizationServerMetadata,
  { redirectUri, name }: { readonly redirectUri: string; readonly name: string },
): HttpRequest {
  const url = registrationEndpoint(metadata)
  if (url === undefined) {
    throw noWay('the authorization server has no registration_endpoint', 'MCP 2026-07-28 Registration §3')
  }
  const methods = methodsOf(metadata)
  const method = ['none', ...SECRET_METHODS].find(each => methods.includes(each)) ?? 'none'
  const refresh = metadata.grant_types_supported?.includes('refresh_token') ?? false
  const body = {
    client_name: name,
    redirect_uris: [redirectUri],
    grant_types: refresh ? ['authorization_code', 'refresh_token'] : ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: method,
    application_type: 'native',
  }
  return {
    method: 'POST',
    url,
    headers: [
      ['accept', 'application/json'],
      ['content-type', 'application/json'],
    ],
    body: bytes(JSON.stringify(body)),
  }
}

/** Reads the answer of a registration endpoint (RFC 7591 §3.2.1). @throws OAuthError */
export function registeredClient(
  exchange: Exchange,
  metadata: AuthorizationServerMetadata,
  redirectUri: string,
): { readonly client: McpClient; readonly checks: readonly Check[] } {
  const rule = 'RFC 7591 §3.2.1'
  const status = exchange.response?.status
  if (status !== 201 && status !== 200) throw refusalIn(exchange, 'the registration endpoint')
  const members = jsonObject(exchange, 'the registration endpoint', rule)
  const { client_id: clientId, client_secret: secret, redirect_uris: uris } = members
  const { token_endpoint_auth_method: method } = members
  const invalid = (description: string) => new OAuthError('invalid_response', { description, rule })
  if (typeof clientId !== 'string' || clientId === '') throw invalid('the registration has no client_id')
  if (secret !== undefined && typeof secret !== 'string') throw invalid('client_secret is no string')
  const auth = authOf(secret, method, metadata)
  const kept = Array.isArray(uris) && uris.includes(redirectUri)
  const store = exchange.response && header(exchange.response, 'cache-control')
  return {
    client: { clientId, ...(auth !== 'none' && secret !== undefined && { clientSecret: secret }), auth },
    checks: [
      advice('status', status === 201, rule, String(status)),
      advice('redirect_uris', kept, rule, kept ? redirectUri : 'the answer does not repeat our redirect_uri'),
      advice(
        'no_store',
        /\bno-store\b/i.test(store ?? ''),
        rule,
        store ?? 'Cache-Control: no-store is missing',
      ),
      check('application_type', true, 'MCP 2026-07-28 Registration §3.1', 'native'),
    ],
  }
}
