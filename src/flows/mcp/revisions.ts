/** The revisions of the Model Context Protocol with authorization, oldest first. */
export const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const

export type Revision = (typeof REVISIONS)[number]

export const LATEST: Revision = '2026-07-28'

/** The newest revision that begins with `initialize`. */
export const LATEST_WITH_HANDSHAKE: Revision = '2025-11-25'

export type MetadataWay = 'oauth-inserted' | 'openid-inserted' | 'openid-appended'

export interface RevisionRules {
  /** No `initialize` comes first. */
  readonly stateless: boolean
  /** RFC 9728. False: MCP server and authorization server share an origin. */
  readonly resourceMetadata: boolean
  /** The order of the addresses of an issuer's metadata. */
  readonly discovery: readonly MetadataWay[]
  /** For a server without metadata. */
  readonly defaultEndpoints: boolean
  /** Requests after the first one carry `MCP-Protocol-Version`. */
  readonly versionHeader: boolean
  /** Both requests name the MCP server as `resource` (RFC 8707). */
  readonly resourceParameter: boolean
  /** The address of a metadata document may be the client_id. */
  readonly documents: boolean
  readonly dynamicDeprecated: boolean
  /** A client stops when the metadata announces no PKCE. */
  readonly pkceAnnounced: boolean
  /** The fallback when the challenge names no scope. */
  readonly scopesSupported: boolean
  /** A client may add an announced `offline_access`. */
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

export function revisionNamed(name: unknown): Revision | undefined {
  return REVISIONS.find(each => each === name)
}
