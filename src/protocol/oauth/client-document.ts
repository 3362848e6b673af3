import { defined } from '../../defined.js'
import { parseLoopback } from './redirect-uri.js'

/** The parts of the document that a client publishes at the address of its client_id. */
export interface DocumentParts {
  readonly clientId: string
  readonly name: string
  readonly redirectUris: readonly string[]
  /** Public keys. Absent: the client is public. */
  readonly jwks?: { readonly keys: readonly Record<string, unknown>[] } | undefined
}

/** True for an application on a person's computer: an address is one of that computer or of a private scheme (RFC 8252 §7). */
function isInstalled(redirectUris: readonly string[]): boolean {
  return redirectUris.some(
    uri => parseLoopback(uri, { anyLocalhostPort: true }) !== undefined || !/^https?:/i.test(uri),
  )
}

/** Makes the document of a client (draft-ietf-oauth-client-id-metadata-document-02 §4; RFC 7591 §2). */
export function clientDocument({ clientId, name, redirectUris, jwks }: DocumentParts) {
  return defined({
    client_id: clientId,
    client_name: name,
    application_type: isInstalled(redirectUris) ? 'native' : 'web',
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: jwks === undefined ? 'none' : 'private_key_jwt',
    jwks,
  })
}
