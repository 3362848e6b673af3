import { bytes, type HttpRequest } from '../../../protocol/http/message.js'
import type { ApiAccess, ApiCredentials } from './access.js'

/** The parameters of a query. Undefined parameters are not sent. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** A request to the API, without the address of the service. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path below the base URL, with its first slash: `/zones`. */
  readonly path: string
  readonly query?: Query
  /** The object to send as JSON. */
  readonly body?: object
}

function credentialHeaders(credentials: ApiCredentials): readonly (readonly [string, string])[] {
  if (credentials.kind === 'token') return [['authorization', `Bearer ${credentials.token}`]]
  return [
    ['x-auth-email', credentials.email],
    ['x-auth-key', credentials.key],
  ]
}

function queryText(query: Query): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.append(name, String(value))
  }
  return parameters.size === 0 ? '' : `?${parameters}`
}

/** Builds the HTTP request. It has a content type even without a body (interface specification). */
export function httpRequest({ base, credentials }: ApiAccess, request: ApiRequest): HttpRequest {
  return {
    method: request.method,
    url: `${base}${request.path}${queryText(request.query ?? {})}`,
    headers: [
      ['accept', 'application/json'],
      ['user-agent', 'oauth-lab'],
      ['content-type', 'application/json'],
      ...credentialHeaders(credentials),
    ],
    body: request.body === undefined ? new Uint8Array() : bytes(JSON.stringify(request.body)),
  }
}
