import type { Defences } from '../defences.js'
import { RESPONSE_TYPES } from '../parameters/response-type.js'
import { readClientMetadata } from '../registration/client-metadata.js'
import type { Abilities } from '../registration/members.js'
import type { AuthorizationServerPorts, AuthorizationServerSettings } from '../settings.js'
import type { RegisteredClients } from '../stores/registered-clients.js'
import { createDocumentClients } from './document-clients.js'
import { type ClientDocuments, createClientDocuments } from './documents.js'
import { portableMetadata } from './portable.js'

/** The parts of a server that its client documents use. */
export interface ServerDocumentParts {
  readonly settings: AuthorizationServerSettings
  readonly defences: Pick<Defences, 'judgeDocument'>
  readonly ports: Pick<AuthorizationServerPorts, 'now' | 'fetchDocument' | 'documentClients'>
  readonly registered: RegisteredClients
  /** Called when a document is read, because the abilities depend on the clients. */
  readonly abilities: () => Abilities
}

/** Makes the documents of a server; undefined for one that fetches none. */
export function serverDocuments(parts: ServerDocumentParts): ClientDocuments | undefined {
  const { settings, defences, ports, registered, abilities } = parts
  const { now, fetchDocument, documentClients: clients = createDocumentClients() } = ports
  if (!settings.clientIdDocuments || fetchDocument === undefined) return undefined
  const scopes = Object.keys(settings.scopes)
  const { profile } = settings
  return createClientDocuments({
    clients,
    isRegistered: id =>
      settings.clients.some(each => each.client_id === id) || registered.client(id) !== undefined,
    fetchDocument,
    judgeDocument: defences.judgeDocument,
    readMetadata(metadata, clientId) {
      const own = abilities()
      const values = { grantTypes: own.grantTypes, responseTypes: RESPONSE_TYPES, scopes }
      const context = { ...own, clientId, scopes, profile, secret: withoutSecret }
      const read = readClientMetadata(portableMetadata(metadata, values), context)
      return 'faults' in read ? read.faults[0] : { client: read.client }
    },
    now,
  })
}

/** A client with a secret never comes from a document, because its rules refuse every use of one. */
function withoutSecret(): never {
  throw new Error('the document of a client asks for a secret')
}
