import { answerMembers } from '../../../flows/answers/answer-members.js'
import { registrationRequest } from '../../../flows/mcp/register.js'
import { isProtectedAddress } from '../../../flows/metadata/resource-metadata.js'
import { isUrl } from '../../../protocol/http/address.js'
import type { Exchange, Send } from '../../../protocol/http/exchange.js'
import { bytes, type Header, type HttpRequest, splitUrl, text } from '../../../protocol/http/message.js'
import type { AuthorizationServerMetadata } from '../../../protocol/oauth/metadata.js'
import { isJsonObject, type JsonObject } from '../../../protocol/values.js'
import { reached } from '../publication.js'

/** The address at which a client is managed, and its token (RFC 7592 §3). */
export interface Management {
  readonly url: string
  readonly token: string
}

/** A client that a server under test has registered. */
export interface Registered {
  readonly clientId: string
  /** Absent: the server lets nobody manage the client, or at another origin. */
  readonly management?: Management
}

/** Registers clients at a server under test, and removes them again. */
export interface Registrar {
  /** The metadata of an honest client. */
  readonly honest: JsonObject
  /** Sends a registration request. Returns undefined where no answer came. */
  register(members: JsonObject): Promise<Exchange | undefined>
  /** Sends a request for the management of a client. Returns undefined where no answer came. */
  manage(method: 'GET' | 'DELETE', url: string, token?: string): Promise<Exchange | undefined>
  /** Removes every client that was registered and is still there. Returns those that stay. */
  removeAll(): Promise<readonly Registered[]>
}

/** The client in the answer to a registration; undefined for any other answer. */
export function registeredIn(exchange: Exchange | undefined): Registered | undefined {
  const status = exchange?.response?.status
  if (exchange === undefined || (status !== 200 && status !== 201)) return undefined
  const {
    client_id: clientId,
    registration_client_uri: url,
    registration_access_token: token,
  } = answerMembers(exchange)
  if (typeof clientId !== 'string') return undefined
  // The token of the registration goes to the server that gave it, and to no other one.
  const own =
    typeof url === 'string' &&
    isUrl(url) &&
    isProtectedAddress(url) &&
    splitUrl(url).origin === splitUrl(exchange.request.url).origin
  return own && typeof token === 'string' ? { clientId, management: { url, token } } : { clientId }
}

function membersOf({ body }: HttpRequest): JsonObject {
  const value: unknown = JSON.parse(text(body))
  return isJsonObject(value) ? value : {}
}

/** Sends a request for the management of a client (RFC 7592 §2). Returns undefined where no answer came. */
export function manageRegistration(
  { send, signal }: { readonly send: Send; readonly signal: AbortSignal },
  method: 'GET' | 'DELETE',
  url: string,
  token?: string,
): Promise<Exchange | undefined> {
  const headers: Header[] = [['accept', 'application/json']]
  if (token !== undefined) headers.push(['authorization', `Bearer ${token}`])
  return reached(send({ method, url, headers, body: new Uint8Array() }, { signal }), signal)
}

/** Makes the registrar of a server. @throws OAuthError for a server without a registration endpoint that may be used */
export function createRegistrar(
  { send, signal }: { readonly send: Send; readonly signal: AbortSignal },
  metadata: AuthorizationServerMetadata,
  redirectUri: string,
): Registrar {
  const request = registrationRequest(metadata, { redirectUri, name: 'oauth-lab doctor' })
  const there = new Map<string, Registered>()
  const manage: Registrar['manage'] = (method, url, token) =>
    manageRegistration({ send, signal }, method, url, token)
  return {
    honest: membersOf(request),
    async register(members) {
      const exchange = await reached(
        send({ ...request, body: bytes(JSON.stringify(members)) }, { signal }),
        signal,
      )
      const client = registeredIn(exchange)
      if (client) there.set(client.clientId, client)
      return exchange
    },
    async manage(method, url, token) {
      const exchange = await manage(method, url, token)
      const gone = method === 'DELETE' && exchange?.response?.status === 204
      if (gone) for (const [id, client] of there) if (client.management?.url === url) there.delete(id)
      return exchange
    },
    async removeAll() {
      for (const { clientId, management } of [...there.values()]) {
        if (management === undefined) continue
        const exchange = await manage('DELETE', management.url, management.token)
        if (exchange?.response?.status === 204) there.delete(clientId)
      }
      return [...there.values()]
    },
  }
}
