import type { Header, HttpResponse } from '../../../../src/protocol/http/message.js'
import type { DefendedSettings } from '../../../../src/servers/authorization-server/defences.js'
import type {
  AuthorizationServerPorts,
  RegistrationSettings,
} from '../../../../src/servers/authorization-server/settings.js'
import { json, lab } from '../support.js'

export const JSON_BODY: Header = ['content-type', 'application/json']
export const bearer = (token: unknown): Header => ['authorization', `Bearer ${String(token)}`]

const open: RegistrationSettings = { mode: 'open', tokens: [], statementIssuers: [], rate: 'off' }

export type Members = Readonly<Record<string, unknown>>

/** The smallest metadata of a web client. */
export const WEB: Members = { redirect_uris: ['https://client.example/cb'] }

/** A server at which clients register themselves. */
export function registrationLab(
  registration: Partial<RegistrationSettings> = {},
  settings: Partial<DefendedSettings> = {},
  ports: Partial<AuthorizationServerPorts> = {},
) {
  const server = lab({ registration: { ...open, ...registration }, ...settings }, undefined, ports)
  const register = (body: unknown, headers: readonly Header[] = []) =>
    server.send(
      'POST',
      '/register',
      [JSON_BODY, ...headers],
      typeof body === 'string' ? body : JSON.stringify(body),
    )
  /** Registers a client, which has to work. */
  async function registered(body: Members): Promise<Members> {
    const response = await register(body)
    if (response.status !== 201) throw new Error(`${response.status}: ${JSON.stringify(json(response))}`)
    return json(response)
  }
  /** Calls the management URL of a client with its token. */
  const manage = (
    client: Members,
    method: 'GET' | 'PUT' | 'DELETE',
    body?: unknown,
    token: unknown = client.registration_access_token,
  ): Promise<HttpResponse> =>
    server.send(
      method,
      new URL(String(client.registration_client_uri)).pathname,
      [bearer(token), JSON_BODY],
      body === undefined ? '' : JSON.stringify(body),
    )
  return { ...server, register, registered, manage }
}
