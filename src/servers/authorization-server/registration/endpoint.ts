import { type HttpRequest, jsonResponse } from '../../../protocol/http/message.js'
import { sourceOf } from '../../../protocol/http/network.js'
import type { Route } from '../../../protocol/http/site.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { formatScope } from '../../../protocol/oauth/scope.js'
import { createRateLimit, type RateLimit } from '../../../protocol/rate-limit.js'
import { secretsEqual } from '../../../protocol/secrets.js'
import { defined, type JsonObject } from '../../../protocol/values.js'
import { NOT_STORED } from '../endpoints/client-endpoint.js'
import type { ServerParts } from '../endpoints/parts.js'
import type { RegistrationSettings } from '../settings.js'
import type { RegisteredClient } from '../stores/registry.js'
import { isEmpty } from './client-metadata.js'
import { type InformationContext, membersOf } from './members.js'
import { type CheckMetadata, createRegistrar, readBody } from './registrar.js'
import {
  checkInitialAccess,
  countRequest,
  type RegistrationErrorCode,
  registrationRoute,
  requiredToken,
  storeFull,
} from './registration-route.js'

export const REGISTRATION_PATH = '/register'

/** The parts of the server, and those of its registrations. */
type RegistrationParts = ServerParts & {
  readonly registration: RegistrationSettings
  readonly information: InformationContext
  readonly checkMetadata: CheckMetadata
  /** Counts registrations and updates by source. */
  readonly limit: RateLimit
}

/** `/register` (RFC 7591 §3, OpenID Connect Registration §3): registers a client. */
function registrationEndpoint(parts: RegistrationParts): Route {
  const {
    registration,
    registered: clients,
    registry,
    information,
    checkMetadata,
    limit,
    now,
    random,
  } = parts
  const unpredictable = (length: number, encoding: 'hex' | 'base64url') =>
    Buffer.from(random(length)).toString(encoding)

  return registrationRoute(REGISTRATION_PATH, {
    async POST(http, publish) {
      countRequest(http, limit)
      checkInitialAccess(http, registration)
      const body = readBody(http)
      // In hex: an id never begins with a character that a shell takes for an option.
      const id = unpredictable(16, 'hex')
      const registrant = { clientId: id, secret: () => unpredictable(32, 'base64url') }
      const checked = await checkMetadata(body, registrant, publish)
      const token = unpredictable(32, 'base64url')
      const registered = { client: checked.client, at: now(), statement: checked.statement }
      if (!clients.add(registered, token, sourceOf(http.remoteAddress))) throw storeFull()
      const client = registry.client(id) ?? checked.client
      publish(
        defined({
          type: 'client.registered',
          client_id: id,
          client_name: client.client_name,
          application_type: client.application_type ?? 'web',
          redirect_uris: client.redirect_uris,
          grant_types: client.grant_types,
          token_endpoint_auth_method: client.token_endpoint_auth_method ?? 'client_secret_basic',
          access: registration.mode,
          statement_issuer: checked.statementIssuer,
          ignored: checked.ignored.length === 0 ? undefined : checked.ignored,
        }),
      )
      return jsonResponse(201, clientInformation(registered, client, token, information), [
        ...NOT_STORED,
        ['location', managementUri(information.issuer, id)],
      ])
    },
  })
}

/** Members of an answer that an update must not have (RFC 7592 §2.2). */
const ANSWERS_ALONE = [
  'registration_access_token',
  'registration_client_uri',
  'client_secret_expires_at',
  'client_id_issued_at',
] as const

const UPDATE = 'RFC 7592 §2.2'

const refusedUpdate = (description: string) =>
  new OAuthError<RegistrationErrorCode>('invalid_client_metadata', { description, rule: UPDATE })

/** Checks what an update says about the client itself. @throws OAuthError `invalid_client_metadata` */
function checkUpdate(body: JsonObject, { client_id: id, client_secret: secret }: Client): void {
  const forbidden = ANSWERS_ALONE.find(name => Object.hasOwn(body, name))
  if (forbidden !== undefined) {
    throw refusedUpdate(`${forbidden} is a member of answers; leave it out of an update`)
  }
  if (body.client_id !== id) throw refusedUpdate('client_id must be there, and be the id of this client')
  const sent = Object.hasOwn(body, 'client_secret') ? body.client_secret : undefined
  if (isEmpty(sent)) return
  if (typeof sent === 'string' && secret !== undefined && secretsEqual(sent, secret)) return
  throw refusedUpdate('client_secret is not the secret of this client; a client chooses no secret itself')
}

function changedNames(before: JsonObject, after: JsonObject): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter(name => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
}

