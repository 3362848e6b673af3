import { splitUrl } from '../../protocol/http/message.js'

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

export interface MetadataPlace {
  readonly url: string
  /** From the challenge, or built: below the well-known address, or at its root. */
  readonly by: 'challenge' | 'path' | 'root'
}

/** Returns the well-known address of a resource (RFC 9728 §3.1). */
export function wellKnownOf(resource: string): string {
  const { origin, path, query } = splitUrl(resource)
  return `${origin}${WELL_KNOWN}${path === '/' ? '' : path}${query === '' ? '' : `?${query}`}`
}

/** The addresses of the metadata of an MCP server, in order. One that the challenge names is the only one. */
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
