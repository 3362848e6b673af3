import { defined } from '../protocol/values.js'
import type { ServerEntry } from './schema/servers-schema.js'

export interface NamedServer {
  readonly issuer?: string
  readonly metadataFile?: string
  /** Addresses of its metadata. */
  readonly endpoints: Readonly<Record<string, string>>
  readonly jwksFile?: string
  readonly caFile?: string
  readonly clientId?: string
  readonly clientSecret?: string
  readonly clientSecretFile?: string
  readonly auth?: NonNullable<ServerEntry['auth']>
  readonly clientKeyFile?: string
  readonly certFile?: string
  readonly certKeyFile?: string
  /** `Name: value`. */
  readonly header?: readonly string[]
  readonly redirectUri?: string
  readonly postLogoutRedirectUri?: string
  readonly scope?: string
  readonly resource?: string
}

/** @param inFolder makes a path of the lab file absolute */
export function toNamedServer(
  entry: ServerEntry,
  inFolder: (path: string | undefined) => string | undefined,
): NamedServer {
  const addresses = Object.entries(entry).filter(
    ([name, value]) => value !== undefined && (name.endsWith('_endpoint') || name === 'jwks_uri'),
  )
  return defined({
    issuer: entry.issuer,
    metadataFile: inFolder(entry.metadata_file),
    endpoints: Object.fromEntries(addresses) as Record<string, string>,
    jwksFile: inFolder(entry.jwks_file),
    caFile: inFolder(entry.ca_file),
    clientId: entry.client_id,
    clientSecret: entry.client_secret,
    clientSecretFile: inFolder(entry.client_secret_file),
    auth: entry.auth,
    clientKeyFile: inFolder(entry.client_key_file),
    certFile: inFolder(entry.cert_file),
    certKeyFile: inFolder(entry.cert_key_file),
    header: entry.headers && Object.entries(entry.headers).map(([name, value]) => `${name}: ${value}`),
    redirectUri: entry.redirect_uri,
    postLogoutRedirectUri: entry.post_logout_redirect_uri,
    scope: entry.scope,
    resource: entry.resource,
  })
}
