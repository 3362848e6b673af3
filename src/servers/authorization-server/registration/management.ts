import { type HttpRequest, jsonResponse } from '../../../protocol/http/message.js'
import type { Route } from '../../../protocol/http/site.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { secretsEqual } from '../../../protocol/oauth/client-auth.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { JsonObject } from '../../../protocol/values.js'
import { defined } from '../../../protocol/values.js'
import { NOT_STORED } from '../endpoints/client-endpoint.js'
import type { RegisteredClient } from '../stores/registered-clients.js'
import { clientInformation, registeredMetadata } from './client-information.js'
import { isEmpty } from './client-metadata.js'
import { REGISTRATION_PATH, type RegistrationParts } from './endpoint.js'
import { requiredToken } from './initial-access.js'
import { readBody } from './registrar.js'
import { type RegistrationErrorCode, storeFull } from './registration-error.js'
import { countRequest, registrationRoute } from './registration-route.js'

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

/** Returns the names of the members that differ. */
function changedNames(before: JsonObject, after: JsonObject): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter(name => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
}

/** `/register/ID` (RFC 7592): a client reads, updates and deletes its registration. */
export function managementEndpoint(parts: RegistrationParts): Route {
  const { clients, registry, information, checkMetadata, limit, random } = parts

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
