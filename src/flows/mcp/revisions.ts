/** The revisions of the Model Context Protocol with authorization, oldest first. */
export const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const

/** A revision of the Model Context Protocol. */
export type Revision = (typeof REVISIONS)[number]

/** The revision in force. */
export const LATEST: Revision = '2026-07-28'

/** The newest revision that begins with `initialize`. */
export const LATEST_WITH_HANDSHAKE: Revision = '2025-11-25'

/** A way to build the address of the metadata of an issuer. */
export type MetadataWay = 'oauth-inserted' | 'openid-inserted' | 'openid-appended'

/** The differences between revisions. */
export interface RevisionRules {
  /** True where every request stands alone, and no `initialize` comes first. */
  readonly stateless: boolean
  /** True where the MCP server publishes its authorization servers (RFC 9728). False: they share an origin. */
  readonly resourceMetadata: boolean
  /** The addresses at which the metadata of an issuer may be, in their order. */
  readonly discovery: readonly MetadataWay[]
  /** True where endpoints have default addresses, for a server without metadata. */
  readonly defaultEndpoints: boolean
  /** True where requests after the first one carry `MCP-Protocol-Version`. */
  readonly versionHeader: boolean
  /** True where both requests name the MCP server as `resource` (RFC 8707). */
  readonly resourceParameter: boolean
  /** True where a client may use the address of its metadata document as client_id. */
  readonly documents: boolean
  /** True where dynamic registration is deprecated. */
  readonly dynamicDeprecated: boolean
  /** True where a client stops when the metadata announces no PKCE. */
  readonly pkceAnnounced: boolean
  /** True where `scopes_supported` of the MCP server is asked for when the challenge names no scope. */
  readonly scopesSupported: boolean
  /** True where a client may add `offline_access` when the authorization server announces that scope. */
  readonly offlineAccess: boolean
}

const first: RevisionRules = {
  stateless: false,
  resourceMetadata: false,
  discovery: ['oauth-inserted'],
  defaultEndpoints: true,
  versionHeader: false,
  resourceParameter: false,
  documents: false,
  dynamicDeprecated: false,
  pkceAnnounced: false,
  scopesSupported: false,
  offlineAccess: false,
}

const second: RevisionRules = {
  ...first,
  resourceMetadata: true,
  defaultEndpoints: false,
  versionHeader: true,
  resourceParameter: true,
}

const third: RevisionRules = {
  ...second,
  discovery: ['oauth-inserted', 'openid-inserted', 'openid-appended'],
  documents: true,
  pkceAnnounced: true,
  scopesSupported: true,
}

/** The rules of each revision. */
export const RULES: Readonly<Record<Revision, RevisionRules>> = {
  '2025-03-26': first,
  '2025-06-18': second,
  '2025-11-25': third,
  '2026-07-28': { ...third, stateless: true, dynamicDeprecated: true, offlineAccess: true },
}

/** Returns the revision of that name; undefined for any other name. */
export function revisionNamed(name: unknown): Revision | undefined {
  return REVISIONS.find(each => each === name)
}
