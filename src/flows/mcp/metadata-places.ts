import { splitUrl } from '../../protocol/http/message.js'

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/** An address at which the metadata of an MCP server may be. */
export interface MetadataPlace {
  readonly url: string
  /** The challenge named it, or it was built: below the well-known address, or at its root. */
  readonly by: 'challenge' | 'path' | 'root'
}

/** Returns the well-known address of a resource (RFC 9728 §3.1). */
export function wellKnownOf(resource: string): string {
  const { origin, path, query } = splitUrl(resource)
  return `${origin}${WELL_KNOWN}${path === '/' ? '' : path}${query === '' ? '' : `?${query}`}`
}

/**
 * Returns the addresses to ask for the metadata of an MCP server, in their order. An address that the challenge names is
 * the only one.
 */
export function metadataPlaces(resource: string, named: string | undefined): readonly MetadataPlace[] {
  if (named !== undefined) return [{ url: named, by: 'challenge' }]
  const root = `${splitUrl(resource).origin}${WELL_KNOWN}`
  const inserted = wellKnownOf(resource)
  return inserted === root
    ? [{ url: root, by: 'root' }]
    : [
        { url: inserted, by: 'path' },
        { url: root, by: 'root' },
      ]
}
