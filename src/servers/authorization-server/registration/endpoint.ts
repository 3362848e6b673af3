import { jsonResponse } from '../../../protocol/http/message.js'
import type { Route } from '../../../protocol/http/site.js'
import { defined } from '../../../protocol/values.js'
import { NOT_STORED } from '../endpoints/client-endpoint.js'
import type { RateLimit } from '../logins/rate-limit.js'
import type { RegisteredClients } from '../stores/registered-clients.js'
import type { Registry } from '../stores/registry.js'
import { clientInformation, type InformationContext, managementUri } from './client-information.js'
import { checkInitialAccess } from './initial-access.js'
import { type CheckMetadata, readBody } from './registrar.js'
import { storeFull } from './registration-error.js'
import { countRequest, registrationRoute } from './registration-route.js'
import type { RegistrationSettings } from './settings.js'

/** The path of the registration endpoint. */
export const REGISTRATION_PATH = '/register'

/** The parts that register clients. */
export interface RegistrationParts {
  readonly registration: RegistrationSettings
  readonly clients: RegisteredClients
  readonly registry: Registry
  readonly information: InformationContext
  readonly checkMetadata: CheckMetadata
  /** Counts registrations and updates by source. */
  readonly limit: RateLimit
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Returns `length` unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
}

/** `/register` (RFC 7591 §3, OpenID Connect Registration §3): registers a client. */
export function registrationEndpoint(parts: RegistrationParts): Route {
  const { registration, clients, registry, information, checkMetadata, limit, now, random } = parts
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
      if (!clients.add(registered, token)) throw storeFull()
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