/** `/register/ID` (RFC 7592): a client reads, updates and deletes its registration. */
function managementEndpoint(parts: RegistrationParts): Route {
  const { registered: clients, registry, information, checkMetadata, limit, random } = parts

  /** @throws OAuthError for a request without the token of the client; an unknown client has none (RFC 7592 §2.1) */
  function managed(
    http: HttpRequest,
    id: string,
  ): { readonly found: RegisteredClient; readonly token: string } {
    const token = requiredToken(http, 'the registration access token', 'RFC 7592 §2')
    const found = clients.isTokenOf(id, token) ? clients.find(id) : undefined
    if (found !== undefined) return { found, token }
    const description = 'this is not the registration access token of a client at this address'
    throw new OAuthError<RegistrationErrorCode>('invalid_token', { description, rule: 'RFC 7592 §2' })
  }

  const asRegistered = ({ client }: { readonly client: Client }) =>
    registry.client(client.client_id) ?? client

  return registrationRoute(`${REGISTRATION_PATH}/:id`, {
    GET(http, _, { id = '' }) {
      const { found, token } = managed(http, id)
      return jsonResponse(200, clientInformation(found, asRegistered(found), token, information), NOT_STORED)
    },
    async PUT(http, publish, { id = '' }) {
      const { found, token } = managed(http, id)
      countRequest(http, limit)
      const body = readBody(http)
      checkUpdate(body, found.client)
      const { client_secret: kept } = found.client
      const secret = () => kept ?? Buffer.from(random(32)).toString('base64url')
      const { client, statement } = await checkMetadata(body, { clientId: id, secret }, publish)
      const before = registeredMetadata(asRegistered(found), information)
      // The client may have been deleted while its documents were fetched.
      if (clients.find(id) === undefined) managed(http, id)
      if (!clients.replace({ client, statement })) throw storeFull()
      const now = asRegistered({ client })
      const changed = changedNames(before, registeredMetadata(now, information))
      const { client_name, redirect_uris } = now
      publish(defined({ type: 'client.updated', client_id: id, client_name, redirect_uris, changed }))
      const answered = { at: found.at, statement }
      return jsonResponse(200, clientInformation(answered, now, token, information), NOT_STORED)
    },
    DELETE(http, publish, { id = '' }) {
      managed(http, id)
      clients.remove(id)
      publish({ type: 'client.deleted', client_id: id, by: 'client' })
      return { status: 204, headers: NOT_STORED, body: new Uint8Array() }
    },
  })
}

/** Returns the address at which a client manages its registration (RFC 7592 §3). */
function managementUri(issuer: string, clientId: string): string {
  return `${issuer}/register/${encodeURIComponent(clientId)}`
}

/** Returns all registered metadata of a client, with the defaults of the server (RFC 7591 §3.2.1). */
function registeredMetadata(client: Client, context: InformationContext): JsonObject {
  const { scopes, idTokenAlgorithm } = context
  const names = Object.keys(membersOf(context)) as (keyof Client)[]
  const own = Object.fromEntries(names.map(name => [name, client[name]]))
  return defined({
    ...own,
    ...client.localized,
    // The default of RFC 7591 §2. The secret of a client that named no method counts in the body too.
    token_endpoint_auth_method: client.token_endpoint_auth_method ?? 'client_secret_basic',
    scope: formatScope(client.allowed_scopes ?? scopes),
    subject_type: client.subject_type ?? 'public',
    id_token_signed_response_alg: client.id_token_signed_response_alg ?? idTokenAlgorithm(),
  })
}

/**
 * Returns the answer about a client (RFC 7591 §3.2.1, RFC 7592 §3).
 * @param client as the server registers it
 * @param token its registration access token, as the request or the registration has it
 */
function clientInformation(
  { at, statement }: Pick<RegisteredClient, 'at' | 'statement'>,
  client: Client,
  token: string,
  context: InformationContext,
): JsonObject {
  const { client_id: id, client_secret: secret } = client
  return defined({
    client_id: id,
    client_id_issued_at: Math.floor(at / 1000),
    client_secret: secret,
    // 0: the secret does not end. The member is required beside a secret alone.
    client_secret_expires_at: secret === undefined ? undefined : 0,
    registration_access_token: token,
    registration_client_uri: managementUri(context.issuer, id),
    ...registeredMetadata(client, context),
    software_statement: statement,
  })
}

/** Returns the routes by which clients register themselves; none for a server whose settings have no registration. */
export function registrationRoutes(parts: ServerParts): readonly Route[] {
  const { settings, issuer, abilities, now, keyring } = parts
  const { registration } = settings
  if (registration === undefined) return []
  const information = {
    ...abilities,
    issuer,
    scopes: Object.keys(settings.scopes),
    idTokenAlgorithm: () => keyring.current().alg,
  }
  const shared = {
    ...parts,
    registration,
    information,
    checkMetadata: createRegistrar(parts, registration, information),
    limit: createRateLimit(registration.rate, { now }),
  }
  return [registrationEndpoint(shared), managementEndpoint(shared)]
}
