import { bytes, type HttpRequest } from '../../http/message.js'
import type { ApiAccess, ApiCredentials } from './access.js'

/** Parameters of a query; those that are undefined are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** What is asked of the API, before it is known how it is reached. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the base URL, with its slash: `/zones`. */
  readonly path: string
  readonly query?: Query
  /** Sent as JSON. */
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

/** The request as it goes out. Every one has a content type, with a body or not (interface specification). */
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
