import type { Route } from '../../../protocol/http/site.js'
import type { Defences } from '../defences.js'
import { createRateLimit } from '../logins/rate-limit.js'
import type { CheckSector } from '../pairwise/sector-documents.js'
import type { AuthorizationServerPorts, AuthorizationServerSettings } from '../settings.js'
import type { RegisteredClients } from '../stores/registered-clients.js'
import type { Registry } from '../stores/registry.js'
import { registrationEndpoint } from './endpoint.js'
import { managementEndpoint } from './management.js'
import type { Abilities } from './members.js'
import { createRegistrar } from './registrar.js'

/** The parts of a server that the routes use. */
export interface RegistrationRouteParts {
  readonly settings: AuthorizationServerSettings
  readonly defences: Pick<Defences, 'registrationRules'>
  readonly ports: Pick<AuthorizationServerPorts, 'now' | 'random' | 'keyring'>
  readonly clients: RegisteredClients
  readonly registry: Registry
  readonly abilities: Abilities
  readonly checkSector: CheckSector
}

/** Returns the routes by which clients register themselves; none for a server whose settings have no registration. */
export function registrationRoutes(parts: RegistrationRouteParts): readonly Route[] {
  const { settings, defences, ports, clients, registry, abilities, checkSector } = parts
  const { registration, issuer, profile } = settings
  if (registration === undefined) return []
  const { now, random, keyring } = ports
  const information = {
    ...abilities,
    issuer,
    scopes: Object.keys(settings.scopes),
    idTokenAlgorithm: () => keyring.current().alg,
  }
  const shared = {
    registration,
    clients,
    registry,
    information,
    checkMetadata: createRegistrar({
      registration,
      profile,
      rules: defences.registrationRules,
      information,
      checkSector,
      now,
    }),
    limit: createRateLimit(registration.rate, { now }),
    now,
    random,
  }
  return [registrationEndpoint(shared), managementEndpoint(shared)]
}
